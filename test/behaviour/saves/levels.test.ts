/** Scene and level files, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { testFiles } from '../../support/memory-files.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let t: TestEngine;
let disk: ReturnType<typeof testFiles>;
beforeEach(async () => {
	disk = testFiles();
	engine = await createEngine({ seed: 3, files: disk.files });
	t = testEngine(engine);
});

/** A second engine that reads the same files. */
const another = async () => testEngine(await createEngine({ seed: 8, files: disk.files }));

describe('scenes', () => {
	test('a scene restores the digest exactly, and what follows; saved again it is the same file', async () => {
		await scatter(engine, 8);
		const before = await t.digest();
		await t.post('/scene/save', { path: 'a/scene.json' });
		const saved = disk.text('a/scene.json');
		const first = await t.future(50);
		await t.post('/reset');
		expect(await t.post('/scene/load', { path: 'a/scene.json' })).toMatchObject({
			ok: true,
			exact: true,
			state_digest: before,
		});
		await t.post('/scene/save', { path: 'b.json' });
		expect(disk.text('b.json')).toBe(saved);
		expect(await t.future(50)).toEqual(first);
	});

	test('without its exact part it restores what the read-out holds and names the rest; without entities it is refused', async () => {
		disk.put('x.json', {});
		await t.post('/spawn', {
			health: 50,
			team: 2,
			position: [1, 2, 3],
			scale: [2, 1, 1],
			physics_body: 'Static',
			role: 'tower',
			tags: ['t'],
			gold: 5,
		});
		await t.post('/step');
		await t.post('/scene/save', { path: 's.json' });
		const { exact: _, ...scene } = disk.json('s.json');
		expect(scene).toMatchObject({ version: 1, tick: 1 });
		disk.put('s.json', scene);
		expect(await t.post('/scene/load', { path: 's.json' })).toMatchObject({
			ok: true,
			exact: false,
			entity_count: 1,
			warnings: ['not restored: gold, level, xp'],
		});
		const { entities } = await t.post('/observe');
		expect(entities[0]).toMatchObject({
			health: [50, 50],
			team: 2,
			role: 'Tower',
			tags: ['t'],
			physics_body: 'Static',
		});
		expect(entities[0].local_transform).toMatchObject({ position: [1, 2, 3], scale: [2, 1, 1] });
		const before = await t.digest();
		const missing = { ok: false, code: 'invalid_scene', path: 'entities' };
		expect(await t.post('/scene/load', { path: 'x.json' })).toMatchObject(missing);
		expect(await t.post('/scene/load', { path: '../x.json' })).toMatchObject({ code: 'file_refused' });
		expect(await t.digest()).toBe(before);
	});

	test('health without end, written as null, means that there is nothing to take away', async () => {
		const transform = { position: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };
		const entities = [
			{ id: 0, generation: 0, transform, health: [null, null], team: 2 },
			{ id: 1, generation: 0, transform, health: [5, 10], role: 'Hero' },
			{ id: 3, generation: 1 },
		];
		disk.put('s.json', { version: 1, tick: 42, entities });
		expect(await t.post('/scene/load', { path: 's.json' })).toMatchObject({ ok: true, entity_count: 3 });
		const [fountain, hero] = (await t.post('/observe')).entities;
		expect(fountain).toMatchObject({ team: 2 });
		expect(fountain.health).toBeUndefined();
		expect(hero).toMatchObject({ health: [5, 10], role: 'Hero' });
		disk.put('s.json', { entities: [{ health: [5] }] });
		expect(await t.post('/scene/load', { path: 's.json' })).toMatchObject({ path: 'entities[0].health' });
	});

	test('a file of the other kind is refused with the route that takes it', async () => {
		await t.post('/spawn', { health: 5, position: [1, 0, 0] });
		await t.post('/scene/save', { path: 'scene.json' });
		await t.post('/level/save', { path: 'level.json' });
		const before = t.bytes();
		expect(await t.post('/scene/load', { path: 'level.json' })).toMatchObject({
			code: 'invalid_scene',
			fix: 'POST /level/load takes it.',
		});
		expect(await t.post('/level/load', { path: 'scene.json' })).toMatchObject({
			code: 'invalid_level',
			fix: 'POST /scene/load takes it.',
		});
		disk.put('scenario.json', await t.get('/scenario'));
		for (const route of ['/level/load', '/scene/load'])
			expect(await t.post(route, { path: 'scenario.json' })).toMatchObject({
				ok: false,
				fix: 'POST /scenario takes it as its body.',
			});
		disk.put('odd.json', { hello: 1 });
		expect((await t.post('/level/load', { path: 'odd.json' })).error).toBe(
			'odd.json has an unknown key "hello".',
		);
		expect(t.bytes()).toBe(before);
	});
});

describe('levels', () => {
	test('what /level/save writes loads into an empty world and is the same file again; elsewhere it is added', async () => {
		await scatter(engine, 9);
		await t.post('/item/define', { id: 3, name: 'Key' });
		const plain = await t.get('/scenario?exact=false');
		await t.post('/level/save', { path: 'l.json' });
		const other = await another();
		const loaded = await other.post('/level/load', { path: 'l.json' });
		expect(loaded).toMatchObject({
			entities_created: plain.entities.length,
			rules_created: plain.rules.length,
			assertions_created: plain.assertions.length,
			templates: 1,
			tick: 0,
			state_digest: await other.digest(),
		});
		expect(loaded.entity_ids).toEqual(plain.entities.map(({ id }: { id: number }) => id));
		await other.post('/level/save', { path: 'again.json' });
		expect(disk.text('again.json')).toBe(disk.text('l.json'));

		const count = (await other.get('/')).entity_count;
		await other.post('/level/load', { path: 'l.json' });
		expect((await other.get('/')).entity_count).toBe(count * 2);
		expect((await other.get('/item/registry')).count).toBe(1);
		const { entities } = await other.post('/observe');
		const children = entities.filter((entity: { parent?: object }) => entity.parent);
		const half = children.length / 2;
		for (let i = 0; i < half; i++) expect(children[half + i].parent.id).toBeGreaterThanOrEqual(count);
	});

	test('what names an entity of the level follows it to the id that it gets', async () => {
		await t.post('/spawn', { health: 77, team: 3 });
		const level = {
			entities: [
				{ id: 0, health: 10, tags: ['gate'] },
				{ id: 1, health: 20, components: { view_filter: { rules: ['not:zone:0', 'tag:zone:0'] } } },
			],
			rules: [
				{ when: 'tick:1', actions: ['despawn entity:0'] },
				{
					when: 'health-below:15',
					filter: 'team:3+entity:0',
					actions: [{ action: 'heal', target: { entity: 1 }, amount: 1 }],
				},
				{
					when: 'tick:1',
					actions: [{ action: 'emit', name: 'x', data: { entity: 0 } }, 'damage entity:9 1'],
				},
			],
			assertions: [
				{ name: 'a', condition: { type: 'entity_exists', filter: { type: 'entity', entity: 1 } } },
			],
		};
		const { entity_ids, rule_ids } = await t.post('/level/load', { level });
		expect(entity_ids).toEqual([1, 2]);
		const rule = async (i: number) => (await t.get(`/rule/${rule_ids[i]}`)).rule;
		expect((await rule(0)).do).toEqual([{ action: 'despawn', target: { entity: 1 } }]);
		expect(await rule(1)).toMatchObject({ filter: 'team:3+entity:1', do: [{ target: { entity: 2 } }] });
		expect((await rule(2)).do).toMatchObject([{ data: { entity: 0 } }, { target: { entity: 9 } }]);
		expect((await t.get('/assert/list')).assertions[0].condition.filter.entity).toBe(2);
		expect((await t.get('/entities/2')).view_filter).toEqual(['not:zone:1', 'tag:zone:0']);
		await t.post('/step');
		expect((await t.get('/entities/0')).health).toEqual([77, 77]);
		expect((await t.get('/entities/1')).ok).toBe(false);
	});

	test('so do parents and whom a taunt names, in entities, templates, registries and rules', async () => {
		await t.post('/spawn', { health: 77 });
		const taunt = { ApplyCc: { cc_type: { Taunt: { target_entity: 0 } }, duration: 1 } };
		const ability = { slot: 'Q', name: 'a', effect: { AreaEffect: { radius: 9, effect: taunt } } };
		const hanging = { parent: 0, abilities: [ability] };
		const loot = [{ label: 'a', weight: 1, spawn: { abilities: [ability] } }];
		const { entity_ids, rule_ids } = await t.post('/level/load', {
			level: {
				entities: [
					{ id: 0, health: 10 },
					hanging,
					{ template: 'data' },
					{ template: 'plain', overrides: hanging },
					{ loot, base_stats: { parent: 0 } },
					{ components: { abilities: { abilities: [{ ...ability, ready_at: 0 }] } } },
				],
				templates: { data: hanging, plain: {} },
				rules: [
					{
						when: 'tick:9',
						actions: [{ action: 'spawn', template: 'plain', position: [0, 0, 0], ...hanging }],
					},
				],
				resources: { heroes: [{ name: 'H', base_stats: { entity: 0 }, abilities: [ability] }] },
			},
		});
		expect(entity_ids).toEqual([1, 2, 3, 4, 5, 6]);
		const shown = JSON.stringify([
			await Promise.all(entity_ids.map((id: number) => t.get(`/entities/${id}`))),
			await t.get('/template/data'),
			await t.get('/hero/H'),
			await t.get(`/rule/${rule_ids[0]}`),
		]);
		const named = [...shown.matchAll(/"target_entity":(\d+)/g)].map(([, id]) => Number(id));
		expect(named).toEqual(new Array(8).fill(1));
		for (const id of [2, 3, 4]) expect((await t.get(`/entities/${id}`)).parent).toMatchObject({ id: 1 });
		expect((await t.get('/template/data')).template.parent).toBe(1);
		expect((await t.get(`/rule/${rule_ids[0]}`)).rule.do[0].parent).toBe(1);
		expect((await t.get('/entities/5')).base_stats).toEqual({ parent: 0 });
		expect((await t.get('/hero/H')).base_stats).toEqual({ entity: 0 });
	});

	test('rules of a level are texts or typed; settings that are no registry are refused', async () => {
		const level = {
			entities: [{ health: 10 }],
			rules: [
				{ when: 'timer:5', filter: 'any', actions: ['spawn cube 0,0,0'] },
				{ when: { kind: 'death' }, actions: [{ action: 'despawn', target: 'this' }] },
			],
		};
		expect(await t.post('/level/load', { level })).toMatchObject({ entities_created: 1, rules_created: 2 });
		expect((await t.get('/rule/list')).count).toBe(2);
		const before = t.bytes();
		expect(await t.post('/level/load', { level: { entities: [{}], resources: { hud: [] } } })).toMatchObject({
			code: 'invalid_level',
			path: 'resources.hud',
		});
		expect(t.bytes()).toBe(before);
	});
});

test('a level that defines an item anew changes who wears it, here and in a copy of the world alike', async () => {
	const there = testEngine(await createEngine());
	await there.post('/item/define', { id: 1, name: 'Mail', properties: { armor: 5 } });
	const { id } = await there.post('/spawn', { health: 5, equipment: { body: 1 } });
	await there.post('/step', { ticks: 2 });
	const better = { id: 1, name: 'Mail', properties: { armor: 50 } };
	const items = [{ ...better, stack_max: null, recipe: null, stock: null, teams: null }];
	expect((await there.post('/level/load', { level: { resources: { items } } })).ok).toBe(true);
	expect((await there.get(`/entities/${id}`)).stats).toEqual({ armor: 50 });
	const copy = testEngine(await createEngine());
	await copy.post('/scenario', await there.get('/scenario'));
	expect(await copy.future(2)).toEqual(await there.future(2));
});
