/** Halos: the entities that have one, and its light. */

import { expect, test } from 'vitest';
import type { FrameBlocks } from '../../../web/frames/frames.ts';
import { halosOf } from '../../../web/render/sync/halos.ts';

type Given = Parameters<typeof halosOf>[0];

const light = (id: number, kind = 'point') => ({ id, kind }) as FrameBlocks['lights'][number];

/** Three rows with ids 2, 5 and 9, of which these emit light. */
function frameOf(emitted: readonly (readonly number[])[], lights: Given['lights']): Given {
	const values = new Float32Array(45);
	emitted.forEach((parts, row) => {
		values.set(parts, row * 15 + 7);
	});
	return {
		rows: { ids: new Uint32Array([2, 5, 9]) } as FrameBlocks['rows'],
		materials: { kinds: [], kind: new Uint16Array([1, 1, 0]), values },
		lights,
	};
}

test('a shape that emits light and is a point light has a halo of its colour', () => {
	const lamps = frameOf(
		[
			[3, 2, 1],
			[2, 2, 2],
		],
		[light(5), light(2)],
	);
	const found = halosOf(lamps);
	expect(found.map(({ row }) => row)).toEqual([1, 0]);
	const [red, green, blue] = found[1]!.light;
	expect([green / red, blue / red]).toEqual([expect.closeTo(2 / 3, 5), expect.closeTo(1 / 3, 5)]);
	// The strongest lamp does not cover the picture with white.
	expect(Math.max(...halosOf(frameOf([[1000, 500, 0]], [light(2)]))[0]!.light)).toBeLessThan(5);
});

test('none has a halo that is no point light, emits little, has no material, or is not drawn', () => {
	const emitted = [
		[3, 2, 1],
		[0.5, 0.4, 0.1],
		[9, 9, 9],
	];
	expect(halosOf(frameOf(emitted, [light(2, 'spot'), light(5), light(9), light(7)]))).toEqual([]);
	expect(halosOf(frameOf(emitted, []))).toEqual([]);
});
