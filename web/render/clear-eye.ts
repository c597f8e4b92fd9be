/**
 * Room round the eye of a camera that no call has placed: without it, a house may stand before the lens.
 * Owns: how far the eye steps back.
 */

import { Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameCamera } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { isWide, worldBox } from './tools/surroundings.ts';

/** Room that the eye needs (m), its step back, as a factor, and the most steps. */
const ROOM = 2;
const STEP = 1.1;
const MAX_STEPS = 24;

/** Returns the factor of the eye's distance from its target at which no thing is close to the eye. */
export function clearDistance(
	{ eye, target }: Pick<FrameCamera, 'eye' | 'target'>,
	blocks: Pick<FrameBlocks, 'rows' | 'poses' | 'models'>,
): number {
	const boxes = boxesOf(blocks);
	const things = Array.from(blocks.rows.ids, (_, row) => worldBox(boxes, row)).filter((box) => !isWide(box));
	const from = new Vector3(...target);
	const offset = new Vector3(...eye).sub(from);
	const at = new Vector3();
	let factor = 1;
	for (let step = 0; step < MAX_STEPS; step++) {
		at.copy(offset).multiplyScalar(factor).add(from);
		if (!things.some((box) => box.distanceToPoint(at) < ROOM)) return factor;
		factor *= STEP;
	}
	return 1;
}
