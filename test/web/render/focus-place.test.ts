/**
 * Place that the camera turns to when a person looks at the selection.
 * Owns: the cases of focus-place.ts without a frame: what is drawn as ground, and what is not drawn.
 */

import { expect, test } from 'vitest';
import { focusPlace } from '../../../web/render/focus-place.ts';

const at = (id: number, x: number, carries: readonly number[] = []) => ({
	id,
	generation: 0,
	pose: [x, 1, 0, 0, 0, 0, 1, 1, 1, 1],
	descendants: carries,
	isCarried: false,
});
const ground = { id: 9, least: [10, 0, -4], most: [18, 0, 4] } as const;
const stage = { solids: () => [ground] } as never;

test('a light that is not drawn is looked at, and all of several', () => {
	expect(focusPlace([], null, null)).toBeNull();
	expect(focusPlace([{ ...at(1, 0), pose: null }], null, null)).toBeNull();
	expect(focusPlace([at(1, 3)], null, null)).toEqual({ middle: [3, 1, 0], size: 0.5 });
	const { middle, size } = focusPlace([at(1, -2), at(2, 4), at(3, 0)], null, null)!;
	expect([middle, size]).toEqual([[1, 1, 0], 3.5]);
});

test('a group is looked at where its children are drawn', () => {
	const { middle, size } = focusPlace([at(1, 0, [9])], stage, null)!;
	expect([middle[0], middle[2]]).toEqual([14, 0]);
	expect(size).toBeGreaterThan(2);
});
