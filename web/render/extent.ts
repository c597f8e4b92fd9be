/**
 * Extent of a frame's entities and floors, on which the plate, the sun and contact shadows depend.
 * Owns: the measurement, a pure function of one frame. Never: keeps anything between frames.
 */

import type { FrameRows } from '../frames/frames.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { Vec3 } from './orbit.ts';
import type { Solid } from './sync/sync.ts';

/** A row at least this wide and deep, in metres, is a floor. */
const FLOOR_SIZE = 4;
/** Maximum distance from the origin at which entities are measured, in metres. */
const MAX_DISTANCE = 400;
/** Distance below the plate from which on entities do not count, in metres. */
const BELOW = 0.5;

export interface Extent {
	/** Height of the plate, in metres: 0, or just below the lowest floor. */
	readonly plate: number;
	/** Radius of the plate in metres, one of a few steps. */
	readonly radius: number;
	/** Centre of all entities, on the plate. */
	readonly centre: Vec3;
	/** Radius around `centre` that contains all entities. */
	readonly reach: number;
	/** Height of the highest entity above the plate, in metres. */
	readonly top: number;
	/**
	 * The largest floor: minimum x and z, maximum x and z, and the height of its upper side; null without one.
	 */
	readonly floor: readonly [number, number, number, number, number] | null;
}

/** Returns the half extents of a unit box along x, y and z (m). Its pose begins at `offset`. */
export function halfExtents(poses: Float32Array, offset: number): Vec3 {
	const x = poses[offset + 3]!;
	const y = poses[offset + 4]!;
	const z = poses[offset + 5]!;
	const w = poses[offset + 6]!;
	const sx = Math.abs(poses[offset + 7]!) / 2;
	const sy = Math.abs(poses[offset + 8]!) / 2;
	const sz = Math.abs(poses[offset + 9]!) / 2;
	return [
		Math.abs(1 - 2 * (y * y + z * z)) * sx +
			Math.abs(2 * (x * y - z * w)) * sy +
			Math.abs(2 * (x * z + y * w)) * sz,
		Math.abs(2 * (x * y + z * w)) * sx +
			Math.abs(1 - 2 * (x * x + z * z)) * sy +
			Math.abs(2 * (y * z - x * w)) * sz,
		Math.abs(2 * (x * z - y * w)) * sx +
			Math.abs(2 * (y * z + x * w)) * sy +
			Math.abs(1 - 2 * (x * x + y * y)) * sz,
	];
}

/** Returns the half extent of a unit box along y, as `halfExtents`. */
export function halfHeight(poses: Float32Array, offset: number): number {
	const x = poses[offset + 3]!;
	const y = poses[offset + 4]!;
	const z = poses[offset + 5]!;
	const w = poses[offset + 6]!;
	return (
		(Math.abs(2 * (x * y + z * w)) * Math.abs(poses[offset + 7]!) +
			Math.abs(1 - 2 * (x * x + z * z)) * Math.abs(poses[offset + 8]!) +
			Math.abs(2 * (y * z - x * w)) * Math.abs(poses[offset + 9]!)) /
		2
	);
}

/** Bounds of places on the plate. */
class Bounds {
	left = Infinity;
	right = -Infinity;
	back = Infinity;
	front = -Infinity;
	highest = -Infinity;
	/** Distance of the farthest place from the origin. */
	far = 0;

	/** Adds a place that is `wide` metres to each side and reaches up to `top`. */
	add(x: number, z: number, halfWidth: number, top: number): void {
		if (x - halfWidth < this.left) this.left = x - halfWidth;
		if (x + halfWidth > this.right) this.right = x + halfWidth;
		if (z - halfWidth < this.back) this.back = z - halfWidth;
		if (z + halfWidth > this.front) this.front = z + halfWidth;
		if (top > this.highest) this.highest = top;
		// A root is taken only of places that may be the farthest.
		const reach = this.far - halfWidth;
		if (reach < 0 || x * x + z * z > reach * reach)
			this.far = Math.max(this.far, Math.sqrt(x * x + z * z) + halfWidth);
	}
}

/** Returns the floors among the rows and the solids: the largest, and the height of the plate below all of them. */
function floorsOf(
	halfWidth: readonly number[],
	poses: Float32Array,
	solids: readonly Solid[],
): Pick<Extent, 'plate' | 'floor'> {
	let plate = 0;
	let floor: Extent['floor'] = null;
	let area = 0;
	for (const row of halfWidth) {
		const offset = row * POSE_STRIDE;
		const [hx, hy, hz] = halfExtents(poses, offset);
		if (hx * 2 < FLOOR_SIZE || hz * 2 < FLOOR_SIZE || hy > Math.min(hx, hz)) continue;
		const x = poses[offset]!;
		const y = poses[offset + 1]!;
		const z = poses[offset + 2]!;
		if (Math.abs(x) > MAX_DISTANCE || Math.abs(z) > MAX_DISTANCE || Math.abs(y) > MAX_DISTANCE) continue;
		plate = Math.min(plate, y - hy);
		if (hx * hz > area) {
			area = hx * hz;
			floor = [x - hx, z - hz, x + hx, z + hz, y + hy];
		}
	}
	for (const { least, most } of solids) {
		plate = Math.min(plate, Math.max(least[1], -MAX_DISTANCE));
		const size = (most[0] - least[0]) * (most[2] - least[2]);
		// Level ground is a floor like any other.
		if (most[1] - least[1] > 0.001 || size / 4 <= area) continue;
		area = size / 4;
		floor = [least[0], least[2], most[0], most[2], most[1]];
	}
	return { plate, floor };
}

/** Measures a frame. `solids`: other objects with an extent, such as terrains. Entities below the plate do not widen it. */
export function measureExtent(rows: FrameRows, poses: Float32Array, solids: readonly Solid[] = []): Extent {
	const count = rows.ids.length;
	const bounds = new Bounds();
	/** Rows that may be floors, and rows that are low. The plate depends on the former, the latter on the plate. */
	const wideRows: number[] = [];
	const lowRows: number[] = [];
	for (let row = 0; row < count; row++) {
		const offset = row * POSE_STRIDE;
		const x = poses[offset]!;
		const y = poses[offset + 1]!;
		const z = poses[offset + 2]!;
		const sx = Math.abs(poses[offset + 7]!);
		const sz = Math.abs(poses[offset + 9]!);
		if (sx >= FLOOR_SIZE || sz >= FLOOR_SIZE) wideRows.push(row);
		const size = (sx + Math.abs(poses[offset + 8]!) + sz) / 2;
		if (x > MAX_DISTANCE || x < -MAX_DISTANCE || z > MAX_DISTANCE || z < -MAX_DISTANCE || y > MAX_DISTANCE)
			continue;
		if (y + size < -BELOW) lowRows.push(row);
		else bounds.add(x, z, Math.max(sx, sz) / 2, y + size);
	}
	const { plate, floor } = floorsOf(wideRows, poses, solids);
	for (const row of lowRows) {
		const offset = row * POSE_STRIDE;
		const [sx, sy, sz] = [7, 8, 9].map((part) => Math.abs(poses[offset + part]!)) as unknown as Vec3;
		const top = poses[offset + 1]! + (sx + sy + sz) / 2;
		if (top >= plate - BELOW) bounds.add(poses[offset]!, poses[offset + 2]!, Math.max(sx, sz) / 2, top);
	}
	let { left, right, back, front, far: farthest } = bounds;
	let top = Math.max(0, bounds.highest - plate);
	const clamp = (value: number): number => Math.min(Math.max(value, -MAX_DISTANCE), MAX_DISTANCE);
	for (const { least, most } of solids) {
		left = Math.min(left, clamp(least[0]));
		right = Math.max(right, clamp(most[0]));
		back = Math.min(back, clamp(least[2]));
		front = Math.max(front, clamp(most[2]));
		top = Math.max(top, clamp(most[1]) - plate);
		for (const x of [least[0], most[0]])
			for (const z of [least[2], most[2]]) farthest = Math.max(farthest, Math.hypot(clamp(x), clamp(z)));
	}
	const isEmpty = left > right;
	const centre: Vec3 = isEmpty
		? [0, plate, 0]
		: [snapToGrid((left + right) / 2), plate, snapToGrid((back + front) / 2)];
	const reach = isEmpty ? 4 : Math.hypot(right - left, front - back) / 2 + Math.min(top, 20) * 0.5;
	return {
		plate: plate - 0.02,
		radius: roundUp(Math.max(farthest * 1.12 + 1, 12)),
		centre,
		reach: roundUp(reach),
		top: roundUp(Math.max(top, 4)),
		floor,
	};
}

/** Rounds a length up to one of 1, 1.5, 2, 3, 4, 6, 8, 12, ... (m). */
function roundUp(value: number): number {
	const power = 2 ** Math.floor(Math.log2(value));
	if (value <= power) return power;
	return value <= power * 1.5 ? power * 1.5 : power * 2;
}

function snapToGrid(value: number): number {
	return Math.round(value / 2) * 2;
}
