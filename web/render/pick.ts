/**
 * Entity hit by a ray. The ray is tested first with the sphere of each row, then with the bounding volume
 * tree of its shape or model. There is no tree of rows, because building one after each tick takes longer
 * than testing all spheres.
 * Owns: one tree per shape and model. Never: draws or reads pixels.
 */

import { type BufferGeometry, DoubleSide, Matrix4, Quaternion, Ray, Vector3 } from 'three/webgpu';
import { MeshBVH } from 'three-mesh-bvh';
import type { ShapeName } from './geometries.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { DrawnModel, ModelPart } from './models.ts';
import { type RowTable, SPHERE_FLOATS } from './row-table.ts';

/** Rows of one shape or model. */
export interface PickBatch {
	readonly form: {
		readonly shape: ShapeName | ModelPart;
		readonly model: { readonly drawn: DrawnModel } | null;
		/** False for a batch whose rows are also in an earlier batch. */
		readonly isFirst: boolean;
	};
	readonly solid: BufferGeometry;
	readonly rows: Uint32Array;
}

/** All drawn batches, and the positions of their rows. */
export interface PickRows {
	readonly batches: ReadonlyMap<string, PickBatch>;
	readonly table: Pick<RowTable, 'spheres' | 'poseOf'>;
}

export interface PickHit {
	/** Row of the frame. */
	readonly row: number;
	/** Metres along the ray. */
	readonly distance: number;
	/** Normal of the hit surface, towards the origin of the ray. */
	readonly normal: Vector3;
}

/** Rows that a ray passes through. */
export type SkippedRows = Pick<ReadonlySet<number>, 'has'>;

const NO_ROWS: SkippedRows = new Set();

export class Picker {
	readonly #shapes = new Map<ShapeName, MeshBVH>();
	readonly #models = new WeakMap<DrawnModel, MeshBVH>();
	readonly #matrix = new Matrix4();
	readonly #inverse = new Matrix4();
	readonly #position = new Vector3();
	readonly #turn = new Quaternion();
	readonly #scale = new Vector3();
	readonly #localRay = new Ray();
	readonly #pose = new Float32Array(POSE_STRIDE);

	/** Returns the nearest row that the ray hits; null if there is none. Rows in `skip` are ignored. */
	firstHit(ray: Ray, { batches, table }: PickRows, skip = NO_ROWS): PickHit | null {
		let best: PickHit | null = null;
		for (const batch of batches.values()) {
			if (!batch.form.isFirst) continue;
			for (const row of batch.rows) {
				const limit = best?.distance ?? Infinity;
				if (skip.has(row) || !canHit(ray, table.spheres, row * SPHERE_FLOATS, limit)) continue;
				const hit = this.#hit(ray, this.#tree(batch), table.poseOf(row, this.#pose));
				if (hit !== null && hit.distance < limit) best = { row, ...hit };
			}
		}
		return best;
	}

	#tree(batch: PickBatch): MeshBVH {
		const { shape, model } = batch.form;
		const cached = model === null ? this.#shapes.get(shape as ShapeName) : this.#models.get(model.drawn);
		if (cached !== undefined) return cached;
		const tree = new MeshBVH(batch.solid);
		if (model === null) this.#shapes.set(shape as ShapeName, tree);
		else this.#models.set(model.drawn, tree);
		return tree;
	}

	/** Returns the hit of the ray with an instance; null if there is none. */
	#hit(ray: Ray, tree: MeshBVH, pose: Float32Array): Omit<PickHit, 'row'> | null {
		this.#position.fromArray(pose);
		this.#turn.fromArray(pose, 3);
		this.#scale.set(safeScale(pose[7]!), safeScale(pose[8]!), safeScale(pose[9]!));
		this.#matrix.compose(this.#position, this.#turn, this.#scale);
		this.#localRay.copy(ray).applyMatrix4(this.#inverse.copy(this.#matrix).invert());
		const hit = tree.raycastFirst(this.#localRay, DoubleSide);
		if (hit === null) return null;
		// Normals are transformed with the inverse scale of the surface.
		const normal = (hit.face?.normal.clone() ?? new Vector3(0, 1, 0)).divide(this.#scale);
		normal.applyQuaternion(this.#turn).normalize();
		if (normal.dot(ray.direction) > 0) normal.negate();
		return { distance: hit.point.applyMatrix4(this.#matrix).distanceTo(ray.origin), normal };
	}
}

/** Returns true if the ray hits a sphere within `limit` metres. */
function canHit(ray: Ray, spheres: Float32Array, offset: number, limit: number): boolean {
	const { origin, direction } = ray;
	const x = spheres[offset]! - origin.x;
	const y = spheres[offset + 1]! - origin.y;
	const z = spheres[offset + 2]! - origin.z;
	const radius = spheres[offset + 3]!;
	const along = x * direction.x + y * direction.y + z * direction.z;
	if (x * x + y * y + z * z - along * along > radius * radius) return false;
	return along > -radius && along - radius < limit;
}

/** Returns a scale that is not zero, so that it can be inverted. */
function safeScale(scale: number): number {
	return Math.abs(scale) < 1e-5 ? 1e-5 : scale;
}
