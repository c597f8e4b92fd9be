/** The cases of forms/colour. */

import { expect, it } from 'vitest';
import { hexOf, partsOf, readParts } from '../../../../web/ui/forms/colour.ts';

it('converts between hex colours and numbers, in linear light and in screen colours', () => {
	for (const hex of ['#000000', '#ffffff', '#3b82d6', '#010203', '#dcb872'])
		for (const linear of [true, false]) expect(hexOf(partsOf(hex, linear), linear)).toBe(hex);
	expect(partsOf('#808080', true)[0]).toBeCloseTo(0.2159, 3);
});

it('clips light above white', () => {
	expect(hexOf([4, 0.5, -1], true)).toBe('#ffbc00');
});

it('reads only texts with the right number of components', () => {
	expect(readParts('0.2, 0.4 1', 3)).toEqual([0.2, 0.4, 1]);
	for (const text of ['1, 2', '1, 2, 3, 4', '1, two, 3', '']) expect(readParts(text, 3)).toBeNull();
});
