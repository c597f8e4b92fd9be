/**
 * Position and size of the selection, for a camera that focuses on it.
 * Owns: the size of terrains, which need not fit into the picture.
 */

import type { FrameBlocks } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { SelectedEntity } from './messages.ts';
import type { Vec3 } from './orbit.ts';
import { rowOf } from './selection.ts';
import type { Stage } from './stage.ts';

/** Half the size of an entity that is not drawn, such as a light (m). */
const UNSEEN = 0.5;

interface Ball {
	readonly middle: Vec3;
	/** Its radius (m). */
	readonly size: number;
}

type Solids = Pick<Stage, 'solids'> | null;

/** Returns the bounding ball of the selected entities; null if none has a position. */
export function focusPlace(
	selected: readonly SelectedEntity[],
	stage: Solids,
	blocks: FrameBlocks | null,
): Ball | null {
	const balls = selected.flatMap(({ id, carries, pose }): readonly Ball[] => {
		const drawn = [id, ...carries].flatMap((one) => ballOf(one, stage, blocks) ?? []);
		if (drawn.length > 0) return drawn;
		const [x, y, z] = pose ?? [];
		return x === undefined ? [] : [{ middle: [x, y!, z!], size: UNSEEN }];
	});
	if (balls.length === 0) return null;
	const between = (axis: 0 | 1 | 2): number => {
		const ends = balls.flatMap(({ middle, size }) => [middle[axis] - size, middle[axis] + size]);
		return (Math.min(...ends) + Math.max(...ends)) / 2;
	};
	const middle: Vec3 = [between(0), between(1), between(2)];
	const reaches = balls.map(
		(ball) => Math.hypot(...ball.middle.map((part, axis) => part - middle[axis]!)) + ball.size,
	);
	return { middle, size: Math.max(...reaches) };
}

/** Returns the bounding ball of an entity; null if it is not drawn. */
function ballOf(id: number, stage: Solids, blocks: FrameBlocks | null): Ball | null {
	const solid = stage?.solids().find((one) => one.id === id);
	if (solid !== undefined) {
		const { least, most } = solid;
		const middle = (axis: 0 | 1 | 2): number => (least[axis] + most[axis]) / 2;
		// A terrain is flat, so half of its radius is enough to fill the picture.
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
