/** Effects of the hour, lights and fog on a picture. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 3, 10], target: [0, 2, 0] });
	await lab.must('POST', '/spawn', {
		mesh: 'cube',
		color: 'white',
		position: [0, -0.25, 0],
		scale: [30, 0.5, 30],
	});
	await lab.must('POST', '/spawn', { mesh: 'cube', color: 'white', position: [0, 1, 0], scale: [2, 2, 2] });
});

const bright = ([red, green, blue]: Rgb) => red + green + blue;
const sky = [0.1, 0.02, 0.9, 0.12] as const;
const floor = [0.1, 0.85, 0.9, 0.98] as const;

test('noon is bright and blue above, dusk is warm, midnight dark; null brings the table back', async () => {
	const table = await lab.picture('sky-table');
	await lab.must('POST', '/sky/settings', { time_of_day: 12 });
	const noon = await lab.picture('sky-noon');
	const [red, , blue] = noon.mean(...sky);
	expect(blue).toBeGreaterThan(red * 1.2);
	await lab.must('POST', '/sky/settings', { time_of_day: 18 });
	const dusk = await lab.picture('sky-dusk');
	const low = dusk.mean(0.1, 0.3, 0.3, 0.36);
	expect(low[0]).toBeGreaterThan(low[2] * 1.2);
	await lab.must('POST', '/sky/settings', { time_of_day: 0 });
	const night = await lab.picture('sky-night');
	expect(bright(night.mean(...floor))).toBeLessThan(bright(noon.mean(...floor)) / 3);
	await lab.must('POST', '/sky/settings', { time_of_day: null });
	expect((await lab.picture('sky-table-again')).bytes).toEqual(table.bytes);
});

test('a lamp lights what is near it, a spot what it points at, and both go with their entity', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 0 });
	const dark = await lab.picture('lights-none');
	const light = { kind: 'point', color: [1, 0.6, 0.2], intensity: 12, range: 12 };
	const { id } = await lab.must('POST', '/spawn', { position: [-4, 2, 2], light });
	const lamp = await lab.picture('lights-lamp');
	const left = lamp.mean(0.05, 0.6, 0.3, 0.85);
	expect(bright(left)).toBeGreaterThan(1.4 * bright(dark.mean(0.05, 0.6, 0.3, 0.85)));
	expect(left[0]).toBeGreaterThan(1.4 * left[2]);
	await lab.must('POST', `/entities/${id}/components`, {
		position: [3, 6, 2],
		light: { kind: 'spot', color: [0.3, 0.5, 1], intensity: 80, angle: 30 },
	});
	const spot = await lab.picture('lights-spot');
	const right = spot.mean(0.7, 0.8, 0.8, 0.88);
	expect(right[2]).toBeGreaterThan(1.3 * right[0]);
	expect(bright(right)).toBeGreaterThan(2 * bright(spot.mean(0.05, 0.6, 0.3, 0.85)));
	await lab.must('POST', '/despawn', { entity_id: id });
	const again = (await lab.picture('lights-gone')).mean(...floor);
	expect(bright(again)).toBeCloseTo(bright(dark.mean(...floor)), 0);
});

test('a sun that is an entity takes the place of the other, shadow and all', async () => {
	const left = [0.3, 0.69, 0.37, 0.72] as const;
	const right = [0.63, 0.69, 0.7, 0.72] as const;
	const sun = { kind: 'sun', direction: [1, -0.7, 0], intensity: 1 };
	const { id } = await lab.must('POST', '/spawn', { light: sun });
	const eastward = await lab.picture('sun-right');
	expect(bright(eastward.mean(...right))).toBeLessThan(0.9 * bright(eastward.mean(...left)));
	await lab.must('POST', `/entities/${id}/components`, { light: { ...sun, direction: [-1, -0.7, 0] } });
	const westward = await lab.picture('sun-left');
	expect(bright(westward.mean(...left))).toBeLessThan(0.9 * bright(westward.mean(...right)));
	await lab.must('POST', `/entities/${id}/components`, { light: { ...sun, shadows: false } });
	const none = await lab.picture('sun-no-shadow');
	expect(bright(none.mean(...right))).toBeGreaterThan(0.9 * bright(none.mean(...left)));
});

test('each of the eight numbers of the fog changes the picture, and without fog it is as before', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 9 });
	const clear = await lab.picture('fog-clear');
	await lab.must('POST', '/fog/settings', { density: 0.15 });
	const fog = await lab.picture('fog-thick');
	const distance = (a: Rgb, b: Rgb) => a.reduce((sum, part, i) => sum + Math.abs(part - b[i]!), 0);
	const horizon = [0.1, 0.36, 0.3, 0.42] as const;
	expect(distance(fog.mean(...horizon), clear.mean(...horizon))).toBeGreaterThan(12);
	for (const change of [
		{ density: 0.02 },
		{ scattering: 0.05 },
		{ absorption: 2 },
		{ height_falloff: 2 },
		{ max_distance: 3 },
		{ color: [1, 0.2, 0.2] },
		{ light_contribution: 12 },
		{ enabled: false },
	]) {
		const before = (await lab.must('GET', '/fog/settings')) as Record<string, unknown>;
		await lab.must('POST', '/fog/settings', change);
		const [name] = Object.keys(change) as [string];
		const other = await lab.picture(`fog-${name}`);
		expect(distance(other.mean(0, 0.1, 1, 1), fog.mean(0, 0.1, 1, 1)), name).toBeGreaterThan(3);
		if (name === 'enabled') expect(other.bytes).toEqual(clear.bytes);
		await lab.must('POST', '/fog/settings', { [name]: before[name] });
	}
	expect((await lab.picture('fog-again')).bytes).toEqual(fog.bytes);
});

test('the engine says what it chose for what draws', async () => {
	await lab.picture('sky-quality');
	expect(await lab.must('GET', '/engine/gpu')).toMatchObject({
		quality: {
			software: true,
			sun_shadow_pixels: 1024,
			local_lights: 8,
			shadow_lights: 1,
			grass_distance: 60,
		},
	});
});
