/**
 * Boxes of the drawn entities near an object that a person places.
 * Owns: the distinction between obstacles and surroundings. Objects may be inside the boxes of surroundings.
 */

import { Box3, Vector3 } from 'three/webgpu';
import type { FrameBlocks } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { halfExtents } from '../extent.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import { rowOf } from '../selection.ts';
import type { Pose } from './pose.ts';

/** An entity wider than this counts as surroundings (m). */
const MAX_OBSTACLE_WIDTH = 12;

/**
 * Returns the axis-aligned box of an entity, relative to its position; an empty box at the origin if it is
 * not drawn.
 */
export function relativeBox(blocks: FrameBlocks, poses: Float32Array, id: number, { place }: Pose): Box3 {
	const row = rowOf(id, blocks.rows);
	if (row < 0) return new Box3(new Vector3(), new Vector3());
	return worldBox(boxesOf({ ...blocks, poses }), row).translate(place.clone().negate());
}

export function worldBox(boxes: Float32Array, row: number): Box3 {
	const half = new Vector3(...halfExtents(boxes, row * POSE_STRIDE));
	const centre = new Vector3().fromArray(boxes, row * POSE_STRIDE);
	return new Box3(centre.clone().sub(half), centre.add(half));
}

/** Returns true for the box of surroundings. */
export const isWide = ({ min, max }: Box3): boolean =>
	Math.max(max.x - min.x, max.z - min.z) > MAX_OBSTACLE_WIDTH;

/**
 * Returns the boxes that an object must not overlap. `skip`: rows of the object itself. `supports`: rows of
 * the entities on which it stands.
 */
export function obstacleBoxes(
	blocks: FrameBlocks,
	skip: ReadonlySet<number>,
	supports: ReadonlySet<number>,
): readonly Box3[] {
	const boxes = boxesOf(blocks);
	const obstacles: Box3[] = [];
	for (let row = 0; row < blocks.rows.ids.length; row++) {
		if (skip.has(row) || supports.has(row)) continue;
		const box = worldBox(boxes, row);
		if (!isWide(box)) obstacles.push(box);
	}
	return obstacles;
}
