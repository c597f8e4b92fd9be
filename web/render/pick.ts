/**
 * Which entity lies under a ray: a ball round each instance first, then the shape's own bounding volume tree.
 * Owns: one tree for each shape. Never: draws or reads pixels.
 */

import { DoubleSide, Matrix4, Quaternion, Ray, Vector3 } from 'three/webgpu';
import { MeshBVH } from 'three-mesh-bvh';
import { plainShape, type ShapeName } from './geometries.ts';
import { POSE_STRIDE } from './interpolate.ts';

/** Instances of one shape, as drawn. */
export interface PickBatch {
	readonly shape: ShapeName;
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
	readonly #trees = new Map<ShapeName, MeshBVH>();
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
			const tree = this.#tree(batch.shape);
			for (let index = 0; index < batch.count; index++) {
				const at = index * POSE_STRIDE;
				const limit = best?.distance ?? Infinity;
				if (!mayHit(ray, batch.poses, at, limit)) continue;
				const distance = this.#hit(ray, tree, batch.poses, at);
				if (distance !== null && distance < limit) best = { row: batch.order[index]!, distance };
			}
		}
		return best;
	}

	#tree(shape: ShapeName): MeshBVH {
		let tree = this.#trees.get(shape);
		if (tree === undefined) {
			tree = new MeshBVH(plainShape(shape, false));
			this.#trees.set(shape, tree);
		}
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

/** Whether the ray passes the ball round an instance nearer than `limit` metres. */
function mayHit(ray: Ray, poses: Float32Array, at: number, limit: number): boolean {
	const sx = poses[at + 7]!;
	const sy = poses[at + 8]!;
	const sz = poses[at + 9]!;
	const square = (sx * sx + sy * sy + sz * sz) / 4;
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
