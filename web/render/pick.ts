/**
 * Which entity lies under a ray: a ball round each instance first, then the bounding volume tree of its shape or model.
 * Owns: one tree for each of them. Never: draws or reads pixels.
 */

import { type BufferGeometry, DoubleSide, Matrix4, Quaternion, Ray, Vector3 } from 'three/webgpu';
import { MeshBVH } from 'three-mesh-bvh';
import type { ShapeName } from './geometries.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { DrawnModel, ModelPart } from './models.ts';

/** Instances of one shape or model, as drawn. */
export interface PickBatch {
	readonly form: {
		readonly shape: ShapeName | ModelPart;
		readonly model: { readonly drawn: DrawnModel } | null;
		/** False for what another batch stands for as well. */
		readonly leads: boolean;
	};
	readonly solid: BufferGeometry;
	readonly count: number;
	readonly order: Uint32Array;
	readonly poses: Float32Array;
}

export interface PickHit {
	/** Row of the frame. */
	readonly row: number;
	/** Metres along the ray. */
	readonly distance: number;
}

export class Picker {
	readonly #shapes = new Map<ShapeName, MeshBVH>();
	readonly #models = new WeakMap<DrawnModel, MeshBVH>();
	readonly #matrix = new Matrix4();
	readonly #inverse = new Matrix4();
	readonly #place = new Vector3();
	readonly #turn = new Quaternion();
	readonly #scale = new Vector3();
	readonly #local = new Ray();

	/** The nearest instance that the ray hits in front of its origin, or null. */
	first(ray: Ray, batches: Iterable<PickBatch>): PickHit | null {
		let best: PickHit | null = null;
		for (const batch of batches) {
			if (!batch.form.leads || batch.count === 0) continue;
			const tree = this.#tree(batch);
			const ball = batch.form.model?.drawn ?? UNIT;
			for (let index = 0; index < batch.count; index++) {
				const at = index * POSE_STRIDE;
				const limit = best?.distance ?? Infinity;
				if (!mayHit(ray, batch.poses, at, ball, limit)) continue;
				const distance = this.#hit(ray, tree, batch.poses, at);
				if (distance !== null && distance < limit) best = { row: batch.order[index]!, distance };
			}
		}
		return best;
	}

	#tree(batch: PickBatch): MeshBVH {
		const { shape, model } = batch.form;
		const known = model === null ? this.#shapes.get(shape as ShapeName) : this.#models.get(model.drawn);
		if (known !== undefined) return known;
		const tree = new MeshBVH(batch.solid);
		if (model === null) this.#shapes.set(shape as ShapeName, tree);
		else this.#models.set(model.drawn, tree);
		return tree;
	}

	/** Metres along the ray to the instance whose pose begins at `at`, or null. */
	#hit(ray: Ray, tree: MeshBVH, poses: Float32Array, at: number): number | null {
		this.#place.fromArray(poses, at);
		this.#turn.fromArray(poses, at + 3);
		this.#scale.set(steady(poses[at + 7]!), steady(poses[at + 8]!), steady(poses[at + 9]!));
		this.#matrix.compose(this.#place, this.#turn, this.#scale);
		this.#local.copy(ray).applyMatrix4(this.#inverse.copy(this.#matrix).invert());
		const hit = tree.raycastFirst(this.#local, DoubleSide);
		return hit === null ? null : hit.point.applyMatrix4(this.#matrix).distanceTo(ray.origin);
	}
}

/** How far every shape reaches. */
const UNIT = { reach: [0.5, 0.5, 0.5] } as const;

/** Whether the ray passes the ball round an instance nearer than `limit` metres. */
function mayHit(
	ray: Ray,
	poses: Float32Array,
	at: number,
	{ reach }: Pick<DrawnModel, 'reach'>,
	limit: number,
): boolean {
	const sx = poses[at + 7]! * reach[0];
	const sy = poses[at + 8]! * reach[1];
	const sz = poses[at + 9]! * reach[2];
	const square = sx * sx + sy * sy + sz * sz;
	const x = poses[at]! - ray.origin.x;
	const y = poses[at + 1]! - ray.origin.y;
	const z = poses[at + 2]! - ray.origin.z;
	const along = x * ray.direction.x + y * ray.direction.y + z * ray.direction.z;
	const away = x * x + y * y + z * z - along * along;
	if (away > square) return false;
	const radius = Math.sqrt(square);
	return along > -radius && along - radius < limit;
}

/** A scale that can be inverted. */
function steady(scale: number): number {
	return Math.abs(scale) < 1e-5 ? 1e-5 : scale;
}
