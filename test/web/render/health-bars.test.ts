/**
 * Size of health bars in pictures of every size, and their places in crowds.
 * Owns: rules of `health-bars.ts` that hold without drawing.
 */

import { expect, test } from 'vitest';
import { BarPlaces, insideOf } from '../../../web/render/sync/bar-places.ts';
import { barScreen } from '../../../web/render/sync/health-bars.ts';

interface Bar {
	readonly x: number;
	readonly y: number;
	readonly wide: number;
}

/** Returns the shift of each bar; the first ones of the list are the nearest. */
function shiftsOf(bars: readonly Bar[], places = new BarPlaces()): (number | null)[] {
	const shifts: (number | null)[] = [];
	places.begin(bars.length);
	for (const [away, { x, y, wide }] of bars.entries()) places.add(x, y, wide, away + 1);
	places.arrange((bar, up) => {
		shifts[bar] = up;
	});
	return shifts;
}

test('bars keep their size in large pictures, and shrink to half at most in small ones', () => {
	expect(barScreen(1280, 720)).toEqual([1280, 720]);
	expect(barScreen(640, 400)).toEqual([640, 400]);
	expect(barScreen(480, 400)).toEqual([640, 400 / 0.75]);
	expect(barScreen(360, 200)).toEqual([720, 400]);
	expect(barScreen(36, 20)).toEqual([72, 40]);
});

test('a bar at the edge of a picture moves fully inside', () => {
	expect([-300, -290, 0, 299].map((x) => insideOf(x, 72, 600))).toEqual([-264, -264, 0, 264]);
	expect(insideOf(20, 72, 40)).toBe(0);
});

test('no bar of a crowd covers another: those behind move up, and those without room are left out', () => {
	const bars = Array.from({ length: 400 }, (_, i) => ({
		x: (i * 37) % 640,
		y: ((i * i * 13) % 90) - 45,
		wide: i < 10 ? 72 : 44,
	}));
	const shifts = shiftsOf(bars);
	const shown = bars.flatMap((bar, i) => (shifts[i] === null ? [] : [{ ...bar, y: bar.y + shifts[i]! }]));
	for (const [i, item] of shown.entries())
		for (const other of shown.slice(0, i))
			if (Math.abs(item.x - other.x) < (item.wide + other.wide) / 2)
				expect(Math.abs(item.y - other.y)).toBeGreaterThan(10);
	expect(shifts[0]).toBe(0);
	expect(shown.length).toBeGreaterThan(60);
	expect(shown.length).toBeLessThan(bars.length);
	// A pile at one place.
	expect(shiftsOf(Array.from({ length: 9 }, () => ({ x: 0, y: 3, wide: 44 })))).toEqual([
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

test('the widest bars have their places first, then the nearest, also in the next picture', () => {
	const places = new BarPlaces();
	for (const count of [4, 40, 3]) {
		places.begin(count);
		for (let i = 0; i < count; i++) places.add(0, 1000 * (i % 2), i === 1 ? 80 : 44, 1 + ((i * 7) % count));
		const order: number[] = [];
		places.arrange((bar) => order.push(bar));
		const others = Array.from({ length: count }, (_, i) => i).filter((i) => i !== 1);
		const away = (bar: number): number => (bar * 7) % count;
		expect(order).toEqual([1, ...others.sort((a, b) => away(a) - away(b))]);
	}
});
