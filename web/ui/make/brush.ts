/**
 * The brush, and its strokes as calls.
 * Owns: the request of each stamp. Never: sends one.
 */

import type { Vector } from '../entities/entity.ts';
import type { Request } from './edits.ts';

/** Effect of the brush on the ground, or the plants that it sets. */
export interface Brush {
	/** An op of POST /terrain/edit, or `plants`. */
	readonly op: string;
	/** Metres. */
	readonly radius: number;
	/** Metres, or a share, as the op takes it; plants per square metre. */
	readonly amount: number;
	readonly layer: string;
	readonly plant: string;
}

/** Stamps that are at least this far from each other (m). */
function spacedStamps(stamps: readonly Vector[], distance: number): readonly Vector[] {
	const kept: Vector[] = [];
	for (const stamp of stamps)
		if (kept.every(([x, , z]) => Math.hypot(stamp[0] - x, stamp[2] - z) >= distance)) kept.push(stamp);
	return kept;
}

/**
 * Returns the calls of a stroke: edits of the terrain, or plants in a square round each stamp that is beside the
 * others.
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
				// Squares side by side have other plants.
				seed: index + Math.abs(Math.round(x * 31 + z * 17)),
			},
		}));
	return stamps.map(([x, , z]) => ({
		path: '/terrain/edit',
		body: { op, x, z, space: 'world', radius, amount, ...(op === 'paint' ? { layer } : {}) },
	}));
}
