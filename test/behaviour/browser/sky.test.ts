/** Hour, lights and fog in pictures. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

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

test('noon is bright with a blue sky, dusk is warm, midnight is dark; null restores the default sky', async () => {
	const table = await lab.picture('sky-table');
	await lab.must('POST', '/sky/settings', { time_of_day: 12, clouds: 0 });
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

/** Points the camera along a direction, from a height where it sees only the sky. */
const lookAlong = (direction: readonly number[], turned = 0) => {
	const [x = 0, y = 0, z = 0] = direction;
	const [c, s] = [Math.cos(turned), Math.sin(turned)];
	const target = [x * c - z * s, 100 + y, x * s + z * c];
	return lab.must('POST', '/camera', { eye: [0, 100, 0], target, fov: 50 });
};
const sum = (picture: Picture, x: number, y: number) => bright(picture.at(x, y));
const brightestPixel = (picture: Picture) => {
	let found: readonly [number, number] = [0, 0];
	for (let y = 0; y < picture.height; y++)
		for (let x = 0; x < picture.width; x++) if (sum(picture, x, y) > sum(picture, ...found)) found = [x, y];
	return found;
};

test('the sun is at the source of its light, clouds depend on the tick alone, stars appear at night, the horizon has no band', async () => {
	await lab.call('DELETE', '/fork/ahead');
	await lab.must('POST', '/reset', { fresh: true });
	const set = (body: object) => lab.must('POST', '/sky/settings', body);
	const { sun_direction: sun } = await set({ time_of_day: 9, clouds: 0, plate: false });
	for (const [turned, x] of [
		[0, 0.5],
		[0.25, 0.3],
	] as const) {
		await lookAlong(sun, turned);
		const found = brightestPixel(await lab.picture(`sun-disc-${turned}`, 96, 54));
		// The camera turns about the vertical axis, so the sun moves less than the angle, and also up or down.
		expect(found[0] / 96).toSatisfy((at: number) =>
			turned === 0 ? Math.abs(at - x) < 0.04 : at < 0.46 || at > 0.54,
		);
		if (turned === 0) expect(Math.abs(found[1] / 54 - 0.5)).toBeLessThan(0.06);
	}

	await lookAlong([0, 0, -1]);
	for (const hour of [12, 18.1]) {
		await set({ time_of_day: hour });
		const column = await lab.picture(`horizon-${hour}`, 32, 160);
		const levels = Array.from({ length: 160 }, (_, y) =>
			bright(column.mean(0.3, y / 160, 0.7, (y + 1) / 160)),
		);
		const peak = levels.indexOf(Math.max(...levels));
		for (const [y, level] of levels.slice(1).entries()) {
			const rises = level - levels[y]!;
			expect(y < peak ? rises : -rises, `row ${y} at hour ${hour}`).toBeGreaterThan(-3);
			expect(Math.abs(rises), `row ${y} at hour ${hour}`).toBeLessThan(24);
		}
	}

	await set({ time_of_day: 11, clouds: 0.5, cloud_seed: 3, wind_speed: 40 });
	await lookAlong([0.3, 0.5, -0.8]);
	await lab.must('POST', '/snapshot', { label: 'before' });
	const before = await lab.picture('clouds-before', 96, 54);
	await lab.must('POST', '/step', { ticks: 120 });
	const after = await lab.picture('clouds-after', 96, 54);
	expect(after.bytes).not.toEqual(before.bytes);
	await lab.must('POST', '/snapshot/before/restore');
	await lab.must('POST', '/fork', { fork_id: 'ahead' });
	await lab.must('POST', '/step?world=ahead', { ticks: 120 });
	expect((await lab.picture('clouds-fork', 96, 54, '&world=ahead')).bytes).toEqual(after.bytes);
	expect((await lab.picture('clouds-again', 96, 54)).bytes).toEqual(before.bytes);
	await set({ cloud_seed: 4 });
	expect((await lab.picture('clouds-seed', 96, 54)).bytes).not.toEqual(before.bytes);

	await set({ time_of_day: 1, clouds: 0, moon_phase: 0 });
	const night = await lab.picture('stars-night', 96, 54);
	await set({ stars: 0 });
	const plain = await lab.picture('stars-none', 96, 54);
	let stars = 0;
	for (let y = 0; y < 54; y++)
		for (let x = 0; x < 96; x++) if (sum(night, x, y) > sum(plain, x, y) + 100) stars++;
	expect(stars).toSatisfy((count: number) => count > 10 && count < 1000);
	await set({ time_of_day: 13 });
	const noon = await lab.picture('stars-noon-none', 96, 54);
	await set({ stars: 10 });
	expect((await lab.picture('stars-noon', 96, 54)).bytes).toEqual(noon.bytes);
});

test('a lamp lights near surfaces, a spot its target, and both end with their entity', async () => {
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

test('a sun entity replaces the default sun and its shadow', async () => {
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

test('each of the eight numbers of the fog changes the picture, and no fog restores it', async () => {
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

test('the engine reports its choice of backend', async () => {
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
