/**
 * Space for texts over the picture.
 * Owns: the cases of hud-place.ts.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hudPlace } from '../../../../web/ui/stage/hud-place.ts';
import { check } from '../../../support/property.ts';

it('a centred text has the largest space around its position within the picture', async () => {
	const align = 'center';
	expect(hudPlace(0.5, 0.5)).toEqual({ left: 0, width: 1, align, side: 'left' });
	expect(hudPlace(0.25, 0.5)).toEqual({ left: 0, width: 0.5, align, side: 'left' });
	expect(hudPlace(1, 0.5)).toEqual({ left: 1, width: 0, align, side: 'right' });
	await check(100, [fc.double({ min: -1, max: 2, noNaN: true })], (x) => {
		const { left, width, side } = hudPlace(x, 0.5);
		expect(left + width / 2).toBeCloseTo(Math.min(1, Math.max(0, x)), 12);
		expect(left).toBeGreaterThanOrEqual(0);
		expect(left + width).toBeLessThanOrEqual(1 + 1e-12);
		if (side === 'left') expect(left).toBe(0);
		else expect(left + width).toBeCloseTo(1, 12);
	});
});

it('a text that starts or ends at a position has all space on that side', () => {
	expect(hudPlace(0.2, 0)).toEqual({ left: 0.2, width: 0.8, align: 'start', side: 'left' });
	expect(hudPlace(0.2, 1)).toEqual({ left: 0, width: 0.2, align: 'end', side: 'left' });
	expect(hudPlace(7, 1)).toEqual({ left: 0, width: 1, align: 'end', side: 'left' });
});
