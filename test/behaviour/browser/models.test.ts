/**
 * Models in pictures: colours and sizes, compressed and skinned models, many instances, and mirrored parts.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { GlbWriter } from '../../../relay/generate/procedural/glb.ts';
import { Sculpture } from '../../../relay/generate/procedural/sculpture.ts';
import { box, move } from '../../../relay/generate/procedural/solid.ts';
import { base64, boxModel, postModel } from '../../support/glb.ts';
import { type Lab, openLab } from './lab.ts';

/** The same box, written by glTF Transform 4 with either compression. */
const COMPRESSED = join(import.meta.dirname, '../../support/models');

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

beforeEach(async () => {
	await lab.must('POST', '/reset', { fresh: true });
	await lab.must('POST', '/camera', { eye: [0, 1, 6], target: [0, 1, 0] });
});

const upload = (name: string, bytes: Uint8Array) =>
	lab.must('POST', `/asset/upload?name=${name}`, { data: base64(bytes) });

test('a model is drawn from its bytes at the position of its entity, tinted by its colour, and segmented', async () => {
	await upload('models/green.glb', boxModel([0.02, 0.6, 0.02], { low: [-1, 0, -1], high: [1, 2, 1] }));
	const { id, warnings } = await lab.must('POST', '/spawn', { mesh: 'models/green.glb' });
	expect(warnings).toBeUndefined();
	const [red, green, blue] = (await lab.picture('model-green')).mean(0.45, 0.4, 0.55, 0.6);
	expect(green).toBeGreaterThan(2 * Math.max(red, blue));
	const ids = await lab.picture('model-ids', 160, 90, '&channel=segmentation');
	expect(ids.at(80, 45)).toEqual([id + 1, 0, 0]);
	expect(ids.at(80, 2)).toEqual([0, 0, 0]);

	await lab.must('POST', `/entities/${id}/components`, { color: 'black' });
	const dark = (await lab.picture('model-tinted')).mean(0.45, 0.4, 0.55, 0.6);
	expect(dark[1]).toBeLessThan(green / 2);

	// After an upload of other bytes, the name means the new model.
	await upload('models/green.glb', boxModel([0.8, 0.02, 0.02], { low: [-1, 0, -1], high: [1, 2, 1] }));
	await lab.must('POST', `/entities/${id}/components`, { color: 'white' });
	const other = (await lab.picture('model-replaced')).mean(0.45, 0.4, 0.55, 0.6);
	expect(other[0]).toBeGreaterThan(2 * other[1]);

	// If a material is named tint, the colour of the entity applies only to it.
	const parted = new Sculpture()
		.add(move(box(1, 2, 1), -0.6, 0, 0), 0x20c020)
		.add(move(box(1, 2, 1), 0.6, 0, 0), 0xffffff, 'tint');
	await upload('models/green.glb', parted.glb());
	await lab.must('POST', `/entities/${id}/components`, { color: 'red' });
	const both = await lab.picture('model-parted');
	const [own, tint] = [both.mean(0.42, 0.4, 0.47, 0.6), both.mean(0.53, 0.4, 0.58, 0.6)];
	expect(own[1]).toBeGreaterThan(2 * own[0]);
	expect(tint[0]).toBeGreaterThan(2 * tint[1]);
});

test('models compressed with Draco and meshopt are drawn like others', async () => {
	for (const [kind, own, other] of [
		['draco', 1, 0],
		['meshopt', 0, 1],
	] as const) {
		await lab.must('POST', '/reset', { fresh: true });
		await lab.must('POST', '/camera', { eye: [0, 1, 6], target: [0, 1, 0] });
		await upload(`models/${kind}.glb`, await readFile(join(COMPRESSED, `box-${kind}.glb`)));
		const { id, warnings } = await lab.must('POST', '/spawn', { mesh: `models/${kind}.glb` });
		expect(warnings).toBeUndefined();
		// A box 2 m wide and high, green or red: the replacement for an unreadable model is neither.
		const color = (await lab.picture(`model-${kind}`)).mean(0.45, 0.4, 0.55, 0.6);
		expect(color[own]).toBeGreaterThan(2 * color[other]);
		const ids = await lab.picture(`model-${kind}-ids`, 160, 90, '&channel=segmentation');
		for (const [x, y] of [
			[66, 60],
			[94, 60],
			[66, 32],
			[94, 32],
		] as const)
			expect(ids.at(x, y)).toEqual([id + 1, 0, 0]);
	}
});

test('a skinned model rests in its bind pose', async () => {
	await upload('models/post.glb', postModel());
	await lab.must('POST', '/spawn', { mesh: 'models/post.glb' });
	const ids = await lab.picture('model-skinned', 160, 90, '&channel=segmentation');
	const column = Array.from({ length: 90 }, (_, y) => (ids.at(80, y)[0] > 0 ? 1 : 0) as number);
	const tall = column.reduce((sum, number) => sum + number, 0);
	const row = Array.from({ length: 160 }, (_, x) => (ids.at(x, 45)[0] > 0 ? 1 : 0) as number);
	const wide = row.reduce((sum, number) => sum + number, 0);
	expect(tall / wide).toBeGreaterThan(2.2);
	expect(tall / wide).toBeLessThan(4.5);
});

test('a hundred instances of a model need no more draws than two', async () => {
	await upload('models/green.glb', boxModel([0.02, 0.6, 0.02]));
	const spawnModels = (count: number) =>
		lab.must('POST', '/batch', {
			requests: Array.from({ length: count }, (_, i) => ({
				path: '/spawn',
				body: { mesh: 'models/green.glb', position: [i % 10, 0, -Math.floor(i / 10)] },
			})),
		});
	await spawnModels(2);
	const few = await lab.drawCalls(2);
	await spawnModels(98);
	expect(await lab.drawCalls(100)).toBeLessThanOrEqual(few);
});

test('parts that are mirrored at rest or by a clip face outwards, and unlit ones have their colour in the dark', async () => {
	await lab.must('POST', '/sky/settings', { time_of_day: 0, sun_intensity: 0, ambient_intensity: 0 });
	const red = { pbrMetallicRoughness: { baseColorFactor: [1, 0.02, 0.02, 1] } };
	for (const target of [
		{ node: 2, path: 'translation' },
		{ node: 0, path: 'scale' },
	]) {
		const writer = new GlbWriter();
		const plate = [-0.5, 0, 0, 0.5, 0, 0, 0.5, 1, 0, -0.5, 1, 0];
		const attributes = { POSITION: writer.addAccessor('VEC3', new Float32Array(plate)) };
		const indices = writer.addAccessor('SCALAR', new Uint16Array([0, 1, 2, 0, 2, 3]));
		const input = writer.addAccessor('SCALAR', new Float32Array([0, 1]));
		const output = writer.addAccessor('VEC3', new Float32Array([-1, 1, 1, -1, 1, 1]));
		const bytes = writer.glb({
			scenes: [{ nodes: [0, 1, 2] }],
			nodes: [
				{ mesh: 0, translation: [-1, 0.5, 0] },
				{ mesh: 0, translation: [1, 0.5, 0], scale: [-1, 1, 1] },
				{ name: 'elsewhere' },
			],
			meshes: [{ primitives: [{ attributes, indices, material: 0 }] }],
			materials: [{ ...red, extensions: { KHR_materials_unlit: {} } }],
			extensionsUsed: ['KHR_materials_unlit'],
			extensionsRequired: ['KHR_materials_unlit'],
			animations: [{ name: 'clip', samplers: [{ input, output }], channels: [{ sampler: 0, target }] }],
		});
		const mesh = `models/${target.path}.glb`;
		await upload(mesh, bytes);
		await lab.must('POST', '/animation/load', { path: mesh });
		const { id } = await lab.must('POST', '/spawn', { mesh });
		await lab.must('POST', '/animation/play', { entity_id: id, clip: 'clip' });
		await lab.must('POST', '/step', { ticks: 1 });
		const picture = await lab.picture(`model-mirrored-${target.path}`);
		for (const left of [0.36, 0.59]) {
			const [r, g, b] = picture.mean(left, 0.45, left + 0.05, 0.55);
			expect(r, `${target.path} ${left}`).toBeGreaterThan(100);
			expect(r, `${target.path} ${left}`).toBeGreaterThan(3 * Math.max(g, b));
		}
		await lab.must('POST', '/despawn', { entity_id: id });
	}
});
