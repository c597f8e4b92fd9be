/** Plants in pictures: their positions, draw distance, movement by wind, and the world that they belong to. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MODELS } from '../../../web/content/models/index.ts';
import { base64 } from '../../support/glb.ts';
import { type Lab, openLab, type Picture, type Rgb } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/terrain/create', { width: 65, height: 65, centered: true });
	await lab.must('POST', '/sky/settings', { time_of_day: 12, plate: false });
	await lab.must('POST', '/camera', { eye: [0, 10, 24], target: [0, 0, 0] });
});

const isRed = ([red, green, blue]: Rgb) => red > 1.5 * green && red > 1.5 * blue;
/** Returns the share of red pixels in the rows `from` to `to`. */
function redShare(picture: Picture, from: number, to: number): number {
	let red = 0;
	for (let y = from; y < to; y++) for (let x = 0; x < picture.width; x++) if (isRed(picture.at(x, y))) red++;
	return red / ((to - from) * picture.width);
}
const red = { mesh_name: 'tree', density: 0.5, color: 'red', min_scale: 1, max_scale: 1 };

test('a wood grows on a fork alone, follows the ground, and disappears with its layer', async () => {
	const bare = await lab.picture('foliage-none');
	await lab.must('POST', '/fork', { fork_id: 'plan' });
	const { id } = await lab.must('POST', '/foliage/scatter?world=plan', {
		...red,
		area_min: [-6, 0, -6],
		area_max: [6, 0, 6],
	});
	expect((await lab.picture('foliage-main')).bytes).toEqual(bare.bytes);
	const wood = await lab.picture('foliage-wood', 160, 90, '&world=plan');
	expect(redShare(wood, 30, 60)).toBeGreaterThan(0.1);
	// The plants sink with the ground, out of sight.
	const pit = { op: 'flatten', x: 0, z: 0, space: 'world', radius: 12, amount: 9, height: -30 };
	await lab.must('POST', '/terrain/edit?world=plan', pit);
	expect(redShare(await lab.picture('foliage-pit', 160, 90, '&world=plan'), 0, 90)).toBeLessThan(0.01);
	await lab.must('POST', '/terrain/edit?world=plan', { ...pit, height: 0 });
	expect(redShare(await lab.picture('foliage-up', 160, 90, '&world=plan'), 30, 60)).toBeGreaterThan(0.1);
	await lab.must('POST', '/foliage/remove?world=plan', { id });
	expect(redShare(await lab.picture('foliage-gone', 160, 90, '&world=plan'), 0, 90)).toBe(0);
});

test('plants beyond the draw distance are not drawn, and nearer ones are', async () => {
	const area = { area_min: [-20, 0, -30], area_max: [20, 0, 10] };
	await lab.must('POST', '/foliage/scatter', { ...red, ...area, max_distance: 1000 });
	const all = await lab.picture('foliage-far');
	await lab.must('POST', '/foliage/remove', { all: true });
	await lab.must('POST', '/foliage/scatter', { ...red, ...area, seed: 1, max_distance: 24 });
	const near = await lab.picture('foliage-near');
	expect(redShare(all, 15, 30)).toBeGreaterThan(0.2);
	expect(redShare(near, 15, 30)).toBeLessThan(redShare(all, 15, 30) / 3);
	expect(redShare(near, 45, 60)).toBeGreaterThan(0.2);
});

test('wind depends on the ticks of the world alone', async () => {
	const meadow = {
		mesh_name: 'grass',
		density: 6,
		min_scale: 3,
		max_scale: 4,
		area_min: [-8, 0, -8],
		area_max: [8, 0, 12],
	};
	await lab.must('POST', '/foliage/scatter', meadow);
	await lab.must('POST', '/foliage/scatter', { ...meadow, mesh_name: 'rock', density: 0.2 });
	const still = await lab.picture('foliage-still');
	expect((await lab.picture('foliage-still-again')).bytes).toEqual(still.bytes);
	await lab.must('POST', '/fork', { fork_id: 'later' });
	await lab.must('POST', '/step', { ticks: 30 });
	const blown = await lab.picture('foliage-blown');
	expect(blown.bytes).not.toEqual(still.bytes);
	await lab.must('POST', '/step?world=later', { ticks: 30 });
	expect((await lab.picture('foliage-blown-fork', 160, 90, '&world=later')).bytes).toEqual(blown.bytes);
	await lab.must('POST', '/foliage/remove', { all: true });
	await lab.must('POST', '/foliage/scatter', { ...meadow, wind: 0 });
	const calm = await lab.picture('foliage-calm');
	await lab.must('POST', '/step', { ticks: 30 });
	expect((await lab.picture('foliage-calm-later')).bytes).toEqual(calm.bytes);
});

test("models grow as their files define, take the layer's colour on their tint alone, and follow changes", async () => {
	const upload = (name: string) =>
		lab.must('POST', '/asset/upload?name=woods/one.glb', { data: base64(MODELS[name]!().glb()) });
	const area = { area_min: [-10, 0, -10], area_max: [10, 0, 10], min_scale: 3, max_scale: 3, density: 0.1 };
	const bare = await lab.picture('foliage-before');
	await upload('slime');
	const body = { mesh_name: 'woods/one.glb', ...area, seed: 4 };
	const { id } = await lab.must('POST', '/foliage/scatter', { ...body, color: 'red' });
	const slimes = await lab.picture('foliage-slimes');
	expect(redShare(slimes, 25, 65)).toBeGreaterThan(0.1);
	// The eyes are not tinted.
	const isWhite = ([red, green, blue]: Rgb) => Math.min(red, green, blue) > 150;
	const white = Array.from({ length: 160 * 90 }, (_, i) => isWhite(slimes.at(i % 160, Math.floor(i / 160))));
	const sky = Array.from({ length: 160 * 90 }, (_, i) => isWhite(bare.at(i % 160, Math.floor(i / 160))));
	expect(white.filter((isEye, i) => isEye && !sky[i]).length).toBeGreaterThan(10);
	// Plants have no id, so pixels of the ground that they cover have the value 0.
	const countWithoutId = (picture: Picture) =>
		Array.from({ length: 160 * 90 }, (_, i) => Math.max(...picture.at(i % 160, Math.floor(i / 160)))).filter(
			(brightest) => brightest === 0,
		).length;
	const hidden = countWithoutId(await lab.picture('foliage-ids', 160, 90, '&channel=segmentation'));
	await upload('haystack');
	const hay = await lab.picture('foliage-hay');
	expect(redShare(hay, 25, 65)).toBeGreaterThan(0.1);
	expect(hay.bytes).not.toEqual(slimes.bytes);
	await lab.must('POST', '/foliage/remove', { id });
	expect((await lab.picture('foliage-after')).bytes).toEqual(bare.bytes);
	expect(countWithoutId(await lab.picture('foliage-no-ids', 160, 90, '&channel=segmentation'))).toBeLessThan(
		hidden - 100,
	);
});
