/** The cases of forms/colour. */

import { expect, it } from 'vitest';
import { hexOf, partsOf, readParts } from '../../../../web/ui/forms/colour.ts';

it('converts from the picker and back, in light and in shares of the screen', () => {
	for (const hex of ['#000000', '#ffffff', '#3b82d6', '#010203', '#dcb872'])
		for (const linear of [true, false]) expect(hexOf(partsOf(hex, linear), linear)).toBe(hex);
	expect(partsOf('#808080', true)[0]).toBeCloseTo(0.2159, 3);
});

it('shows light above white as white', () => {
	expect(hexOf([4, 0.5, -1], true)).toBe('#ffbc00');
});

it('reads the right number of components and no others', () => {
	expect(readParts('0.2, 0.4 1', 3)).toEqual([0.2, 0.4, 1]);
	for (const text of ['1, 2', '1, 2, 3, 4', '1, two, 3', '']) expect(readParts(text, 3)).toBeNull();
});
