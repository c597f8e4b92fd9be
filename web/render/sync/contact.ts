/**
 * Contact shadows: soft dark patches under entities that touch the ground, so that they do not seem to float.
 * Owns: a flat quad under each instance near the plate or the largest floor. A model counts as its box.
 */

import {
	abs,
	attribute,
	clamp,
	Fn,
	float,
	length,
	max,
	min,
	normalize,
	positionGeometry,
	select,
	smoothstep,
	varying,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import { BufferAttribute, BufferGeometry, Group, MeshBasicNodeMaterial } from 'three/webgpu';
import type { BlockName, FrameBlocks, FrameModel } from '../../frames/frames.ts';
import type { ShapeName } from '../geometries.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { rotate } from '../materials.ts';
import type { ModelPart } from '../models.ts';
import type { RowNodes } from '../row-nodes.ts';
import type { Air } from '../scene/air.ts';
import type { GroundPlane } from '../scene/ground.ts';
import type { MeshBatch, Meshes } from './meshes.ts';
import { RowsMesh } from './rows-mesh.ts';
import type { Picture, Sync } from './sync.ts';

/** Darkness of a patch at its middle. */
const DARKNESS = 0.36;
/** Maximum width of an entity with a patch; wider entities count as ground (m). */
const MAX_WIDTH = 6;

/** Shapes whose outline from above is a circle. */
const ROUND_SHAPES: ReadonlySet<ShapeName> = new Set(['sphere', 'cylinder', 'cone', 'stand-in']);

/** Returns true for a round shape. Models count as round: few fill the corners of their box. */
const isRound = (shape: ShapeName | ModelPart): boolean =>
	typeof shape !== 'string' || ROUND_SHAPES.has(shape);

/** Returns the patches' material, for outlines that are `round` or square. */
export function contactMaterial(
	rows: RowNodes,
	groundPlane: GroundPlane,
	air: Air,
	isRoundPatch: boolean,
): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthWrite = false;
	material.toneMapped = false;
	const { rotation } = rows;
	const scale = rows.scale.mul(attribute<'vec3'>('boxSize', 'vec3'));
	const position = rows.position.add(
		rotate(rotation, rows.scale.mul(attribute<'vec3'>('boxMiddle', 'vec3'))),
	);
	const right = rotate(rotation, vec3(1, 0, 0));
	const upwards = rotate(rotation, vec3(0, 1, 0));
	const direction = rotate(rotation, vec3(0, 0, 1));
	const size = abs(scale).mul(0.5);
	const box = abs(right).mul(size.x).add(abs(upwards).mul(size.y)).add(abs(direction).mul(size.z));
	// An upright entity has the patch of its own rotated outline. A tilted entity has the patch of the box
	// around it.
	const isUpright = abs(upwards.y).greaterThan(0.95);
	const half = select(isUpright, vec3(size.x, box.y, size.z), box);
	const axisX = select(isUpright, normalize(right.xz), vec2(1, 0));
	const axisZ = select(isUpright, normalize(direction.xz), vec2(0, 1));
	const ground = groundPlane.heightBelow(position.x, position.z);
	const spread = clamp(min(half.x, half.z).mul(0.9), 0.08, 0.7);
	const gap = max(position.y.sub(half.y).sub(ground), 0);
	const top = position.y.add(half.y).sub(ground);
	const near = float(1).sub(smoothstep(0, spread.mul(1.6), gap));
	const strength = select(
		max(half.x, half.z)
			.greaterThan(MAX_WIDTH / 2)
			.or(top.lessThan(0.02)),
		float(0),
		near,
	);
	const reach = vec2(half.x, half.z).mul(0.92).add(spread);
	const offset = positionGeometry.xz.mul(2).mul(reach);
	material.positionNode = Fn(() => {
		const visibility = select(strength.lessThanEqual(0.001), float(0), float(1));
		const corner = position.xz.add(axisX.mul(offset.x).add(axisZ.mul(offset.y)).mul(visibility));
		return vec3(corner.x, ground.add(0.006), corner.y);
	})();
	const position2d = varying(offset);
	const inner = varying(vec2(half.x, half.z).mul(isRoundPatch ? 0.25 : 0.92));
	const soft = varying(isRoundPatch ? spread.add(min(half.x, half.z).mul(0.67)) : spread);
	const outside = length(max(abs(position2d).sub(inner), 0)).div(soft);
	const fade = float(1).sub(clamp(outside, 0, 1));
	const alpha = fade.mul(fade).mul(varying(strength)).mul(DARKNESS);
	material.fragmentNode = vec4(vec3(0.02, 0.03, 0.04), air.patchAlpha(alpha));
	material.name = isRoundPatch ? 'contact round' : 'contact';
	return material;
}

/** Patches under the entities of a frame. */
export class Contacts implements Sync {
	readonly object = new Group();
	readonly #meshes: Meshes;
	readonly #square: MeshBasicNodeMaterial;
	readonly #round: MeshBasicNodeMaterial;
	readonly #draws = new Map<string, Draw>();

	constructor({ contact, roundContact }: GpuResources, meshes: Meshes) {
		this.#square = contact;
		this.#round = roundContact;
		this.#meshes = meshes;
	}

	/** Updates the patches when the batches may have changed. */
	setFrame(_: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (!changed.has('rows') && !changed.has('materials') && !changed.has('models')) return;
		const { batches, isPatched } = this.#meshes;
		for (const [key, draw] of this.#draws)
			if (batches.get(key)?.group !== draw.group) {
				this.object.remove(draw.object);
				draw.object.dispose();
				this.#draws.delete(key);
			}
		for (const [key, { form, group, count }] of batches) {
			if (!form.isFirst) continue;
			let draw = this.#draws.get(key);
			if (draw === undefined) {
				const object = new RowsMesh(group, patchGeometry(form.model?.box ?? UNIT));
				object.material = isRound(form.shape) ? this.#round : this.#square;
				object.renderOrder = 2;
				draw = { object, group };
				this.#draws.set(key, draw);
				this.object.add(object);
			}
			draw.object.visible = isPatched && count > 0;
		}
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
	}

	dispose(): void {
		for (const { object } of this.#draws.values()) object.dispose();
	}
}

/** Patches of a batch. */
interface Draw {
	readonly object: RowsMesh;
	readonly group: MeshBatch['group'];
}

/** Box of every shape. */
const UNIT = { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] } as const;

/** Returns a unit square in XZ that faces up, with the box of its entities as attributes. */
function patchGeometry({ low, high }: Pick<FrameModel, 'low' | 'high'>): BufferGeometry {
	const geometry = new BufferGeometry();
	const corners = new Float32Array([-0.5, 0, -0.5, -0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, -0.5]);
	const cornerAttribute = (valueAt: (axis: number) => number): BufferAttribute =>
		new BufferAttribute(
			Float32Array.from(corners, (_, index) => valueAt(index % 3)),
			3,
		);
	geometry.setAttribute('position', new BufferAttribute(corners, 3));
	geometry.setAttribute(
		'boxMiddle',
		cornerAttribute((axis) => (low[axis]! + high[axis]!) / 2),
	);
	geometry.setAttribute(
		'boxSize',
		cornerAttribute((axis) => high[axis]! - low[axis]!),
	);
	geometry.setIndex([0, 1, 2, 0, 2, 3]);
	return geometry;
}
