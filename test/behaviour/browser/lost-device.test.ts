/** A lost GPU device is replaced, and the new device draws the same picture of all kinds of content. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { base64, boxModel, postModel } from '../../support/glb.ts';
import { type Lab, openLabIn } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLabIn(await launchBrowser({ width: 160, height: 90 }), inject('viewPage'));
});

afterAll(() => lab?.close());

test('ground, plants, particles, models, light, fog and post-processing look the same on a new device', async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 6, 16], target: [0, 1, 0] });
	await lab.must('POST', '/terrain/create', {
		width: 41,
		height: 41,
		centered: true,
		noise: { seed: 2, amount: 1 },
	});
	await lab.must('POST', '/terrain/edit', { op: 'paint', layer: 'rock', x: 20, z: 20, radius: 6, amount: 1 });
	await lab.must('POST', '/foliage/scatter', {
		mesh_name: 'bush',
		density: 0.2,
		area_min: [-12, 0, -12],
		area_max: [12, 2, 12],
	});
	for (const [name, bytes] of [
		['box', boxModel([0.8, 0.3, 0.1], { low: [-1, 0, -1], high: [1, 2, 1] })],
		['post', postModel()],
	] as const)
		await lab.must('POST', `/asset/upload?name=models/${name}.glb`, { data: base64(bytes) });
	await lab.must('POST', '/spawn', { mesh: 'models/box.glb', position: [-3, 1, 4] });
	await lab.must('POST', '/spawn', { mesh: 'models/post.glb', position: [3, 1, 4] });
	await lab.must('POST', '/spawn', { mesh: 'sphere', position: [0, 2, 5], material: { metallic: 1 } });
	await lab.must('POST', '/particle/create', { preset: 'fire', position: [0, 1, 6] });
	await lab.must('POST', '/fog/settings', { density: 0.02 });
	await lab.must('POST', '/postprocess/settings', {
		bloom_enabled: true,
		bloom_threshold: 0.6,
		ssao_enabled: true,
	});
	await lab.must('POST', '/step', { ticks: 90 });
	const before = await lab.picture('device-before');
	await lab.loseDevice();
	const after = await lab.picture('device-after');
	expect(after.bytes).toEqual(before.bytes);
	// The picture is not empty, so equality means something.
	const [dark, bright] = [before.mean(0, 0.9, 1, 1), before.mean(0, 0, 1, 0.1)];
	expect(Math.abs(dark[1] - bright[1])).toBeGreaterThan(10);
});
