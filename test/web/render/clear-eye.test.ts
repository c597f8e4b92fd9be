/**
 * Room round the eye of a camera that no call has placed.
 * Owns: the cases of clear-eye.ts.
 */

import { expect, test } from 'vitest';
import type { FrameBlocks, FrameCamera } from '../../../web/frames/frames.ts';
import { clearDistance } from '../../../web/render/clear-eye.ts';

/** Frame blocks with boxes of these middles and sizes. */
function boxes(...list: readonly (readonly [middle: readonly number[], size: readonly number[]])[]) {
	const poses = Float32Array.from(list.flatMap(([middle, size]) => [...middle, 0, 0, 0, 1, ...size]));
	const rows = { ids: Uint32Array.from(list.keys()), meshes: ['cube'], mesh: new Uint32Array(list.length) };
	return { poses, rows, models: {} } as unknown as FrameBlocks;
}

test('the eye steps back from a wall that it would stand against, and stays where there is room', () => {
	const camera: Pick<FrameCamera, 'eye' | 'target'> = { eye: [8, 6, 8], target: [0, 1, 0] };
	const ground = [
		[0, -0.25, 0],
		[40, 0.5, 40],
	] as const;
	const house = [
		[7, 4, 7],
		[5, 8, 5],
	] as const;
	const far = [
		[-6, 4, 0],
		[5, 8, 5],
	] as const;
	expect(clearDistance(camera, boxes(ground, far))).toBe(1);
	const factor = clearDistance(camera, boxes(ground, house));
	expect(8 * factor).toBeGreaterThan(9.5 + 1);
	expect(8 * factor).toBeLessThan(14);
});
