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

/**
 * Measures a frame. `solids`: other objects with an extent, such as terrains. Entities below the plate do not
 * widen it.
 */
export function measureExtent(rows: FrameRows, poses: Float32Array, solids: readonly Solid[] = []): Extent {
	const count = rows.ids.length;
	let plate = 0;
	let floor: [number, number, number, number, number] | null = null;
	let area = 0;
	for (let row = 0; row < count; row++) {
		const offset = row * POSE_STRIDE;
		if (Math.abs(poses[offset + 7]!) < FLOOR_SIZE && Math.abs(poses[offset + 9]!) < FLOOR_SIZE) continue;
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
	let left = Infinity;
	let right = -Infinity;
	let back = Infinity;
	let front = -Infinity;
	let top = 0;
	let farthest = 0;
	for (let row = 0; row < count; row++) {
		const offset = row * POSE_STRIDE;
		const x = poses[offset]!;
		const y = poses[offset + 1]!;
		const z = poses[offset + 2]!;
		const size =
			(Math.abs(poses[offset + 7]!) + Math.abs(poses[offset + 8]!) + Math.abs(poses[offset + 9]!)) / 2;
		if (
			Math.abs(x) > MAX_DISTANCE ||
			Math.abs(z) > MAX_DISTANCE ||
			y > MAX_DISTANCE ||
			y + size < plate - 0.5
		)
			continue;
		const halfWidth = Math.min(
			size,
			Math.max(Math.abs(poses[offset + 7]!), Math.abs(poses[offset + 9]!)) / 2,
		);
		left = Math.min(left, x - halfWidth);
		right = Math.max(right, x + halfWidth);
		back = Math.min(back, z - halfWidth);
		front = Math.max(front, z + halfWidth);
		top = Math.max(top, y + size - plate);
		farthest = Math.max(farthest, Math.sqrt(x * x + z * z) + halfWidth);
	}
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
