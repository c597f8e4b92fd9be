/** Particles in pictures. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true, seed: 5 });
	await lab.must('POST', '/camera', { eye: [0, 2, 8], target: [0, 1.5, 0] });
	await lab.must('POST', '/spawn', {
		mesh: 'cube',
		color: 'gray',
		position: [0, -0.25, 0],
		scale: [20, 0.5, 20],
	});
});

const bright = ([red, green, blue]: Rgb) => red + green + blue;
const middle = [0.4, 0.25, 0.6, 0.8] as const;
const edge = [0, 0.25, 0.15, 0.8] as const;

/** Returns the number of different pixels. */
function differentPixels(a: Picture, b: Picture): number {
	let count = 0;
	for (let y = 0; y < a.height; y++)
		for (let x = 0; x < a.width; x++)
			if (a.at(x, y).some((part, i) => Math.abs(part - b.at(x, y)[i]!) > 6)) count++;
	return count;
}

test('each preset is visible and moves, and a tick always has the same picture, also on forks', async () => {
	const empty = await lab.picture('particles-none', 320, 180);
	for (const preset of ['fire', 'smoke', 'sparks', 'magic', 'rain', 'snow']) {
		const high = preset === 'rain' || preset === 'snow';
		const { entity_id } = await lab.must('POST', '/particle/create', {
			preset,
			position: [0, high ? 8 : 0.2, 0],
		});
		await lab.must('POST', '/step', { ticks: 240 });
		const picture = await lab.picture(`particles-${preset}`, 320, 180);
		expect(differentPixels(picture, empty), preset).toBeGreaterThan(40);
		expect((await lab.picture(`particles-${preset}-same`, 320, 180)).bytes).toEqual(picture.bytes);
		await lab.must('POST', '/fork', { fork_id: preset });
		await lab.must('POST', '/step', { ticks: 9 });
		const later = await lab.picture(`particles-${preset}-later`, 320, 180);
		expect(differentPixels(later, picture), preset).toBeGreaterThan(30);
		const fork = await lab.picture(`particles-${preset}-fork`, 320, 180, `&world=${preset}`);
		expect(fork.bytes).toEqual(picture.bytes);
		await lab.must('POST', '/despawn', { entity_id });
		expect(differentPixels(await lab.picture(`particles-${preset}-gone`, 320, 180), empty)).toBe(0);
	}
});

test('a particle flies at its speed, changes colour over its lifetime, and ends', async () => {
	const straight = {
		rate: 0.0001,
		lifetime: 2,
		lifetime_spread: 0,
		speed: [2, 2],
		spread: 0,
		gravity: [0, 0, 0],
	};
	const look = {
		sizes: [1, 1],
		colors: [
			[1, 0, 0, 1],
			[0, 0, 1, 1],
		],
	};
	const { entity_id } = await lab.must('POST', '/particle/create', {
		...straight,
		...look,
		position: [-3, 1, 0],
		direction: [1, 0, 0],
		start: false,
	});
	await lab.must('POST', '/particle/emit', { entity_id, count: 1 });
	await lab.must('POST', '/step', { ticks: 6 });
	const [left, right] = [
		[0.2, 0.5, 0.36, 0.68],
		[0.5, 0.5, 0.62, 0.68],
	] as const;
	const young = await lab.picture('particle-young', 320, 180);
	expect(young.mean(...left)[0]).toBeGreaterThan(young.mean(...left)[2] + 10);
	await lab.must('POST', '/step', { ticks: 100 });
	const old = await lab.picture('particle-old', 320, 180);
	expect(old.mean(...right)[2]).toBeGreaterThan(old.mean(...right)[0] + 10);
	expect(old.mean(...left)[0]).toBeLessThan(young.mean(...left)[0]);
	await lab.must('POST', '/step', { ticks: 20 });
	expect((await lab.call('GET', '/particle/list')).emitters[0].particle_count).toBe(0);
});

test('smoke is dark at night, fire is bright, and particles are not in the segmentation', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 0 });
	const night = await lab.picture('particles-night', 320, 180);
	const { entity_id } = await lab.must('POST', '/particle/create', {
		preset: 'smoke',
		rate: 120,
		position: [0, 0, 0],
	});
	await lab.must('POST', '/step', { ticks: 200 });
	const smoke = await lab.picture('particles-night-smoke', 320, 180);
	expect(bright(smoke.mean(...middle))).toBeLessThan(bright(night.mean(...middle)) + 60);
	await lab.must('POST', '/despawn', { entity_id });
	await lab.must('POST', '/particle/create', { preset: 'fire', position: [0, 0.5, 0] });
	await lab.must('POST', '/step', { ticks: 60 });
	const fire = await lab.picture('particles-night-fire', 320, 180);
	const flames = [0.46, 0.42, 0.54, 0.6] as const;
	const [red, , blue] = fire.mean(...flames);
	expect(red).toBeGreaterThan(blue * 1.5);
	expect(bright(fire.mean(...flames))).toBeGreaterThan(bright(night.mean(...flames)) + 100);
	expect(Math.abs(bright(fire.mean(...edge)) - bright(night.mean(...edge)))).toBeLessThan(3);
	const ids = await lab.picture('particles-ids', 64, 36, '&channel=segmentation');
	expect(ids.at(32, 20)).toEqual(ids.at(2, 34));
	expect(await lab.must('GET', '/engine/gpu')).toMatchObject({ quality: { particles: 20_000 } });
});
