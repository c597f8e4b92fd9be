/** Levels of detail in pictures: near models keep every pixel, far models hardly change, and a tick has one picture. */

import { beforeAll, expect, test } from 'vitest';
import { base64 } from '../../support/glb.ts';
import { readPublic } from '../../support/public-files.ts';
import { type Lab, openLab, type Picture } from './lab.ts';

const [WIDTH, HEIGHT] = [240, 136];
const SIDE = 12;

let lab: Lab;

/** Spawns a dense crowd of villagers, three times their normal size. */
beforeAll(async () => {
	lab = await openLab();
	const data = base64((await readPublic('models/villager.glb'))!);
	await lab.must('POST', '/asset/upload?name=models/folk.glb', { data });
	await lab.must('POST', '/sky/settings', { time_of_day: 15 });
	const requests = Array.from({ length: SIDE * SIDE }, (_, index) => {
		const [column, row] = [index % SIDE, Math.floor(index / SIDE)];
		const position = [(column - SIDE / 2) / 2, 0, (row - SIDE / 2) / 2];
		const [sin, cos] = [Math.sin(index), Math.cos(index)];
		const color = `${(index % 7) / 6},${(index % 5) / 4},0.4`;
		const body = { mesh: 'models/folk.glb', position, rotation: [0, sin, 0, cos], scale: [3, 3, 3], color };
		return { path: '/spawn', body };
	});
	await lab.must('POST', '/batch', { requests });
});

async function picture(name: string, distance: number, model_error: number): Promise<Picture> {
	await lab.must('POST', '/postprocess/settings', { enabled: false, model_error });
	await lab.must('POST', '/camera', {
		eye: [distance * 0.6, distance * 0.5, distance * 0.6],
		target: [0, 1.5, 0],
	});
	return lab.picture(name, WIDTH, HEIGHT);
}

const isSame = (one: Picture, other: Picture): boolean => Buffer.from(one.bytes).equals(other.bytes);

/** Returns the mean difference of the colours of two pictures, from 0 to 255. */
function difference(one: Picture, other: Picture): number {
	let sum = 0;
	for (let y = 0; y < HEIGHT; y++)
		for (let x = 0; x < WIDTH; x++) {
			const [a, b] = [one.at(x, y), other.at(x, y)];
			sum += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
		}
	return sum / (WIDTH * HEIGHT * 3);
}

test('near models equal those in full detail, to the pixel', async () => {
	const full = await picture('detail-near-full', 6, 0);
	const near = await picture('detail-near', 6, 1);
	expect(isSame(near, full)).toBe(true);
});

test('far models have fewer triangles, which the picture hardly shows', async () => {
	const [full, far] = [await picture('detail-far-full', 90, 0), await picture('detail-far', 90, 1)];
	const detailChange = difference(full, far);
	expect(detailChange).toBeGreaterThan(0);
	expect(detailChange).toBeLessThan(1);
	expect(difference(full, await picture('detail-farther', 110, 0))).toBeGreaterThan(detailChange * 3);
});

test('a tick has one picture, whatever was drawn before, also on a fork', async () => {
	const first = await picture('detail-first', 60, 1);
	await picture('detail-between', 12, 1);
	expect(isSame(await picture('detail-again', 60, 1), first)).toBe(true);
	await lab.must('POST', '/fork', { fork_id: 'copy' });
	const fork = await lab.picture('detail-fork', WIDTH, HEIGHT, '&world=copy');
	expect(isSame(fork, first)).toBe(true);
	await lab.must('DELETE', '/fork/copy');
});
