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

/** Radius of an entity that is not drawn, such as a light (m). */
const HIDDEN_SIZE = 0.5;

interface Ball {
	readonly middle: Vec3;
	/** Radius (m). */
	readonly size: number;
}

type Solids = Pick<Stage, 'solids'> | null;

/** Returns the bounding ball of the selected entities; null if none has a position. */
export function focusPlace(
	selected: readonly SelectedEntity[],
	stage: Solids,
	blocks: FrameBlocks | null,
): Ball | null {
	const balls = selected.flatMap(({ id, descendants, pose }): readonly Ball[] => {
		const drawn = [id, ...descendants].flatMap((drawnId) => ballOf(drawnId, stage, blocks) ?? []);
		if (drawn.length > 0) return drawn;
		const [x, y, z] = pose ?? [];
		return x === undefined ? [] : [{ middle: [x, y!, z!], size: HIDDEN_SIZE }];
	});
	if (balls.length === 0) return null;
	const midpoint = (axis: 0 | 1 | 2): number => {
		const ends = balls.flatMap(({ middle, size }) => [middle[axis] - size, middle[axis] + size]);
		return (Math.min(...ends) + Math.max(...ends)) / 2;
	};
	const middle: Vec3 = [midpoint(0), midpoint(1), midpoint(2)];
	const radii = balls.map(
		(ball) => Math.hypot(...ball.middle.map((part, axis) => part - middle[axis]!)) + ball.size,
	);
	return { middle, size: Math.max(...radii) };
}

/** Returns the bounding ball of an entity; null if it is not drawn. */
function ballOf(id: number, stage: Solids, blocks: FrameBlocks | null): Ball | null {
	const solid = stage?.solids().find((terrain) => terrain.id === id);
	if (solid !== undefined) {
		const { least, most } = solid;
		const midpoint = (axis: 0 | 1 | 2): number => (least[axis] + most[axis]) / 2;
		// A terrain is flat, so half of its radius is enough to fill the picture.
		const size = Math.hypot(...least.map((part, axis) => most[axis]! - part)) / 4;
		return { middle: [midpoint(0), midpoint(1), midpoint(2)], size };
	}
	const row = rowOf(id, blocks?.rows ?? null);
	if (row < 0 || blocks === null) return null;
	const offset = row * POSE_STRIDE;
	const poses = boxesOf(blocks);
	const size = Math.hypot(poses[offset + 7]!, poses[offset + 8]!, poses[offset + 9]!) / 2;
	return { middle: [poses[offset]!, poses[offset + 1]!, poses[offset + 2]!], size };
}
