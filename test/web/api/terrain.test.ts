/** Terrain by calls: made, edited, read back, forked, saved, exported, and refused where it cannot be. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Terrain } from '../../../shared/components/terrain.ts';
import { MODELS } from '../../../web/content/models/index.ts';
import { get } from '../../../web/sim/core/world.ts';
import { modelOf } from '../../../web/sim/models/model.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const heightAt = async (x: number, z: number, world = '') =>
	(await started.must('GET', `/terrain/height?x=${x}&z=${z}${world}`)).height;

test('a flat one has the shape of the reference', async () => {
	const result = await started.must('POST', '/terrain/create', { width: 5, height: 3, cell_size: 2 });
	expect(result).toMatchObject({
		ok: true,
		width: 5,
		height: 3,
		cell_size: 2,
		world_width: 8,
		world_depth: 4,
	});
	expect(await started.must('POST', '/terrain/create')).toMatchObject({
		width: 64,
		height: 64,
		world_width: 63,
	});
	expect(await started.must('GET', '/terrain/list')).toMatchObject({ count: 2 });
	expect(await started.entity(Number(result.entity_id))).toMatchObject({
		terrain: { width: 5, height: 3, cell_size: 2 },
	});
});

describe('a stroke', () => {
	beforeEach(() => started.must('POST', '/terrain/create', { width: 100, height: 80 }));
	const edit = (body: object) => started.must('POST', '/terrain/edit', body);

	test('raises in the middle of the brush and nothing at its edge', async () => {
		expect(await edit({ x: 50, z: 40, radius: 4, amount: 2 })).toMatchObject({ chunks: 1, highest: 2 });
		expect(await heightAt(50, 40)).toBe(2);
		expect(await heightAt(52, 40)).toBe(1);
		expect(await heightAt(54, 40)).toBe(0);
		expect(await heightAt(50.5, 40)).toBe(1.75);
		await edit({ op: 'lower', x: 50, z: 40, radius: 4, amount: 5 });
		expect(await heightAt(50, 40)).toBe(-3);
	});

	test('flattens, smooths and paints', async () => {
		await edit({
			op: 'set',
			x: 10,
			z: 10,
			heights: [
				[0, 0, 0],
				[0, 8, 0],
				[0, 0, 0],
			],
		});
		await edit({ op: 'smooth', x: 11, z: 11, radius: 0.5, amount: 1 });
		expect(await heightAt(11, 11)).toBe(0);
		await edit({ op: 'flatten', x: 11, z: 11, radius: 2, amount: 1, height: 6 });
		expect(await heightAt(11, 11)).toBe(6);
		expect(await heightAt(12, 11)).toBe(3);
		const before = await started.digest();
		expect(await edit({ op: 'paint', x: 11, z: 11, radius: 2, amount: 1, layer: 'Sand' })).toMatchObject({
			changed: 9,
		});
		expect(await started.digest()).not.toBe(before);
	});

	test('makes the same hills from the same seed, and others from another', async () => {
		const heights = async (seed: number) => {
			await started.must('POST', '/reset', { fresh: true });
			await started.must('POST', '/terrain/create', { width: 40, height: 40, noise: { seed, amount: 5 } });
			return (await started.must('GET', '/terrain/heights')).heights as number[][];
		};
		const first = await heights(3);
		expect(await heights(3)).toEqual(first);
		expect(await heights(4)).not.toEqual(first);
		expect(Math.max(...first.flat())).toBeGreaterThan(1);
		expect(Math.max(...first.flat().map(Math.abs))).toBeLessThanOrEqual(5);
	});

	test.each([
		['a radius of nothing', { x: 5, z: 5, radius: 0 }, 'invalid_body'],
		['a negative radius', { x: 5, z: 5, radius: -1 }, 'invalid_body'],
		['a place beside it', { x: 500, z: 5 }, 'bad_stroke'],
		['a word that is none', { op: 'dig', x: 5, z: 5 }, 'invalid_body'],
		['paint without a layer', { op: 'paint', x: 5, z: 5 }, 'bad_stroke'],
		['a list that does not fit', { op: 'set', x: 99, z: 0, heights: [[1, 2]] }, 'bad_stroke'],
		['an entity that is none', { x: 5, z: 5, entity_id: 7 }, 'entity_not_found'],
	])('is refused with %s, and changes nothing', async (_, body, code) => {
		const before = await started.digest();
		const { body: answer } = await started.call('POST', '/terrain/edit', body);
		expect(answer).toMatchObject({ ok: false, code, fix: expect.any(String) });
		expect(await started.digest()).toBe(before);
	});

	test('out of bounds is refused whole', async () => {
		await edit({ x: 5, z: 5, amount: 9000 });
		const before = await started.digest();
		const { body } = await started.call('POST', '/terrain/edit', { x: 5, z: 5, amount: 2000 });
		expect(body).toMatchObject({ ok: false, code: 'bad_stroke', path: 'amount' });
		expect(await started.digest()).toBe(before);
	});
});

test('without a terrain, or with too many points, is refused with the reason', async () => {
	const ask = async (path: string, body: object) => (await started.call('POST', path, body)).body;
	expect(await ask('/terrain/edit', { x: 0, z: 0 })).toMatchObject({ ok: false, code: 'no_terrain' });
	expect(await ask('/terrain/create', { width: 40_000, height: 40_000 })).toMatchObject({
		code: 'invalid_body',
	});
	expect(await ask('/terrain/create', { cell_size: 0 })).toMatchObject({ code: 'invalid_body' });
	for (let i = 0; i < 4; i++) await started.must('POST', '/terrain/create', { width: 513, height: 513 });
	expect(await ask('/terrain/create', { width: 2, height: 2 })).toMatchObject({ code: 'world_full' });
});

test('positions of the world are found on a terrain at another position', async () => {
	await started.must('POST', '/terrain/create', {
		width: 21,
		height: 21,
		centered: true,
		position: [100, 5, 50],
	});
	await started.must('POST', '/terrain/edit', { x: 100, z: 50, space: 'world', radius: 3, amount: 2 });
	expect(await heightAt(100, 50, '&space=world')).toBe(7);
	expect(await heightAt(10, 10)).toBe(2);
	const many = await started.must('POST', '/terrain/height', {
		space: 'world',
		points: [
			[100, 50],
			[101.5, 50],
			[0, 0],
		],
	});
	expect(many).toMatchObject({
		heights: [7, 6, null],
		normals: [expect.any(Array), expect.any(Array), null],
	});
});

test('a fork has its own heights; saves, snapshots and scenarios keep them', async () => {
	const { must, digest } = started;
	await must('POST', '/terrain/create', { width: 70, height: 40, noise: { seed: 2 } });
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/fork', { fork_id: 'plan' });
	const before = await digest();
	await must('POST', '/terrain/edit?world=plan', { x: 20, z: 20, amount: 3 });
	expect(await digest()).toBe(before);
	expect(await heightAt(20, 20, '&world=plan')).not.toBe(await heightAt(20, 20));
	const { heights } = await must('GET', '/terrain/heights');
	const scenario = await must('GET', '/scenario');
	await must('POST', '/terrain/edit', { x: 20, z: 20, amount: 3 });
	await must('POST', '/snapshot/a/restore');
	expect(await digest()).toBe(before);
	await must('POST', '/reset', { fresh: true });
	await must('POST', '/scenario', scenario);
	expect((await must('GET', '/terrain/heights')).heights).toEqual(heights);
	const { exact: _, ...plain } = scenario;
	await must('POST', '/reset', { fresh: true });
	await must('POST', '/scenario', plain);
	expect((await must('GET', '/terrain/heights')).heights).toEqual(heights);
});

test('an edit rebuilds only the chunks that it touches', async () => {
	const { must, engine } = started;
	const { entity_id } = await must('POST', '/terrain/create', {
		width: 512,
		height: 512,
		noise: { seed: 1 },
	});
	const chunks = () => get(engine.worlds.main.world, Number(entity_id), Terrain)!.ground!.chunks;
	const before = chunks();
	const { chunks: told } = await must('POST', '/terrain/edit', { x: 256, z: 256, radius: 16, amount: 1 });
	const different = chunks().filter((chunk, i) => chunk !== before[i]);
	expect(before).toHaveLength(256);
	expect(different).toHaveLength(4);
	expect(told).toBe(4);
});

type Vector = [number, number, number];

test('a camera aimed at a terrain looks at its middle, from a distance that shows it', async () => {
	const { must } = started;
	const { id } = await started.must('POST', '/spawn', { position: [3, 0, 0] });
	const { entity_id } = await must('POST', '/terrain/create', {
		width: 201,
		height: 101,
		position: [10, 5, 20],
		noise: { amount: 8 },
	});
	const { lowest, highest } = (await must('GET', '/terrain/heights')) as { lowest: number; highest: number };
	const looking = async () => (await must('GET', '/camera')) as { eye: Vector; target: Vector };
	await must('POST', '/camera/focus', { entity_id });
	const { eye, target } = await looking();
	expect(target).toEqual([110, expect.closeTo(5 + (lowest + highest) / 2, 4), 70]);
	const distance = Math.hypot(...eye.map((part, axis) => part - target[axis]!));
	expect(distance).toBeGreaterThan(110);
	expect(distance).toBeLessThan(230);
	// Turned a quarter about y, its x is -z of the world.
	const turned = { transform: { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] } };
	await must('POST', `/entities/${entity_id}/components`, turned);
	await must('POST', '/camera/focus', { entity_id });
	const [x, , z] = (await looking()).target;
	expect([x, z]).toEqual([expect.closeTo(60, 3), expect.closeTo(-80, 3)]);
	await must('POST', '/camera/focus', { entity_id: id });
	expect((await must('GET', '/camera')).target).toEqual([3, 0, 0]);
});

test('a camera aimed at a model looks at its middle, from a distance that shows all of it', async () => {
	const { must } = started;
	const data = Buffer.from(MODELS.church!().glb()).toString('base64');
	await must('POST', '/asset/upload?name=models/church.glb', { data });
	const parent = await must('POST', '/spawn', { position: [100, 0, 0] });
	const { id } = await must('POST', '/spawn', {
		mesh: 'models/church.glb',
		parent: parent.id,
		position: [0, 5, 0],
		scale: [2, 2, 2],
	});
	await must('POST', '/camera', { eye: [100, 8, -1], target: [100, 5, 0], fov: 40 });
	await must('POST', '/camera/focus', { entity_id: id });
	const { low, high } = modelOf(MODELS.church!().glb(), 'church');
	const { eye, target } = (await must('GET', '/camera')) as { eye: Vector; target: Vector };
	const middle = low.map((part, axis) => part + high[axis]!);
	expect(target).toEqual([100, 5, 0].map((part, axis) => expect.closeTo(part + middle[axis]!, 3)));
	// Each corner of its box is within 20 degrees of the way it looks.
	const way = target.map((part, axis) => part - eye[axis]!);
	for (let corner = 0; corner < 8; corner++) {
		const to = [100, 5, 0].map(
			(part, axis) => part + 2 * ((corner >> axis) & 1 ? high : low)[axis]! - eye[axis]!,
		);
		const progress = to.reduce((sum, part, axis) => sum + part * way[axis]!, 0) / Math.hypot(...way);
		expect(Math.acos(progress / Math.hypot(...to))).toBeLessThan((20.01 * Math.PI) / 180);
	}
});
