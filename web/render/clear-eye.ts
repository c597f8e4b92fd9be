/**
 * Free space around the eye of a camera that no call has placed. Without it, a house could hide the scene.
 * Owns: the steps back of the eye.
 */

import { Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameCamera } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { isWide, worldBox } from './tools/surroundings.ts';

/** Minimum distance of the eye from a box (m). */
const MIN_DISTANCE = 2;
/** Factor of the eye's distance from its target per step back. */
const STEP_FACTOR = 1.1;
const MAX_STEPS = 24;

/**
 * Returns the factor of the eye's distance from its target at which no entity is close to the eye; 1 if none
 * is found.
 */
export function clearDistance(
	{ eye, target }: Pick<FrameCamera, 'eye' | 'target'>,
	blocks: Pick<FrameBlocks, 'rows' | 'poses' | 'models'>,
): number {
	const boxes = boxesOf(blocks);
	const obstacles = Array.from(blocks.rows.ids, (_, row) => worldBox(boxes, row)).filter(
		(box) => !isWide(box),
	);
	const origin = new Vector3(...target);
	const offset = new Vector3(...eye).sub(origin);
	const position = new Vector3();
	let factor = 1;
	for (let step = 0; step < MAX_STEPS; step++) {
		position.copy(offset).multiplyScalar(factor).add(origin);
		if (!obstacles.some((box) => box.distanceToPoint(position) < MIN_DISTANCE)) return factor;
		factor *= STEP_FACTOR;
	}
	return 1;
}
