/**
 * Size of health bars in pictures of every size, and their places in crowds.
 * Owns: rules of `health-bars.ts` that hold without drawing.
 */

import { expect, test } from 'vitest';
import { barScreen, clampX, shiftsUp } from '../../../web/render/sync/health-bars.ts';

test('bars keep their size in large pictures, and shrink to half at most in small ones', () => {
	expect(barScreen(1280, 720)).toEqual([1280, 720]);
	expect(barScreen(640, 400)).toEqual([640, 400]);
	expect(barScreen(480, 400)).toEqual([640, 400 / 0.75]);
	expect(barScreen(360, 200)).toEqual([720, 400]);
	expect(barScreen(36, 20)).toEqual([72, 40]);
});

test('a bar at the edge of a picture moves fully inside', () => {
	expect([-300, -290, 0, 299].map((x) => clampX(x, 72, 600))).toEqual([-264, -264, 0, 264]);
	expect(clampX(20, 72, 40)).toBe(0);
});

test('no bar of a crowd covers another: those behind move up, and those without room are left out', () => {
	const bars = Array.from({ length: 400 }, (_, i) => ({
		x: (i * 37) % 640,
		y: ((i * i * 13) % 90) - 45,
		width: i < 10 ? 72 : 44,
	}));
	const shifts = shiftsUp(bars);
	const shown = bars.flatMap((bar, i) => (shifts[i] === null ? [] : [{ ...bar, y: bar.y + shifts[i]! }]));
	for (const [i, item] of shown.entries())
		for (const other of shown.slice(0, i))
			if (Math.abs(item.x - other.x) < (item.width + other.width) / 2)
				expect(Math.abs(item.y - other.y)).toBeGreaterThan(10);
	expect(shifts[0]).toBe(0);
	expect(shown.length).toBeGreaterThan(60);
	expect(shown.length).toBeLessThan(bars.length);
	// A pile at one place.
	expect(shiftsUp(Array.from({ length: 9 }, () => ({ x: 0, y: 3, width: 44 })))).toEqual([
		0,
		12,
		24,
		36,
		48,
		60,
		null,
		null,
		null,
	]);
});
