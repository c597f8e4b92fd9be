/**
 * Place and size of an entity, for a camera that turns to it.
 * Owns: how much of the ground fills the picture.
 */

import type { FrameBlocks } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { Vec3 } from './orbit.ts';
import { rowOf } from './selection.ts';
import type { Stage } from './stage.ts';

/** Returns the middle of an entity and half its size (m); null if it is not drawn. */
export function focusPlace(
	id: number,
	stage: Pick<Stage, 'solids'> | null,
	blocks: FrameBlocks | null,
): { readonly middle: Vec3; readonly size: number } | null {
	const solid = stage?.solids().find((solid) => solid.id === id);
	if (solid !== undefined) {
		const { least, most } = solid;
		const middle = (axis: 0 | 1 | 2): number => (least[axis] + most[axis]) / 2;
		// Ground is lain down: half of what is round it fills the picture.
		const size = Math.hypot(...least.map((part, axis) => most[axis]! - part)) / 4;
		return { middle: [middle(0), middle(1), middle(2)], size };
	}
	const row = rowOf(id, blocks?.rows ?? null);
	if (row < 0 || blocks === null) return null;
	const at = row * POSE_STRIDE;
	const poses = boxesOf(blocks);
	const size = Math.hypot(poses[at + 7]!, poses[at + 8]!, poses[at + 9]!) / 2;
	return { middle: [poses[at]!, poses[at + 1]!, poses[at + 2]!], size };
}
