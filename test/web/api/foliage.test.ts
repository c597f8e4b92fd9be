/** Foliage by calls: scattered, listed, removed, on the ground that is there, forked, saved, and refused where it cannot be. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { statusOf } from '../../../shared/contract/dispatch.ts';
import { MAX_LAYERS, MAX_PLANTS, type PlantPlace, visitPlants } from '../../../shared/documents/foliage.ts';
import { scatterFoliage } from '../../../shared/routes/foliage.ts';
import { MODELS } from '../../../web/content/models/index.ts';
import { models } from '../../../web/frames/drawn/models.ts';
import { foliageOf, plantGrounds } from '../../../web/sim/foliage/foliage.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const plantsOf = (world = 'main', { engine }: TestEngine = started): PlantPlace[] => {
	const entry = world === 'main' ? engine.worlds.main : engine.worlds.find(world)!;
	return foliageOf(entry.world).flatMap((layer) => {
		const plants: PlantPlace[] = [];
		visitPlants(layer, plantGrounds(entry.world), (plant) => plants.push(plant));
		return plants;
	});
};
const hills = { width: 65, height: 65, centered: true, noise: { seed: 2, amount: 5, scale: 20 } };

test('an empty body grows the cubes that the reference grows, and others each time', async () => {
	const { must } = started;
	const result = await must('POST', '/foliage/scatter');
	expect(result).toMatchObject({ ok: true, mesh: 'cube', density: 0.5 });
	// 0.5 a square metre on 40 x 40 m, to the next whole number of squares along each side.
	expect(result.instance_count).toBe(28 * 28);
	await must('POST', '/foliage/scatter');
	const plants = plantsOf();
	expect(new Set(plants.map(({ x, z }) => `${x} ${z}`)).size).toBe(2 * 28 * 28);
	for (const { x, z, scale, turn } of plants) {
		expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThanOrEqual(20);
		expect(scale).toBeGreaterThanOrEqual(0.8);
		expect(scale).toBeLessThanOrEqual(1.2);
		expect(turn).toBeGreaterThanOrEqual(0);
		expect(turn).toBeLessThan(1);
	}
	expect(await must('GET', '/foliage/list')).toMatchObject({
		count: 2,
		layers: [
			{ index: 0, id: 1, instance_count: 784, density: 0.5, max_distance: 100, mesh: 'cube' },
			{ index: 1, id: 2 },
		],
		instances: 1568,
		most_instances: MAX_PLANTS,
	});
});

test('a model grows like any plant, is drawn from its file, and a missing one is warned of', async () => {
	const { must, call } = started;
	const data = Buffer.from(MODELS.oak!().glb()).toString('base64');
	const { hash } = await must('POST', '/asset/upload?name=woods/oak.glb', { data });
	const result = await must('POST', '/foliage/scatter', { mesh_name: ' woods/oak.glb ', color: 'red' });
	expect(result).toMatchObject({ mesh: 'woods/oak.glb', instance_count: 28 * 28 });
	expect(result.warnings).toBeUndefined();
	expect(await must('GET', '/foliage/list')).toMatchObject({ layers: [{ mesh: 'woods/oak.glb', wind: 0 }] });
	const { world } = started.engine.worlds.main;
	expect(models.read(world, [])).toMatchObject({ 'woods/oak.glb': { hash } });

	// It goes where the world goes.
	await must('POST', '/fork', { fork_id: 'plan' });
	expect(models.read(started.engine.worlds.find('plan')!.world, [])).toMatchObject({
		'woods/oak.glb': { hash },
	});
	const saved = await must('GET', '/scenario?exact=false');
	await must('POST', '/foliage/remove', { all: true });
	expect(models.read(world, [])).toEqual({});
	await must('POST', '/scenario', saved);
	expect(plantsOf()).toHaveLength(28 * 28);

	const nowhere = await must('POST', '/foliage/scatter', { mesh_name: 'woods/yew.glb' });
	expect(nowhere.warnings).toMatchObject([expect.stringContaining('woods/yew.glb')]);
	const unknown = await call('POST', '/foliage/scatter', { mesh_name: 'oka' });
	expect(unknown.body).toMatchObject({ code: 'unknown_mesh' });
});

test('a seed grows the same plants in every world, no two in one place', async () => {
	const other = await startEngine();
	const body = { mesh_name: 'Tree', density: 0.3, seed: 9 };
	for (const { must } of [started, other]) await must('POST', '/foliage/scatter', body);
	expect(plantsOf('main', other)).toEqual(plantsOf());
	other.engine.close();
	await started.must('POST', '/foliage/remove', { all: true });
	await started.must('POST', '/foliage/scatter', { ...body, seed: 10 });
	expect(plantsOf()[0]).not.toEqual(plantsOf('main', other)[0]);
});

test("plants grow on the ground of their world, a fork's included, and not on steep ground", async () => {
	const { must } = started;
	await must('POST', '/terrain/create', hills);
	await must('POST', '/foliage/scatter', { mesh_name: 'grass', density: 0.4, max_slope: 1000 });
	const check = async (world: string) => {
		const plants = plantsOf(world);
		const points = plants.map(({ x, z }) => [x, z]);
		const answer = await must('POST', `/terrain/height?world=${world}`, { space: 'world', points });
		plants.forEach(({ y }, i) => {
			expect(y).toBeCloseTo((answer.heights as number[])[i]!, 4);
		});
		return plants;
	};
	const before = await check('main');
	expect(Math.max(...before.map(({ y }) => y))).toBeGreaterThan(1);
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/terrain/edit?world=plan', { x: 0, z: 0, space: 'world', radius: 10, amount: 20 });
	expect(await check('plan')).not.toEqual(before);
	expect(await check('main')).toEqual(before);
	const gentle = await must('POST', '/foliage/scatter?world=plan', { density: 0.4, max_slope: 0.5 });
	expect(gentle.instance_count).toBeLessThan(before.length - 50);
	expect(await must('GET', '/foliage/list')).toMatchObject({ count: 1 });
});

test('a layer that names a terrain grows on it alone, and nowhere after its removal', async () => {
	const { must } = started;
	const { entity_id } = await must('POST', '/terrain/create', { width: 11, height: 11 });
	const { instance_count } = await must('POST', '/foliage/scatter', { density: 1, entity_id });
	expect(instance_count).toBeGreaterThan(70);
	expect(instance_count).toBeLessThan(130);
	await must('POST', '/despawn', { entity_id });
	await must('POST', '/terrain/create', { width: 11, height: 11 });
	expect((await must('GET', '/foliage/list')).layers).toMatchObject([{ entity_id, instance_count: 0 }]);
});

test('snapshots, files and exports keep it, and no digest depends on it', async () => {
	const { must } = started;
	await must('POST', '/terrain/create', hills);
	const { state_digest } = await must('GET', '/digest');
	await must('POST', '/foliage/scatter', { mesh_name: 'pine', density: 0.1, color: 'gold' });
	expect((await must('GET', '/digest')).state_digest).toBe(state_digest);
	const listed = await must('GET', '/foliage/list');
	const plants = plantsOf();
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/scene/save', { path: 'meadow.json' });
	const scenario = await must('GET', '/scenario');
	for (const back of [
		() => must('POST', '/snapshot/a/restore'),
		() => must('POST', '/scene/load', { path: 'meadow.json' }),
		() => must('POST', '/scenario', scenario),
	]) {
		await must('POST', '/foliage/remove', { all: true });
		expect(await must('GET', '/foliage/list')).toMatchObject({ count: 0, layers: [] });
		await back();
		expect((await must('GET', '/foliage/list')).layers).toEqual(listed.layers);
		expect(plantsOf()).toEqual(plants);
	}
});

describe('refused without a change:', () => {
	const cases: [string, object, object][] = [
		['a mesh that there is not', { mesh_name: 'palm' }, { code: 'unknown_mesh' }],
		['no density', { density: 0 }, { code: 'bad_foliage' }],
		['an empty area', { area_min: [5, 0, 5], area_max: [5, 0, 9] }, { code: 'bad_foliage' }],
		['scales the wrong way round', { min_scale: 2, max_scale: 1 }, { code: 'bad_foliage' }],
		[
			'more than there may be',
			{ density: 1000, area_min: [-1e5, 0, -1e5], area_max: [1e5, 0, 1e5] },
			{ code: 'world_full' },
		],
		['an entity that there is not', { entity_id: 77 }, { code: 'entity_not_found' }],
	];
	for (const [what, body, refusal] of cases)
		test(what, async () => {
			const { call, must } = started;
			const { status, body: answer } = await call('POST', '/foliage/scatter', body);
			expect(status).toBe(statusOf(answer.code, scatterFoliage));
			expect(answer).toMatchObject({
				ok: false,
				error: expect.any(String),
				fix: expect.any(String),
				...refusal,
			});
			expect(await must('GET', '/foliage/list')).toMatchObject({ count: 0 });
		});

	test('an entity without terrain, and too many layers', async () => {
		const { call, must, spawn } = started;
		const entity_id = await spawn({ mesh: 'cube' });
		const answer = await call('POST', '/foliage/scatter', { entity_id });
		expect(answer.body).toMatchObject({ ok: false, code: 'no_terrain' });
		const small = { density: 1, area_min: [0, 0, 0], area_max: [2, 0, 2] };
		for (let i = 0; i < MAX_LAYERS; i++) await must('POST', '/foliage/scatter', small);
		expect((await call('POST', '/foliage/scatter', small)).body).toMatchObject({ code: 'world_full' });
		expect(await must('GET', '/foliage/list')).toMatchObject({ count: MAX_LAYERS });
		await must('POST', '/foliage/remove', { id: 3 });
		expect((await call('POST', '/foliage/remove', { id: 3 })).body).toMatchObject({
			ok: false,
			code: 'unknown_foliage',
		});
		expect(await must('POST', '/foliage/scatter', small)).toMatchObject({ id: MAX_LAYERS + 1 });
	});

	test('on a bare host, which has no default assets', async () => {
		const bare = await startEngine({ profile: 'bare' });
		const { status, body } = await bare.call('POST', '/foliage/scatter', {});
		expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, error: expect.any(String) } });
		expect((await bare.call('GET', '/foliage/list')).body).toMatchObject({ layers: [], count: 0 });
		bare.engine.close();
	});
});

describe('a document', () => {
	const wide = { density: 1000, area_min: [-1e5, 0, -1e5], area_max: [1e5, 0, 1e5] };
	test.each<[string, object]>([
		['more plants than could ever be counted', wide],
		['no density', { density: 0 }],
		['an area that is none', { area_max: [-50, 0, -50] }],
		['an area that is upside down', { area_max: [20, -1, 20] }],
		['sizes the wrong way round', { min_scale: 2, max_scale: 1 }],
		['an id that leaves no room for others', { id: 4_294_967_295 }],
		['the color of a word that is none', { color: 'constructor' }],
		['a color that no call could have made', { color: 'RED' }],
	])('with a layer of %s is refused and changes nothing', async (_, more) => {
		const { must, call } = started;
		await must('POST', '/foliage/scatter', { density: 1, area_min: [0, 0, 0], area_max: [2, 0, 2] });
		const { exact: __, ok: ___, ...document } = await must('GET', '/scenario');
		const resources = document.resources as { foliage: object[] };
		const layers = (foliage: object[]) => ({ ...document, resources: { ...resources, foliage } });
		const before = await must('GET', '/foliage/list');
		const spoiled = layers([{ ...resources.foliage[0], ...more }]);
		expect((await call('POST', '/scenario', spoiled)).body).toMatchObject({
			ok: false,
			code: 'invalid_scenario',
			path: expect.stringContaining('foliage'),
		});
		const twice = layers([resources.foliage[0]!, resources.foliage[0]!]);
		expect((await call('POST', '/scenario', twice)).body).toMatchObject({ code: 'invalid_scenario' });
		expect(await must('GET', '/foliage/list')).toEqual(before);
		await must('POST', '/scenario', document);
	});
});
