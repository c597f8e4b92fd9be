/**
 * The brush, and the calls of its strokes.
 * Owns: the request of each stamp. Never: sends it.
 */

import type { Vector } from '../entities/entity.ts';
import type { Request } from './edits.ts';

/** Settings of the brush, for the ground or for plants. */
export interface Brush {
	/** An op of POST /terrain/edit, or `plants`. */
	readonly op: string;
	/** Radius (m). */
	readonly radius: number;
	/** Strength in metres or as a share, as the operation requires, or plants per square metre. */
	readonly amount: number;
	readonly layer: string;
	readonly plant: string;
}

/** Returns stamps with a minimum distance from each other (m). */
function spacedStamps(stamps: readonly Vector[], distance: number): readonly Vector[] {
	const kept: Vector[] = [];
	for (const stamp of stamps)
		if (kept.every(([x, , z]) => Math.hypot(stamp[0] - x, stamp[2] - z) >= distance)) kept.push(stamp);
	return kept;
}

/**
 * Returns the calls of a stroke: edits of the terrain, or plants in squares around stamps that do not overlap.
 */
export function brushRequests(
	{ op, radius, amount, layer, plant }: Brush,
	stamps: readonly Vector[],
): readonly Request[] {
	if (op === 'plants')
		return spacedStamps(stamps, radius * 2).map(([x, y, z], index) => ({
			path: '/foliage/scatter',
			body: {
				mesh_name: plant,
				density: amount,
				area_min: [x - radius, y, z - radius],
				area_max: [x + radius, y, z + radius],
				// Adjacent squares have different seeds.
				seed: index + Math.abs(Math.round(x * 31 + z * 17)),
			},
		}));
	return stamps.map(([x, , z]) => ({
		path: '/terrain/edit',
		body: { op, x, z, space: 'world', radius, amount, ...(op === 'paint' ? { layer } : {}) },
	}));
}
