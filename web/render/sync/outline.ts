/**
 * The brass line round the selected entity: 2 pixels wide, and at 40 % where something covers it.
 * Owns: three draws of one instance, kept off the entity itself by the stencil. Only the live picture has it.
 */

import {
	cameraProjectionMatrix,
	cameraViewMatrix,
	Fn,
	max,
	positionGeometry,
	uniform,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	AlwaysStencilFunc,
	type BufferGeometry,
	Color,
	DoubleSide,
	Group,
	type InstancedBufferGeometry,
	Mesh,
	MeshBasicNodeMaterial,
	type Node,
	NotEqualStencilFunc,
	ReplaceStencilOp,
	Vector2,
} from 'three/webgpu';
import { plainShape } from '../geometries.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import { posePlace, poseScale, poseTurn, turned } from '../materials.ts';
import { BRASS_LINE } from '../palette.ts';
import { instanced, type MeshBatch, makePoses } from './meshes.ts';

const WIDTH_PX = 2.5;
const COVERED = 0.4;

export class Outline {
	readonly group = new Group();
	/** Size of the picture in CSS pixels. */
	readonly screen = uniform(new Vector2(1, 1));
	readonly #poses = makePoses(1);
	readonly #draws: readonly Mesh[];
	readonly #materials: readonly MeshBasicNodeMaterial[];
	#shown: MeshBatch['form']['shape'] | null = null;

	constructor() {
		const mask = this.#material(0);
		mask.colorWrite = false;
		mask.stencilFunc = AlwaysStencilFunc;
		mask.stencilZPass = ReplaceStencilOp;
		const covered = this.#material(WIDTH_PX);
		covered.opacity = COVERED;
		const open = this.#material(WIDTH_PX);
		open.depthTest = true;
		for (const line of [covered, open]) line.stencilFunc = NotEqualStencilFunc;
		this.#materials = [mask, covered, open];
		const color = new Color().setHex(BRASS_LINE, '');
		for (const [index, material] of this.#materials.entries()) {
			material.fragmentNode = vec4(vec3(color.r, color.g, color.b), index === 1 ? COVERED : 1);
		}
		this.#draws = this.#materials.map((material, index) => {
			const mesh = new Mesh(instanced(plainShape('cube', false), this.#poses), material);
			mesh.frustumCulled = false;
			mesh.matrixAutoUpdate = false;
			mesh.renderOrder = 10 + index;
			this.group.add(mesh);
			return mesh;
		});
		this.group.visible = false;
	}

	/** Draws the line round one instance: that of a batch whose pose begins at `at`. */
	show({ form, solid, poses }: Pick<MeshBatch, 'form' | 'solid' | 'poses'>, at: number): void {
		if (form.shape !== this.#shown) {
			this.#shown = form.shape;
			const geometry: BufferGeometry = solid;
			for (const mesh of this.#draws) {
				mesh.geometry.dispose();
				const drawn: InstancedBufferGeometry = instanced(geometry, this.#poses);
				drawn.instanceCount = 1;
				mesh.geometry = drawn;
			}
		}
		(this.#poses.array as Float32Array).set(poses.subarray(at, at + POSE_STRIDE));
		this.#poses.needsUpdate = true;
		this.group.visible = true;
	}

	/** Draws no line. */
	hide(): void {
		this.group.visible = false;
	}

	dispose(): void {
		for (const mesh of this.#draws) mesh.geometry.dispose();
		for (const material of this.#materials) material.dispose();
	}

	/** The entity's shape with every vertex pushed outwards on the screen. */
	#material(pixels: number): MeshBasicNodeMaterial {
		const material = new MeshBasicNodeMaterial();
		material.transparent = true;
		material.depthTest = false;
		material.depthWrite = false;
		material.toneMapped = false;
		material.side = DoubleSide;
		material.forceSinglePass = true;
		material.stencilWrite = true;
		material.stencilRef = 1;
		material.vertexNode = Fn(() => {
			const view = cameraProjectionMatrix.mul(cameraViewMatrix);
			const middle: Node<'vec4'> = view.mul(vec4(posePlace(), 1));
			const place = turned(poseTurn(), positionGeometry.mul(poseScale())).add(posePlace());
			const clip = view.mul(vec4(place, 1)).toVar();
			if (pixels > 0) {
				const away = clip.xy
					.div(clip.w)
					.sub(middle.xy.div(max(middle.w, 0.01)))
					.mul(this.screen);
				const push = away.div(max(away.length(), 0.001)).mul(vec2(pixels * 2).div(this.screen));
				clip.assign(vec4(clip.xy.add(push.mul(clip.w)), clip.zw));
			}
			return clip;
		})();
		return material;
	}
}
