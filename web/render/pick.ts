/**
 * Entity under a ray: a ball round each instance first, then the bounding volume tree of its shape or model.
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
	/** Points away from the surface that is hit, towards the origin of the ray. */
	readonly normal: Vector3;
}

const NO_ROWS: ReadonlySet<number> = new Set();

export class Picker {
	readonly #shapes = new Map<ShapeName, MeshBVH>();
	readonly #models = new WeakMap<DrawnModel, MeshBVH>();
	readonly #matrix = new Matrix4();
	readonly #inverse = new Matrix4();
	readonly #place = new Vector3();
	readonly #turn = new Quaternion();
	readonly #scale = new Vector3();
	readonly #local = new Ray();

	/** The nearest instance that the ray hits in front of its origin, or null; never one of the rows in `skip`. */
	first(ray: Ray, batches: Iterable<PickBatch>, skip = NO_ROWS): PickHit | null {
		let best: PickHit | null = null;
		for (const batch of batches) {
			if (!batch.form.leads || batch.count === 0) continue;
			const tree = this.#tree(batch);
			const ball = batch.form.model?.drawn ?? UNIT;
			for (let index = 0; index < batch.count; index++) {
				const at = index * POSE_STRIDE;
				if (skip.has(batch.order[index]!)) continue;
				const limit = best?.distance ?? Infinity;
				if (!mayHit(ray, batch.poses, at, ball, limit)) continue;
				const hit = this.#hit(ray, tree, batch.poses, at);
				if (hit !== null && hit.distance < limit) best = { row: batch.order[index]!, ...hit };
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

	/** Point where the ray hits the instance whose pose begins at `at`, or null. */
	#hit(ray: Ray, tree: MeshBVH, poses: Float32Array, at: number): Omit<PickHit, 'row'> | null {
		this.#place.fromArray(poses, at);
		this.#turn.fromArray(poses, at + 3);
		this.#scale.set(steady(poses[at + 7]!), steady(poses[at + 8]!), steady(poses[at + 9]!));
		this.#matrix.compose(this.#place, this.#turn, this.#scale);
		this.#local.copy(ray).applyMatrix4(this.#inverse.copy(this.#matrix).invert());
		const hit = tree.raycastFirst(this.#local, DoubleSide);
		if (hit === null) return null;
		// A normal is sized the other way round than its surface.
		const normal = (hit.face?.normal.clone() ?? new Vector3(0, 1, 0)).divide(this.#scale);
		normal.applyQuaternion(this.#turn).normalize();
		if (normal.dot(ray.direction) > 0) normal.negate();
		return { distance: hit.point.applyMatrix4(this.#matrix).distanceTo(ray.origin), normal };
	}
}

/** Reach of every shape. */
const UNIT = { reach: [0.5, 0.5, 0.5] } as const;

/** Returns true if the ray passes the ball round an instance nearer than `limit` metres. */
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
