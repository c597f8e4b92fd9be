/** Water in pictures: its look, its waves, which depend on the tick alone, foam at its shore, and clicks on it. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { segmentationId } from '../../../web/render/channels.ts';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

afterAll(() => lab?.close());

const bright = ([red, green, blue]: Rgb) => red + green + blue;
const middle = [0.4, 0.45, 0.6, 0.6] as const;

test('a pond shows above low ground, and a tick has one picture, also on a fork', async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/terrain/create', { width: 49, height: 49, centered: true });
	const pit = { x: 0, z: 0, space: 'world', op: 'lower', radius: 9, amount: 3 };
	await lab.must('POST', '/terrain/edit', pit);
	await lab.must('POST', '/sky/settings', { time_of_day: 12, plate: false });
	await lab.must('POST', '/camera', { eye: [0, 8, 16], target: [0, -1, 0] });
	const dry = await lab.picture('water-none');
	const { id } = await lab.must('POST', '/spawn', { position: [0, -0.6, 0], water: { wave_height: 0.08 } });
	const wet = await lab.picture('water');
	const [red, , blue] = wet.mean(...middle);
	expect(blue).toBeGreaterThan(1.2 * red);
	expect(Math.abs(bright(wet.mean(...middle)) - bright(dry.mean(...middle)))).toBeGreaterThan(20);
	// The ground above the water does not change, except for a little light of the effects.
	const before = dry.mean(0, 0.8, 1, 1);
	for (const [i, part] of wet.mean(0, 0.8, 1, 1).entries())
		expect(Math.abs(part - before[i]!)).toBeLessThan(2);
	expect((await lab.picture('water-again')).bytes).toEqual(wet.bytes);
	// The shore is brighter than the water and the ground beside it.
	const { found, shore } = await waterPixels(wet);
	expect(found).toBeGreaterThan(800);
	expect(shore).toBeGreaterThan(bright(wet.mean(...middle)) + 30);
	await lab.must('POST', '/fork', { fork_id: 'later' });
	await lab.must('POST', '/step', { ticks: 40 });
	const moved = await lab.picture('water-later');
	expect(moved.bytes).not.toEqual(wet.bytes);
	await lab.must('POST', '/step?world=later', { ticks: 40 });
	expect((await lab.picture('water-fork', 160, 90, '&world=later')).bytes).toEqual(moved.bytes);
	expect(await lab.pick(0.5, 0.5)).toBe(id);
	await lab.must('POST', '/despawn', { entity_id: id });
	expect((await lab.picture('water-gone')).bytes).toEqual(dry.bytes);
	// A decal lies on the ground of the pit.
	await lab.must('POST', '/spawn', {
		position: [0, 5, 0],
		decal: { size: [6, 6], soft: 0 },
		material: { albedo: [0.9, 0.05, 0.05, 1] },
	});
	const [marked, green] = (await lab.picture('decal')).mean(...middle);
	expect(marked).toBeGreaterThan(2 * green);

	/** Returns the number of pixels of the water, and the brightest of those next to ground. */
	async function waterPixels(picture: Picture): Promise<{ found: number; shore: number }> {
		const ids = await lab.picture('water-ids', 160, 90, '&channel=segmentation');
		const isWater = (x: number, y: number) =>
			segmentationId(...(ids.at(x, y) as [number, number, number])) === id;
		let [found, shore] = [0, 0];
		for (let y = 1; y < 89; y++)
			for (let x = 1; x < 159; x++) {
				if (!isWater(x, y)) continue;
				found++;
				const isShore = !isWater(x - 1, y) || !isWater(x + 1, y) || !isWater(x, y - 1) || !isWater(x, y + 1);
				if (isShore) shore = Math.max(shore, bright(picture.at(x, y)));
			}
		return { found, shore };
	}
});
