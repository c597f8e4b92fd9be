/** The light that a sky and a sun give. */

import { expect, test } from 'vitest';
import { DEFAULT_SKY } from '../../../shared/documents/sky.ts';
import { ambience, type Daylight, daylight, radiance } from '../../../web/render/scene/daylight.ts';

const at = (time_of_day: number | null, more: object = {}) =>
	daylight({ ...DEFAULT_SKY, time_of_day, ...more }, null);
const bright = (light: readonly number[]) => light.reduce((sum, part) => sum + part, 0);
const sun = {
	kind: 'sun',
	position: [0, 0, 0],
	direction: [0, -3, 0],
	color: [1, 0, 0],
	intensity: 2,
	range: 0,
	angle: 60,
	shadows: false,
	id: 1,
} as const;

test('without an hour the light is that of the table, without a sky', () => {
	expect(at(null)).toMatchObject({ sun: [2.25, 1.86, 1.36], fromAbove: [0.62, 0.67, 0.78], sky: null });
});

test('the light never comes from below, is warm when low, and is never zero', () => {
	for (let hour = 0; hour <= 24; hour += 0.25) {
		const day = at(hour);
		expect(day.direction[1], `at ${hour}`).toBeGreaterThan(-0.07);
		expect(bright(day.fromAbove), `at ${hour}`).toBeGreaterThan(0.05);
		expect(Math.hypot(...day.direction)).toBeCloseTo(1);
	}
	const [low, high] = [at(17.5).sun, at(12).sun];
	expect(low[0] / low[2]).toBeGreaterThan((1.5 * high[0]) / high[2]);
	expect(bright(at(0).sun)).toBeLessThan(bright(high) / 5);
});

test('set colours apply, and so do the two intensities', () => {
	const day = at(12, { zenith_color: [1, 0, 0], horizon_color: [0, 1, 0], ground_color: [0, 0, 1] });
	expect(day.sky).toMatchObject({ zenith: [1, 0, 0], horizon: [0, 1, 0], ground: [0, 0, 1] });
	const twice = at(12, { sun_intensity: 2, ambient_intensity: 0 });
	expect(twice.sun[0]).toBeCloseTo(at(12).sun[0] * 2);
	expect(twice.fromAbove).toEqual([0, 0, 0]);
});

test('a sun entity replaces the default sun', () => {
	const day = daylight(DEFAULT_SKY, sun);
	expect(day).toMatchObject({ sun: [2, 0, 0], shadows: false });
	expect(day.direction[1]).toBeCloseTo(1);
});

/** Light that a white surface of this direction sends back, as three.js works it out. */
function onSurface(day: Daylight, [x, y, z]: readonly [number, number, number]): number[] {
	const c = ambience(day);
	return [0, 1, 2].map((axis) => {
		const of = (band: number): number => c[band]![axis]!;
		const linear = 2 * 0.511664 * (of(1) * y + of(2) * z + of(3) * x);
		const crossed = 2 * 0.429043 * (of(4) * x * y + of(5) * y * z + of(7) * x * z);
		const squared = of(6) * (0.743125 * z * z - 0.247708) + 0.429043 * of(8) * (x * x - y * y);
		return (0.886227 * of(0) + linear + crossed + squared) / Math.PI;
	});
}

test('ambient light is the sky: exact from above and below, warmer from the side of a low sun', () => {
	for (const day of [at(null), at(12), at(17.9), at(0), at(12, { ambient_intensity: 0 })]) {
		for (const [axis, part] of onSurface(day, [0, 1, 0]).entries())
			expect(part).toBeCloseTo(day.fromAbove[axis]!);
		for (const [axis, part] of onSurface(day, [0, -1, 0]).entries())
			expect(part).toBeCloseTo(day.fromBelow[axis]!);
	}
	const dusk = at(17.8);
	const [west, east] = [onSurface(dusk, [-1, 0, 0]), onSurface(dusk, [1, 0, 0])];
	expect(west[0]! / west[2]!).toBeGreaterThan((1.3 * east[0]!) / east[2]!);
	for (const side of [west, east]) expect(Math.min(...side)).toBeGreaterThan(0);
	expect(ambience(dusk)).toEqual(ambience(at(17.8)));
});

test.each([7, 12, 17.9, 18.4, 0])('the sky meets the ground without a band at hour %s', (hour) => {
	const { sky: seen } = at(hour);
	for (const side of [-1, 1]) {
		const levels: number[] = [];
		for (let up = -0.3; up <= 0.3; up += 0.002)
			levels.push(bright(radiance({ ...seen!, glow: [0, 0, 0] }, [side * Math.sqrt(1 - up * up), up, 0])));
		const turns = levels.slice(2).filter((level, i) => {
			const [before, between] = [levels[i]!, levels[i + 1]!];
			return (level - between) * (between - before) < 0;
		});
		expect(turns.length).toBeLessThanOrEqual(1);
		const steps = levels.slice(1).map((level, i) => Math.abs(level - levels[i]!));
		expect(Math.max(...steps)).toBeLessThan(0.03 * Math.max(...levels));
	}
});

test('stars and the moon belong to the night, the disc of the sun to the day', () => {
	for (const hour of [6.5, 9, 12, 17.5]) expect(at(hour).sky, `at ${hour}`).toMatchObject({ stars: 0 });
	expect(at(0, { stars: 3 }).sky!.stars).toBeCloseTo(3);
	expect(bright(at(12).sky!.sunDisc)).toBeGreaterThan(10);
	expect(bright(at(0).sky!.sunDisc)).toBe(0);
	expect(bright(at(0, { moon_phase: 0 }).sun)).toBeCloseTo(0);
	expect(bright(at(0, { moon_phase: 0.5 }).sun)).toBeGreaterThan(bright(at(0, { moon_phase: 0.25 }).sun));
	expect(bright(at(12, { clouds: 1 }).sun)).toBeLessThan(0.5 * bright(at(12).sun));
});
