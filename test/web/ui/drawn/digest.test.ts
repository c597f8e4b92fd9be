/**
 * The signature's rays and the grouping of a digest.
 * Owns: the cases of digest.ts.
 */

import { describe, expect, it } from 'vitest';
import { groupDigest, signatureRays } from '../../../../web/ui/drawn/digest.ts';

const DIGEST = '7ad1103c937f47c6';

describe('signatureRays', () => {
	it('draws a ray for each digit, clockwise from the top', () => {
		const rays = signatureRays(DIGEST);
		expect(rays.map(({ digit }) => digit.toString(16)).join('')).toBe(DIGEST);
		const [top, , , , right, , , , bottom, , , , left] = rays;
		expect(top!.x2).toBeCloseTo(0);
		expect(top!.y2).toBeLessThan(0);
		expect(right!.x2).toBeGreaterThan(0);
		expect(right!.y2).toBeCloseTo(0);
		expect(bottom!.y2).toBeGreaterThan(0);
		expect(left!.x2).toBeLessThan(0);
	});

	it('draws longer rays for larger digits, up to the edge of the box', () => {
		const lengths = signatureRays('0123456789abcdef').map(({ x2, y2 }) => Math.hypot(x2, y2));
		for (let i = 1; i < 16; i++) expect(lengths[i]).toBeGreaterThan(lengths[i - 1]!);
		expect(lengths[15]).toBeCloseTo(1);
	});

	it('draws nothing for other characters', () => {
		expect(signatureRays('')).toEqual([]);
		expect(signatureRays('7ad1')).toEqual([]);
		expect(signatureRays('7ad1103c937f47cz')).toEqual([]);
	});
});

it('groups a digest by four', () => {
	expect(groupDigest(DIGEST)).toBe('7ad1 103c 937f 47c6');
	expect(groupDigest('')).toBe('');
});
