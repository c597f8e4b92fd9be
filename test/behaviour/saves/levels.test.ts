/** Special cases of scene and level files: missing parts, refusals, and ids within a level. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { type Json, type TestEngine, testEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let client: TestEngine;
let disk: ReturnType<typeof createMemoryFiles>;
beforeEach(async () => {
	disk = createMemoryFiles();
	engine = await createEngine({ seed: 3, files: disk.files });
	client = testEngine(engine);
});

/** Returns a second engine that reads the same files. */
const openSecondEngine = async () => testEngine(await createEngine({ seed: 8, files: disk.files }));

const ability = (id: number) => {
	const taunt = { ApplyCc: { cc_type: { Taunt: { target_entity: id } }, duration: 1 } };
	const effect = { AreaEffect: { radius: 3, effect: { Chain: [{ Heal: { amount: 1 } }, taunt] } } };
	return { slot: 'Q', name: 'Taunt', effect };
};

/**
 * Returns a level with the id of its first or second entity in every field that takes an id. The fixed numbers 10 are not
 * ids.
 */
const levelOf = (gate: number, guard: number) => ({
	version: 1,
	templates: { knight: { health: 5, parent: gate, abilities: [ability(gate)] }, plain: {} },
	resources: { heroes: [{ name: 'H', base_stats: { entity: 10 }, abilities: [ability(gate)] }] },
	entities: [
		{ id: gate, tags: ['gate'], health: 50 },
		{
			id: guard,
			health: 50,
			parent: gate,
			base_stats: { parent: 10 },
			abilities: [ability(gate)],
			loot: [{ label: 'ghost', weight: 1, spawn: { abilities: [ability(guard)] } }],
			components: { view_filter: { rules: [`not:zone:${gate}`, 'tag:zone:10', 'tag:entity:10'] } },
		},
		{ template: 'knight' },
		{ template: 'plain', overrides: { parent: gate, abilities: [ability(gate)] } },
		{ components: { abilities: { abilities: [{ ...ability(gate), ready_at: 0 }] } } },
	],
	rules: [
		{
			when: {
				kind: 'all',
				of: [
					{ kind: 'tick', every: 1 },
					{ kind: 'enter', zone: { entity: gate, radius: 2 } },
				],
			},
			filter: `team:1+entity:${guard}`,
			actions: [
				{ action: 'damage', target: { entity: guard }, amount: 1 },
				{ action: 'heal', target: { nearest: `entity:${gate}` }, amount: 1 },
				{
					action: 'emit',
					name: 'entity:10',
					data: { entity: 10, filter: 'entity:10' },
					about: { all: `entity:${guard}` },
				},
				{ action: 'spawn', mesh: 'cube', position: [0, 0, 0], parent: gate, abilities: [ability(gate)] },
			],
		},
		{ when: 'tick:1', actions: [`despawn entity:${gate}`, 'damage entity:9 1'] },
	],
	assertions: [
		{ name: 'text', condition: `exists entity:${gate}` },
		{ name: 'typed', condition: { type: 'entity_exists', filter: { type: 'entity', entity: guard } } },
	],
});

describe('scenes', () => {
	test('without its exact part a scene restores the read-out and names the rest; without entities it is refused', async () => {
		disk.writeJson('x.json', {});
		await client.post('/spawn', {
			health: 50,
			team: 2,
			position: [1, 2, 3],
			scale: [2, 1, 1],
			physics_body: 'Static',
			role: 'tower',
			tags: ['t'],
			gold: 5,
		});
		await client.post('/step');
		await client.post('/scene/save', { path: 's.json' });
		const { exact: _, ...scene } = disk.readJson('s.json');
		expect(scene).toMatchObject({ version: 1, tick: 1 });
		disk.writeJson('s.json', scene);
		expect(await client.post('/scene/load', { path: 's.json' })).toMatchObject({
			ok: true,
			exact: false,
			entity_count: 1,
			warnings: ['not restored: gold, level, xp'],
		});
		const { entities } = await client.post('/observe');
		expect(entities[0]).toMatchObject({
			health: [50, 50],
			team: 2,
			role: 'Tower',
			tags: ['t'],
			physics_body: 'Static',
		});
		expect(entities[0].local_transform).toMatchObject({ position: [1, 2, 3], scale: [2, 1, 1] });
		const before = await client.digest();
		const missing = { ok: false, code: 'invalid_scene', path: 'entities' };
		expect(await client.post('/scene/load', { path: 'x.json' })).toMatchObject(missing);
		expect(await client.post('/scene/load', { path: '../x.json' })).toMatchObject({ code: 'file_refused' });
		expect(await client.digest()).toBe(before);
	});

	test('endless health, written as null, means that no damage applies', async () => {
		const transform = { position: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };
		const entities = [
			{ id: 0, generation: 0, transform, health: [null, null], team: 2 },
			{ id: 1, generation: 0, transform, health: [5, 10], role: 'Hero' },
			{ id: 3, generation: 1 },
		];
		disk.writeJson('s.json', { version: 1, tick: 42, entities });
		expect(await client.post('/scene/load', { path: 's.json' })).toMatchObject({ ok: true, entity_count: 3 });
		const [fountain, hero] = (await client.post('/observe')).entities;
		expect(fountain).toMatchObject({ team: 2 });
		expect(fountain.health).toBeUndefined();
		expect(hero).toMatchObject({ health: [5, 10], role: 'Hero' });
		disk.writeJson('s.json', { entities: [{ health: [5] }] });
		expect(await client.post('/scene/load', { path: 's.json' })).toMatchObject({
			path: 'entities[0].health',
		});
	});

	test('a file of the other kind is refused with the right route', async () => {
		await client.post('/spawn', { health: 5, position: [1, 0, 0] });
		await client.post('/scene/save', { path: 'scene.json' });
		await client.post('/level/save', { path: 'level.json' });
		const before = client.bytes();
		expect(await client.post('/scene/load', { path: 'level.json' })).toMatchObject({
			code: 'invalid_scene',
			fix: 'Send its path to POST /level/load.',
		});
		expect(await client.post('/level/load', { path: 'scene.json' })).toMatchObject({
			code: 'invalid_level',
			fix: 'Send its path to POST /scene/load.',
		});
		disk.writeJson('scenario.json', await client.get('/scenario'));
		for (const route of ['/level/load', '/scene/load'])
			expect(await client.post(route, { path: 'scenario.json' })).toMatchObject({
				ok: false,
				fix: 'Send its content as the body of POST /scenario.',
			});
		disk.writeJson('odd.json', { hello: 1 });
		expect((await client.post('/level/load', { path: 'odd.json' })).error).toBe(
			'odd.json has an unknown key "hello".',
		);
		expect(client.bytes()).toBe(before);
	});
});

describe('levels', () => {
	test('a level restores an empty world, and adds to any other', async () => {
		await scatter(engine, 9);
		await client.post('/item/define', { id: 3, name: 'Key' });
		const plain = await client.get('/scenario?exact=false');
		await client.post('/level/save', { path: 'l.json' });
		const other = await openSecondEngine();
		const loaded = await other.post('/level/load', { path: 'l.json' });
		expect(loaded).toMatchObject({
			entities_created: plain.entities.length,
			rules_created: plain.rules.length,
			assertions_created: plain.assertions.length,
			templates: 1,
			tick: 0,
			state_digest: await other.digest(),
		});
		const count = (await other.get('/')).entity_count;
		await other.post('/level/load', { path: 'l.json' });
		expect((await other.get('/')).entity_count).toBe(count * 2);
		expect((await other.get('/item/registry')).count).toBe(1);
		const { entities } = await other.post('/observe');
		const children = entities.filter((entity: { parent?: object }) => entity.parent);
		const half = children.length / 2;
		for (let i = 0; i < half; i++) expect(children[half + i].parent.id).toBeGreaterThanOrEqual(count);
	});

	test('ids in a level map to the new entities, and text that resembles an id stays', async () => {
		for (let i = 0; i < 3; i++) await client.spawn({ health: 77 });
		const { entity_ids } = await client.must('POST', '/level/load', { level: levelOf(10, 11) });
		expect(entity_ids).toEqual([3, 4, 5, 6, 7]);
		const { entities, rules, templates, resources, assertions } = await client.get('/scenario?exact=false');
		const expected = levelOf(3, 4);
		expect({ templates, heroes: resources.heroes }).toMatchObject({
			templates: expected.templates,
			heroes: expected.resources.heroes,
		});
		const [gate, guard] = expected.entities as Json[];
		// Abilities are in the exact values of an entry, so they are read from the entities.
		expect(entities.slice(3, 5)).toMatchObject([gate, { ...guard, abilities: null }]);
		const withAbility = { abilities: [ability(3)] };
		const child = { ...withAbility, parent: { id: 3 } };
		const entityViews = await Promise.all([4, 5, 6, 7].map(client.entity));
		expect(entityViews).toMatchObject([child, child, child, withAbility]);
		expect(rules[0]).toMatchObject(expected.rules[0]!);
		const targets = (rule: { actions: { target: object }[] }) => rule.actions.map(({ target }) => target);
		expect(targets(rules[1])).toEqual([{ entity: 3 }, { entity: 9 }]);
		expect(assertions.map(({ condition }: { condition: { filter: unknown } }) => condition.filter)).toEqual([
			{ type: 'entity', entity: 3 },
			{ type: 'entity', entity: 4 },
		]);
		await client.step();
		expect((await client.entity(0)).health).toEqual([77, 77]);
		expect((await client.entity(3)).ok).toBe(false);
	});

	test('rules of a level may be texts or typed, and resources that are not registries are refused', async () => {
		const level = {
			entities: [{ health: 10 }],
			rules: [
				{ when: 'timer:5', filter: 'any', actions: ['spawn cube 0,0,0'] },
				{ when: { kind: 'death' }, actions: [{ action: 'despawn', target: 'this' }] },
			],
		};
		expect(await client.post('/level/load', { level })).toMatchObject({
			entities_created: 1,
			rules_created: 2,
		});
		expect((await client.get('/rule/list')).count).toBe(2);
		const before = client.bytes();
		expect(
			await client.post('/level/load', { level: { entities: [{}], resources: { hud: [] } } }),
		).toMatchObject({
			code: 'invalid_level',
			path: 'resources.hud',
		});
		expect(client.bytes()).toBe(before);
	});
});
