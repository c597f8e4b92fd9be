/** The light that a sky and a sun give. */

import { expect, test } from 'vitest';
import { USUAL_SKY } from '../../../shared/documents/sky.ts';
import { daylight } from '../../../web/render/scene/daylight.ts';

const at = (time_of_day: number | null, more: object = {}) =>
	daylight({ ...USUAL_SKY, time_of_day, ...more }, null);
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
} as const;

test('without an hour there is the light of the table and no sky', () => {
	expect(at(null)).toMatchObject({ sun: [2.25, 1.86, 1.36], above: [0.62, 0.67, 0.78], seen: null });
});

test('the light never comes from below, is warm when low, and never goes out', () => {
	for (let hour = 0; hour <= 24; hour += 0.25) {
		const day = at(hour);
		expect(day.towards[1], `at ${hour}`).toBeGreaterThan(-0.07);
		expect(bright(day.above), `at ${hour}`).toBeGreaterThan(0.05);
		expect(Math.hypot(...day.towards)).toBeCloseTo(1);
	}
	const [low, high] = [at(17.5).sun, at(12).sun];
	expect(low[0] / low[2]).toBeGreaterThan((1.5 * high[0]) / high[2]);
	expect(bright(at(0).sun)).toBeLessThan(bright(high) / 5);
});

test('colours that are set count, and so do the two intensities', () => {
	const day = at(12, { zenith_color: [1, 0, 0], horizon_color: [0, 1, 0], ground_color: [0, 0, 1] });
	expect(day.seen).toMatchObject({ zenith: [1, 0, 0], horizon: [0, 1, 0], ground: [0, 0, 1] });
	const twice = at(12, { sun_intensity: 2, ambient_intensity: 0 });
	expect(twice.sun[0]).toBeCloseTo(at(12).sun[0] * 2);
	expect(twice.above).toEqual([0, 0, 0]);
});

test('a sun that is an entity takes the place of the other', () => {
	const day = daylight(USUAL_SKY, sun);
	expect(day).toMatchObject({ sun: [2, 0, 0], shadows: false });
	expect(day.towards[1]).toBeCloseTo(1);
});
