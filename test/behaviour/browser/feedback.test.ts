/** Visual feedback of play: it is visible, it ends, and a tick always has the same picture, also on a fork. */

import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab, type Picture } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

const WIDTH = 320;
const HEIGHT = 180;
const capture = (name: string, query = '') => lab.picture(`feedback-${name}`, WIDTH, HEIGHT, query);
const step = (ticks: number, world = 'main') => lab.must('POST', `/step?world=${world}`, { ticks });

/** Returns the number of different pixels of two pictures, and how many of them are brighter in the first. */
function difference(a: Picture, b: Picture) {
	let count = 0;
	let brighter = 0;
	for (let y = 0; y < HEIGHT; y++)
		for (let x = 0; x < WIDTH; x++) {
			const [p, q] = [a.at(x, y), b.at(x, y)];
			if (p.every((part, i) => Math.abs(part - q[i]!) <= 2)) continue;
			count++;
			if (p[0] + p[1] + p[2] > q[0] + q[1] + q[2]) brighter++;
		}
	return { count, brighter };
}

test('a blow flashes and throws sparks and a number, a shake moves the picture, and both end', async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 2, 7], target: [0, 1, 0] });
	const cube = { mesh: 'cube', color: 'blue', position: [0, 0.75, 0], scale: [1.5, 1.5, 1.5], role: 'hero' };
	const { id } = await lab.must('POST', '/spawn', { ...cube, health: 1000 });
	await lab.must('POST', '/entity/damage', { entity_id: id, amount: 1 });
	await step(1);
	const silent = await capture('silent');
	const hit = async (settings: object, ticks = 2) => {
		await lab.must('POST', '/feedback/settings', settings);
		await lab.must('POST', '/entity/damage', { entity_id: id, amount: 1 });
		await step(ticks);
	};
	const none = { flashes: false, numbers: false, bursts: false, trails: false };
	await hit(none);
	expect(difference(await capture('none'), silent).count).toBeLessThan(20);

	// The face of the cube is a seventh of the picture.
	await hit({ ...none, flashes: true });
	const flash = difference(await capture('flash'), silent);
	expect(flash.count).toBeGreaterThan(2500);
	expect(flash.brighter).toBeGreaterThan(0.95 * flash.count);
	await step(60);
	expect(difference(await capture('over'), silent).count).toBeLessThan(20);

	await hit({ ...none, numbers: true });
	const number = difference(await capture('number'), silent);
	expect(number.count).toBeGreaterThan(15);
	expect(number.count).toBeLessThan(600);
	await step(60);

	await hit({ ...none, bursts: true }, 7);
	expect(difference(await capture('sparks'), silent).count).toBeGreaterThan(15);
	await step(60);

	await lab.must('POST', '/feedback/settings', { flashes: true, numbers: true, bursts: true });
	await lab.must('POST', '/fork', { fork_id: 'plan' });
	for (const world of ['main', 'plan']) {
		await lab.must('POST', `/entity/damage?world=${world}`, { entity_id: id, amount: 250 });
		await lab.must('POST', `/camera/shake?world=${world}`, { strength: 0.4, ticks: 30 });
		await step(5, world);
	}
	const all = await capture('all');
	expect(difference(all, silent).count).toBeGreaterThan(8000);
	expect((await capture('again')).bytes).toEqual(all.bytes);
	expect((await capture('fork', '&world=plan')).bytes).toEqual(all.bytes);
	// After the feedback has ended, the picture equals the one before it.
	await lab.must('POST', '/feedback/settings', { enabled: null });
	await step(30);
	const after = await capture('after');
	expect(difference(after, silent).count).toBeLessThan(0.02 * WIDTH * HEIGHT);
});
