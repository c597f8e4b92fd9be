/** Terrain in pictures: heights, painted layers, shadows, and the world that it belongs to. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { depthMetres, segmentationId } from '../../../web/render/channels.ts';
import { type Lab, openLab, type Rgb } from './lab.ts';

let lab: Lab;
let ground: number;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/spawn', { mesh: 'cube', position: [500, 0, 500] });
	ground = (await lab.must('POST', '/terrain/create', { width: 129, height: 129, centered: true })).entity_id;
	await lab.must('POST', '/sky/settings', { time_of_day: 12, plate: false });
	await lab.must('POST', '/camera', { eye: [0, 30, 40], target: [0, 0, 0] });
});

const bright = ([red, green, blue]: Rgb) => red + green + blue;
const middle = [0.45, 0.42, 0.55, 0.58] as const;
const edit = (body: object, world = '') =>
	lab.must('POST', `/terrain/edit${world}`, { x: 0, z: 0, space: 'world', ...body });

test('a stroke raises a hill on one fork alone, and the hill blocks the line of sight', async () => {
	const flat = await lab.picture('terrain-flat');
	await lab.must('POST', '/fork', { fork_id: 'plan' });
	await edit({ radius: 20, amount: 12 }, '?world=plan');
	expect((await lab.picture('terrain-main')).bytes).toEqual(flat.bytes);
	const hill = await lab.picture('terrain-fork', 160, 90, '&world=plan');
	expect(hill.bytes).not.toEqual(flat.bytes);
	// Seen from straight above, the depth is the height of the eye over the ground.
	await lab.must('POST', '/camera?world=plan', { eye: [0, 50, 0.001], target: [0, 0, 0] });
	const depth = await lab.picture('terrain-depth', 81, 81, '&world=plan&channel=depth');
	expect(depthMetres(...(depth.at(40, 40) as [number, number, number]))).toBeCloseTo(38, 0);
	const { height } = await lab.call('GET', '/terrain/height?x=10&z=0&space=world&world=plan');
	// At a height h the picture is 2 (50 - h) tan(22.5 deg) wide.
	const column = 40 + Math.round((10 / (2 * (50 - height) * Math.tan(Math.PI / 8))) * 81);
	expect(depthMetres(...(depth.at(column, 40) as [number, number, number]))).toBeCloseTo(50 - height, 0);
});

test('each layer of paint shows its own colour', async () => {
	const grass = (await lab.picture('terrain-bare')).mean(...middle);
	expect(grass[1]).toBeGreaterThan(1.1 * grass[0]);
	const seen: Record<string, Rgb> = {};
	for (const layer of ['rock', 'sand', 'snow']) {
		await edit({ op: 'paint', layer, radius: 30, amount: 3 });
		seen[layer] = (await lab.picture(`terrain-${layer}`)).mean(...middle);
	}
	const { rock, sand, snow } = seen as Record<'rock' | 'sand' | 'snow', Rgb>;
	expect(sand[0]).toBeGreaterThan(1.15 * sand[2]);
	expect(Math.abs(rock[0] - rock[2])).toBeLessThan(0.15 * rock[0]);
	expect(bright(snow)).toBeGreaterThan(1.3 * bright(rock));
});

test('removing a terrain does not change the others', async () => {
	await edit({ op: 'noise', all: true, amount: 6, scale: 20 });
	const alone = await lab.picture('terrain-alone');
	const { entity_id } = await lab.must('POST', '/terrain/create', {
		width: 129,
		height: 129,
		position: [90, 0, 90],
	});
	await lab.picture('terrain-two');
	await lab.must('POST', '/despawn', { entity_id });
	expect((await lab.picture('terrain-alone-again')).bytes).toEqual(alone.bytes);
});

test('terrain receives shadows', async () => {
	// The sheet is above the picture; at noon its shadow falls a little behind the middle.
	const under = [0.42, 0.38, 0.58, 0.44] as const;
	await lab.must('POST', '/camera', { eye: [0, 12, 30], target: [0, 0, 0] });
	const lit = (await lab.picture('terrain-lit')).mean(...under);
	await lab.must('POST', '/spawn', { mesh: 'cube', position: [0, 14, 0], scale: [16, 0.5, 16] });
	const shade = (await lab.picture('terrain-shade')).mean(...under);
	expect(bright(shade)).toBeLessThan(0.75 * bright(lit));
});

test('rough ground has no holes, near and far, and a click on it selects it', async () => {
	await edit({ op: 'noise', all: true, amount: 14, scale: 24, octaves: 5 });
	await lab.must('POST', '/camera', { eye: [-50, 22, 0], target: [0, -4, 0] });
	const picture = await lab.picture('terrain-holes', 320, 180, '&channel=segmentation');
	const found: (number | null)[][] = Array.from({ length: 180 }, (_, y) =>
		Array.from({ length: 320 }, (__, x) => segmentationId(...(picture.at(x, y) as [number, number, number]))),
	);
	for (let x = 0; x < 320; x++) {
		// Sky, then ground down to the lower edge, and no sky again.
		const first = found.findIndex((row) => row[x] === ground);
		if (first < 0) continue;
		expect(found.slice(first).every((row) => row[x] === ground)).toBe(true);
	}
	expect(found.flat().filter((id) => id === ground).length).toBeGreaterThan(320 * 60);
	expect(await lab.pick(0.5, 0.7)).toBe(ground);
});
