/** Animation in pictures: poses by tick, in forks and repeated runs, crossfades, and montages on some joints. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { base64, morphModel, postModel } from '../../support/glb.ts';
import { type Lab, openLab, type Picture } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 1, 6], target: [0, 1, 0] });
	await lab.must('POST', '/asset/upload?name=models/post.glb', { data: base64(postModel()) });
	await lab.must('POST', '/animation/load', { path: 'models/post.glb' });
	await lab.must('POST', '/spawn', { mesh: 'models/post.glb' });
});

const step = (ticks: number) => lab.must('POST', '/step', { ticks });
const capture = (name: string, query = '') => lab.picture(name, 160, 90, `&channel=segmentation${query}`);

/** Returns the bounding box of the model in pixels: left, top, right, bottom. */
function boundsOf({ width, height, at }: Picture): [number, number, number, number] {
	const box: [number, number, number, number] = [width, height, -1, -1];
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++)
			if (at(x, y)[0] > 0) {
				box[0] = Math.min(box[0], x);
				box[1] = Math.min(box[1], y);
				box[2] = Math.max(box[2], x);
				box[3] = Math.max(box[3], y);
			}
	return box;
}

test('a clip bends the upper joint within its second, also in a fork and at a second run', async () => {
	const [left, top, right] = boundsOf(await capture('animation-rest'));
	await lab.must('POST', '/animation/play', { entity_id: 0, clip: 'bow', loop: false });
	await step(30);
	const half = await capture('animation-half');
	expect(boundsOf(half)[2]).toBeGreaterThan(right + 5);
	expect(boundsOf(half)[0]).toBeGreaterThan(left - 12);
	await lab.must('POST', '/fork', { fork_id: 'other' });
	await step(60);
	const bowed = boundsOf(await capture('animation-bowed'));
	// The upper part now points to the right, at half the height.
	expect(bowed[1]).toBeGreaterThan(top + 5);
	expect(bowed[2]).toBeGreaterThan(right + 10);
	expect(Buffer.from((await capture('animation-fork', '&world=other')).bytes)).toEqual(
		Buffer.from(half.bytes),
	);
	await lab.must('POST', '/step?world=other', { ticks: 60 });
	expect(boundsOf(await capture('animation-fork-bowed', '&world=other'))).toEqual(bowed);
	await lab.must('DELETE', '/fork/other');
});

test('a crossfade lies between its clips, and a montage moves only the joints of its mask', async () => {
	const rest = boundsOf(await capture('animation-rest'));
	await lab.must('POST', '/animation/play', { entity_id: 0, clip: 'bow', loop: false });
	await step(60);
	const bowed = boundsOf(await capture('animation-whole'));
	await lab.must('POST', '/animation/play', { entity_id: 0, clip: 'spin', speed: 0, fade: 1 });
	await step(30);
	const between = boundsOf(await capture('animation-between'));
	expect(between[1]).toBeGreaterThan(rest[1] + 1);
	expect(between[1]).toBeLessThan(bowed[1] - 1);
	await step(30);
	expect(boundsOf(await capture('animation-faded'))).toEqual(rest);

	const sink = { entity_id: 0, clip: 'sink', clip_duration: 10, speed: 0, blend_in: 0, blend_out: 0 };
	await lab.must('POST', '/animation/montage', { ...sink, speed: 1 });
	await step(120);
	const sunk = boundsOf(await capture('animation-montage'));
	expect(sunk[1]).toBeGreaterThan(rest[1] + 8);
	// The clip moves only the first joint, so a mask of the second joint shows no movement.
	await lab.must('POST', '/animation/montage', { ...sink, speed: 1, bone_mask: [1] });
	await step(120);
	expect(boundsOf(await capture('animation-masked'))).toEqual(rest);
});

test('a state machine follows a field', async () => {
	const rest = boundsOf(await capture('animation-rest'));
	await lab.must('POST', '/entities/0/components', { health: 100 });
	await lab.must('POST', '/animation/state-machine', {
		entity_id: 0,
		states: [
			{ name: 'up', clip: 'spin', speed: 0 },
			{ name: 'down', clip: 'bow', looping: false },
		],
		transitions: [{ from: 'up', to: 'down', when: [{ field: 'health', op: '<', value: 50 }], fade: 0 }],
	});
	await step(60);
	expect(boundsOf(await capture('animation-up'))).toEqual(rest);
	await lab.must('POST', '/entities/0/components', { health: 10 });
	await step(70);
	expect((await lab.must('GET', '/entities/0')).animation).toMatchObject({ state: 'down', clip: 'bow' });
	expect(boundsOf(await capture('animation-down'))[2]).toBeGreaterThan(rest[2] + 10);
});

test('morph targets follow the clip, each instance separately, and rest without a clip', async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 1, 9], target: [0, 1, 0] });
	for (const [name, clips] of [
		['morph', true],
		['still', false],
	] as const)
		await lab.must('POST', `/asset/upload?name=models/${name}.glb`, { data: base64(morphModel({ clips })) });
	await lab.must('POST', '/spawn', { mesh: 'models/still.glb' });
	const still = boundsOf(await capture('morph-still'));
	// The morph makes the model wider by 0.5 m, only to the right.
	expect((still[2] + 1 - 80) / (80 - still[0])).toBeCloseTo(2, 0);
	await lab.must('POST', '/despawn', { entity_id: 0 });
	await lab.must('POST', '/animation/load', { path: 'models/morph.glb' });
	const { id } = await lab.must('POST', '/spawn', { mesh: 'models/morph.glb' });
	expect(boundsOf(await capture('morph-rest'))).toEqual(still);
	await lab.must('POST', '/animation/play', { entity_id: id, clip: 'grow', loop: false });
	const heightOf = ([, top, , bottom]: readonly number[]) => bottom! - top! + 1;
	await step(30);
	const half = await capture('morph-half');
	await lab.must('POST', '/fork', { fork_id: 'other' });
	await step(60);
	const whole = boundsOf(await capture('morph-whole'));
	expect(heightOf(boundsOf(half)) / heightOf(still)).toBeCloseTo(1.5, 1);
	expect(heightOf(whole) / heightOf(still)).toBeCloseTo(2, 0);
	expect([whole[0], whole[2]]).toEqual([still[0], still[2]]);
	expect(Buffer.from((await capture('morph-fork', '&world=other')).bytes)).toEqual(Buffer.from(half.bytes));
	await lab.must('DELETE', '/fork/other');

	// Another instance of the same draw keeps its own weights.
	await lab.must('POST', '/spawn', { mesh: 'models/morph.glb', position: [-3, 0, 0] });
	const both = await capture('morph-both');
	const tops = [0, 1].map((side) => {
		for (let y = 0; y < both.height; y++)
			for (let x = side * 60; x < (side === 0 ? 60 : 160); x++) if (both.at(x, y)[0] > 0) return y;
		return both.height;
	});
	expect(Math.abs(tops[1]! - whole[1])).toBeLessThanOrEqual(1);
	expect(Math.abs(tops[0]! - still[1])).toBeLessThanOrEqual(2);
});
