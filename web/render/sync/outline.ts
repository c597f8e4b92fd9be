/**
 * Brass line around the selected entities. Its opacity is 40 % behind other objects.
 * Owns: three draws for each selected shape. The stencil keeps the line off the entities. Only the live
 * picture has the line.
 */

import {
	attribute,
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
	InstancedInterleavedBuffer,
	InterleavedBufferAttribute,
	Mesh,
	MeshBasicNodeMaterial,
	type Node,
	NotEqualStencilFunc,
	ReplaceStencilOp,
	Vector2,
} from 'three/webgpu';
import { POSE_STRIDE } from '../interpolate.ts';
import { rotate } from '../materials.ts';
import { BRASS_LINE } from '../palette.ts';
import type { MeshBatch } from './meshes.ts';
import { capacityOf, instancedGeometry } from './rows-mesh.ts';

const LINE_PX = 2.5;
const COVERED_OPACITY = 0.4;

/** Form of a drawn entity, with its pose. */
export interface OutlinedInstance extends Pick<MeshBatch, 'form' | 'solid'> {
	readonly pose: Float32Array;
}

const posePosition = attribute<'vec3'>('posePlace', 'vec3');
const poseTurn = attribute<'vec4'>('poseTurn', 'vec4');
const poseScale = attribute<'vec3'>('poseScale', 'vec3');

/** Draws of one shape. */
interface DrawnOutline {
	readonly draws: readonly Mesh<InstancedBufferGeometry, MeshBasicNodeMaterial>[];
	poses: InstancedInterleavedBuffer;
}

export class Outline {
	readonly group = new Group();
	/** Size of the picture in CSS pixels. */
	readonly screen = uniform(new Vector2(1, 1));
	readonly #materials: readonly MeshBasicNodeMaterial[];
	readonly #outlines = new Map<MeshBatch['form']['shape'], DrawnOutline>();

	constructor() {
		const mask = this.#material(0);
		mask.colorWrite = false;
		mask.stencilFunc = AlwaysStencilFunc;
		mask.stencilZPass = ReplaceStencilOp;
		const covered = this.#material(LINE_PX);
		covered.opacity = COVERED_OPACITY;
		const uncovered = this.#material(LINE_PX);
		uncovered.depthTest = true;
		for (const line of [covered, uncovered]) line.stencilFunc = NotEqualStencilFunc;
		this.#materials = [mask, covered, uncovered];
		const color = new Color().setHex(BRASS_LINE, '');
		for (const [index, material] of this.#materials.entries()) {
			material.fragmentNode = vec4(vec3(color.r, color.g, color.b), index === 1 ? COVERED_OPACITY : 1);
		}
	}

	/** Outlines exactly these instances. */
	setInstances(instances: readonly OutlinedInstance[]): void {
		const byShape = Map.groupBy(instances, ({ form }) => form.shape);
		for (const [shape, outline] of this.#outlines) if (!byShape.has(shape)) this.#remove(shape, outline);
		for (const [shape, shapeInstances] of byShape) {
			const outline = this.#drawsFor(shape, shapeInstances[0]!.solid, shapeInstances.length);
			const poses = outline.poses.array as Float32Array;
			for (const [index, { pose }] of shapeInstances.entries()) poses.set(pose, index * POSE_STRIDE);
			outline.poses.needsUpdate = true;
			for (const { geometry } of outline.draws) geometry.instanceCount = shapeInstances.length;
		}
	}

	dispose(): void {
		for (const [shape, outline] of this.#outlines) this.#remove(shape, outline);
		for (const material of this.#materials) material.dispose();
	}

	/** Returns the draws of a shape, with room for `count` instances. */
	#drawsFor(shape: MeshBatch['form']['shape'], solid: BufferGeometry, count: number): DrawnOutline {
		const previous = this.#outlines.get(shape);
		if (previous !== undefined && previous.poses.array.length >= count * POSE_STRIDE) return previous;
		if (previous !== undefined) this.#remove(shape, previous);
		const poses = new InstancedInterleavedBuffer(
			new Float32Array(capacityOf(count) * POSE_STRIDE),
			POSE_STRIDE,
		);
		const draws = this.#materials.map((material, index) => {
			const mesh = new Mesh(geometryWithPoses(solid, poses), material);
			mesh.frustumCulled = false;
			mesh.matrixAutoUpdate = false;
			// All masks come before all lines, so no line is drawn inside another selected entity.
			mesh.renderOrder = 10 + index;
			this.group.add(mesh);
			return mesh;
		});
		const outline = { draws, poses };
		this.#outlines.set(shape, outline);
		return outline;
	}

	#remove(shape: MeshBatch['form']['shape'], { draws }: DrawnOutline): void {
		for (const mesh of draws) {
			this.group.remove(mesh);
			mesh.geometry.dispose();
		}
		this.#outlines.delete(shape);
	}

	/** Returns a material that pushes every vertex outwards on the screen, by `pixels`. */
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
			const middle: Node<'vec4'> = view.mul(vec4(posePosition, 1));
			const position = rotate(poseTurn, positionGeometry.mul(poseScale)).add(posePosition);
			const clip = view.mul(vec4(position, 1)).toVar();
			if (pixels > 0) {
				const distance = clip.xy
					.div(clip.w)
					.sub(middle.xy.div(max(middle.w, 0.01)))
					.mul(this.screen);
				const push = distance.div(max(distance.length(), 0.001)).mul(vec2(pixels * 2).div(this.screen));
				clip.assign(vec4(clip.xy.add(push.mul(clip.w)), clip.zw));
			}
			return clip;
		})();
		return material;
	}
}

/** Returns a geometry that draws a shape once for each pose. */
function geometryWithPoses(
	shape: BufferGeometry,
	poses: InstancedInterleavedBuffer,
): InstancedBufferGeometry {
	const geometry = instancedGeometry(shape);
	geometry.setAttribute('posePlace', new InterleavedBufferAttribute(poses, 3, 0));
	geometry.setAttribute('poseTurn', new InterleavedBufferAttribute(poses, 4, 3));
	geometry.setAttribute('poseScale', new InterleavedBufferAttribute(poses, 3, 7));
	return geometry;
}
