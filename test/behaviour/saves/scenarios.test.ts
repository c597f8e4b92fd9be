/** Special cases of exporting and applying scenarios. */

import { beforeEach, describe, expect, test } from 'vitest';
import { FAR } from '../../../shared/contract/values.ts';
import { spawnFields } from '../../../shared/documents/spawn.ts';
import { getCamera } from '../../../shared/routes/camera.ts';
import { getEntity } from '../../../shared/routes/world.ts';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { startEngine, type TestEngine, testEngine } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let client: TestEngine;
beforeEach(async () => {
	engine = await createEngine({ seed: 3 });
	client = testEngine(engine);
});

const openSecondEngine = async (seed: number) => testEngine(await createEngine({ seed }));

describe('export and import', () => {
	test('effects of a rule are exported as `actions`, in scenarios and levels alike', async () => {
		const actions = [{ action: 'score', target: 'source', points: 1 }];
		const outcomes = [{ label: 'a', weight: 1, do: actions }];
		await client.post('/rule/create', { when: 'death', filter: 'team:2', do: ['score source +1'] });
		await client.post('/rule/create', { when: 'tick:5', outcomes });
		const document = await client.get('/scenario?exact=false');
		const rule = { when: { kind: 'death' }, filter: 'team:2', actions, priority: 0, once: false };
		const drawn = { when: { kind: 'tick', every: 5 }, filter: 'any', outcomes, priority: 0, once: false };
		expect(document.rules).toEqual([rule, drawn]);
		await client.post('/level/save', { path: 'level.json' });
		const other = await openSecondEngine(1);
		expect(await other.post('/scenario', document)).toMatchObject({ ok: true, rules: 2 });
		expect(await client.post('/level/load', { path: 'level.json' })).toMatchObject({
			ok: true,
			rules_created: 2,
		});
		expect((await client.get('/scenario?exact=false')).rules).toEqual([rule, drawn, rule, drawn]);
	});

	test('a scenario without entities and rules empties the world, and reports that', async () => {
		await client.post('/spawn', { health: 1 });
		expect(await client.post('/scenario', { version: 2 })).toMatchObject({
			ok: true,
			warnings: ['the scenario has neither entities nor rules: the world is now empty'],
		});
		// An empty world loses nothing.
		expect(await client.post('/scenario', { version: 2 })).not.toHaveProperty('warnings');
	});

	test('texts of removed rules are removed too', async () => {
		await client.post('/rule/create', { when: 'tick:1', once: true, do: ['text hello'] });
		await client.post('/step', { ticks: 2 });
		expect((await client.get('/scenario?exact=false')).resources).toHaveProperty('hud');
		await client.post('/scenario', { version: 2, entities: [{ mesh: 'cube' }] });
		expect((await client.get('/scenario?exact=false')).resources).toBeUndefined();
	});
});

describe('applying', () => {
	test('an angle of view that can only be in degrees is read as degrees, with a warning', async () => {
		const angle = async () => (await client.get('/camera')).fov_y;
		const { ok, warnings } = await client.post('/scenario', { camera: { fov_y: 60 } });
		expect([ok, warnings]).toEqual([true, [expect.stringContaining('degrees')]]);
		expect(await angle()).toBeCloseTo(Math.PI / 3, 6);
		expect((await client.post('/scenario', { camera: { fov_y: 1.2 } })).warnings).toBeUndefined();
		expect(await angle()).toBeCloseTo(1.2, 6);
	});

	test('an invalid scenario changes nothing and names the place of the fault', async () => {
		await scatter(engine, 1);
		const before = client.bytes();
		const INVALID = 'invalid_scenario';
		const item = { id: 1, name: 'a', properties: {} };
		const exactly = (components: object) => ({ entities: [{ id: 0, components }] });
		const ability = (effect: object) => ({
			slot: 'Q',
			name: 'a',
			cooldown: 1,
			mana_cost: 0,
			ready_at: 0,
			effect,
		});
		const effect = {
			id: 1,
			tag: 'a',
			modifiers: [],
			stack_policy: 'replace',
			source: null,
			from: 0,
			until: 9,
		};
		const wrong: [object, string, string, string][] = [
			[{ entities: [{ health: 5 }, { template: 'nobody' }] }, 'unknown_template', 'entities[1]', 'soldier'],
			[
				{ entities: [{ health: 5, components: { healt: {} } }] },
				'invalid_scenario',
				'entities[0].components.healt',
				'health',
			],
			[
				{ entities: [{ components: { health: { current: 'x' } } }] },
				'invalid_scenario',
				'entities[0].components.health.current',
				'number',
			],
			[{ entities: [{ id: 1 }, { id: 1 }] }, 'invalid_scenario', 'entities[1].id', ''],
			[{ entities: [{ parent: 12 }] }, 'invalid_scenario', 'entities[0]', ''],
			[
				{ rules: [{ when: 'death', filter: 'tema:1', actions: ['despawn this'] }] },
				'invalid_rule',
				'rules[0].filter',
				'',
			],
			[{ rules: [{ when: 'deth', actions: ['despawn this'] }] }, 'invalid_rule', 'rules[0].when', ''],
			[{ resources: { hudd: {} } }, 'invalid_scenario', 'resources.hudd', 'hud'],
			[{ resources: { items: { id: 1 } } }, 'invalid_scenario', 'resources.items', 'must be a list'],
			[{ resources: { items: [{ id: 1 }] } }, 'invalid_scenario', 'resources.items[0].name', 'missing'],
			[
				{ resources: { tuning: { shop: { resale: -4 } } } },
				'invalid_scenario',
				'resources.tuning.shop.resale',
				'at least 0',
			],
			[{ resources: { tuning: { shp: {} } } }, 'invalid_scenario', 'resources.tuning', 'shop'],
			// Registries refuse everything that their own calls refuse.
			[{ templates: { '': {} } }, 'invalid_body', 'templates', 'at least 1 character'],
			[{ resources: { prefabs: { '': { summary: '', document: {} } } } }, INVALID, 'resources.prefabs', '1'],
			[{ resources: { heroes: [{ name: '' }] } }, INVALID, 'resources.heroes[0].name', 'at least 1'],
			[{ resources: { heroes: [{ name: 'a', health: -5 }] } }, INVALID, 'resources.heroes[0].health', '0'],
			[{ resources: { heroes: [{ name: 'a', health: 1e300 }] } }, INVALID, 'resources.heroes[0].health', ''],
			[{ resources: { items: [{ ...item, id: -1 }] } }, INVALID, 'resources.items[0].id', 'at least 0'],
			[{ resources: { items: [{ ...item, stock: -1 }] } }, INVALID, 'resources.items[0].stock', '0'],
			[
				{ resources: { items: [{ ...item, properties: { cost: -1 } }] } },
				INVALID,
				'resources.items[0]',
				'cost',
			],
			[
				{ resources: { items: [{ ...item, properties: { '': 1 } }] } },
				INVALID,
				'items[0].properties',
				'key ""',
			],
			// Exact values of components must be valid, too.
			[exactly({ abilities: { abilities: [ability({ Boom: 1 })] } }), INVALID, 'abilities[0].effect', 'Heal'],
			[exactly({ abilities: { abilities: [ability({ Dash: {} })] } }), INVALID, 'Dash.distance', 'missing'],
			[
				exactly({
					abilities: { abilities: [ability({ Dash: { distance: 1 } }), ability({ Heal: { amount: 1 } })] },
				}),
				INVALID,
				'entities[0].components.abilities.abilities',
				'each slot',
			],
			[
				exactly({ effects: { list: [{ ...effect, modifiers: ['x'], tick_effect: null }] } }),
				INVALID,
				'modifiers[0]',
				'stat:op',
			],
			[exactly({ effects: { list: [{ ...effect, tick_effect: 'x' }] } }), INVALID, 'tick_effect', 'dps:N'],
			[
				exactly({ effects: { list: [{ ...effect, stack_policy: 'x', tick_effect: null }] } }),
				INVALID,
				'stack_policy',
				'refresh',
			],
			[
				exactly({ loot: { table: [{ label: 'a', weight: 1, spawn: { healt: 1 } }] } }),
				INVALID,
				'spawn',
				'health',
			],
			[exactly({ view_filter: { rules: ['within:x'] } }), INVALID, 'rules[0]', 'not a rule'],
			[
				exactly({ inventory: { slots: [{ item_id: 1, count: -4 }] } }),
				INVALID,
				'slots[0].count',
				'at least 1',
			],
			[exactly({ parent: { entity: { $entity: 0 } } }), INVALID, 'components.parent', 'is a descendant of'],
			[{ assertions: [{ name: 'a', condition: 'exist' }] }, 'invalid_assertion', 'assertions[0]', 'exists'],
			[{ entitys: [] }, 'invalid_body', '', 'entities'],
			[
				{ assertions: [{ name: 'a', condition: { type: 'exist' } }] },
				'invalid_body',
				'assertions[0].condition',
				'entity_exists',
			],
			// Fields beside a template must be in its overrides.
			[{ entities: [{ template: 'soldier', health: 5 }] }, 'invalid_body', 'entities[0]', 'overrides'],
			[{ entities: [{ template: 5 }] }, 'invalid_body', 'entities[0].template', 'text'],
			[
				{ entities: [{ template: 'soldier', overrides: { healt: 5 } }] },
				'invalid_body',
				'entities[0].overrides',
				'health',
			],
		];
		for (const [document, code, path, fix] of wrong) {
			const answer = await client.post('/scenario', document);
			expect(answer).toMatchObject({ ok: false, code });
			expect(answer.path ?? '').toContain(path);
			expect(answer.fix + answer.message).toContain(fix);
			expect(client.bytes()).toBe(before);
		}
	});

	test('exact values of a component are validated as in a call', async () => {
		const area = { AreaEffect: { radius: 5, effect: { Damage: { amount: 3 } } } };
		const abilities = [{ slot: 'q', name: 'a', ready_at: 0, effect: area }];
		const { ok } = await client.post('/scenario', {
			entities: [{ components: { abilities: { abilities }, tags: { tags: ['b', 'a', 'b'] } } }],
		});
		expect(ok).toBe(true);
		expect(await client.get('/entities/0')).toMatchObject({
			tags: ['a', 'b'],
			abilities: [
				{
					slot: 'Q',
					cooldown: 10,
					mana_cost: 100,
					effect: { AreaEffect: { affects: 'all', effect: { Damage: { category: 'physical' } } } },
				},
			],
		});
	});

	test('templates, overrides, rules and assertions apply, and the answer has the ids', async () => {
		const document = {
			version: 2,
			game: { mode: 'deathmatch', score_limit: 5, time_limit: 60, respawn_delay: 2, auto_start: true },
			templates: { base: { mesh: 'cube', health: 100, team: 1 }, minion: { health: 80, team: 2 } },
			entities: [
				{ id: 4, template: 'base', position: [10, 0, 0], overrides: { health: 999 } },
				{ template: 'minion', position: [5, 1, 0] },
				{ health: 3, position: [1, 1, 1] },
			],
			rules: [
				{
					when: { kind: 'death' },
					filter: 'team:2',
					actions: [{ action: 'score', target: 'source', points: 1 }],
				},
			],
			assertions: [
				{
					name: 'team1_alive',
					condition: { type: 'entity_count', filter: { type: 'team', team: 1 }, min: 1 },
				},
			],
		};
		await client.post('/fork', { fork_id: 'f' });
		const applied = await client.post('/fork/f/scenario', document);
		expect(applied).toMatchObject({
			fork_id: 'f',
			entities_spawned: 3,
			rules: 1,
			assertions: 1,
			templates: 2,
			entity_ids: [4, 0, 1],
			rule_ids: [2],
			assertion_ids: [3],
		});
		expect((await client.get('/')).entity_count).toBe(0);
		expect((await client.get('/fork/f/observe')).entity_count).toBe(5);
		await client.post('/scenario', document);
		expect((await client.get('/')).entity_count).toBe(5);
		expect(await client.get('/entities/4')).toMatchObject({ health: [999, 999], team: 1 });
		expect((await client.get('/game/state')).phase).toBe('playing');
		expect((await client.get('/assert/list')).assertions[0]).toMatchObject({
			name: 'team1_alive',
			entity_id: 3,
		});
		expect(await client.get('/scenario?exact=false')).toEqual(
			await client.get('/fork/f/scenario?exact=false'),
		);
		const exact = await client.get('/scenario');
		expect(await client.post('/scenario', exact)).toMatchObject({
			exact: true,
			entity_ids: [0, 1, 4],
			rule_ids: [2],
			assertion_ids: [3],
		});
	});

	test('registries that the document omits stay, and named ones are replaced', async () => {
		await client.post('/template/create', { name: 'kept', health: 1 });
		await client.post('/item/define', { id: 7, name: 'kept' });
		await client.post('/game/create', { score_limit: 3 });
		await client.post('/spawn', { health: 1 });
		await client.post('/scenario', { templates: { added: { health: 2 } } });
		expect((await client.get('/')).entity_count).toBe(0);
		expect((await client.get('/template/list')).templates).toEqual(['added', 'kept']);
		expect((await client.get('/game/state')).score_limit).toBe(3);
		expect((await client.get('/item/registry')).count).toBe(1);
		const item = (id: number, name: string) => ({
			id,
			name,
			properties: {},
			stack_max: null,
			recipe: null,
			stock: null,
			teams: null,
		});
		// Out of order and twice: the registry keeps one of each, by id.
		const items = [item(9, 'nine'), item(2, 'first'), item(2, 'second')];
		await client.post('/scenario', { resources: { items } });
		const known = (await client.get('/item/registry')).items;
		expect(known.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
			[2, 'second'],
			[9, 'nine'],
		]);
	});

	test('unset fields are written as null or omitted on request, and both documents are equal', async () => {
		await client.post('/template/create', { name: 'orc', health: 30 });
		await client.post('/spawn', { health: 80, team: 2, position: [1, 2, 3] });
		await client.post('/spawn', { mesh: 'cube', scale: [2, 1, 1] });
		const whole = await client.get('/scenario');
		const fields = Object.keys(spawnFields);
		for (const entry of [...whole.entities, whole.templates.orc])
			expect(Object.keys(entry)).toEqual(expect.arrayContaining(fields));
		expect(whole.entities[0]).toMatchObject({
			position: [1, 2, 3],
			scale: [1, 1, 1],
			health: 80,
			team: 2,
			mesh: null,
			combat: null,
		});
		expect(whole.entities[1]).toMatchObject({ mesh: 'cube', scale: [2, 1, 1], health: null });
		expect(whole.templates.orc).toMatchObject({ health: 30, team: null });
		const short = await client.get('/scenario?unset=false');
		expect(short.entities[1]).toEqual({ id: 1, position: [0, 0, 0], mesh: 'cube', scale: [2, 1, 1] });
		expect(short.exact).toEqual(whole.exact);
		for (const sent of [whole, short]) {
			const other = await openSecondEngine(4);
			const { exact: _, ...plain } = sent;
			expect(await other.post('/scenario', plain)).toMatchObject({ ok: true, exact: false });
			const { exact: __, ...expected } = short;
			expect(await other.get('/scenario?exact=false&unset=false')).toEqual(expected);
			expect(await other.post('/scenario', sent)).toMatchObject({ ok: true, exact: true });
			expect(await other.get('/scenario')).toEqual(whole);
			// An additional field is an edit in either form.
			const edited = { ...sent, entities: [{ ...sent.entities[0], gold: 1 }, sent.entities[1]] };
			expect(await other.post('/scenario', edited)).toMatchObject({ ok: true, exact: false });
		}
	});

	test('a bare host keeps position, scale, health and team only', async () => {
		const bare = testEngine(await createEngine({ profile: 'bare' }));
		const whole = { health: 5, team: 1, scale: [2, 2, 2], mesh: 'cube', velocity: { linear: [1, 0, 0] } };
		await bare.post('/spawn', whole);
		const document = await bare.get('/scenario?unset=false');
		expect(document.exact).toBeUndefined();
		expect(document.entities).toEqual([{ position: [0, 0, 0], scale: [2, 2, 2], health: 5, team: 1 }]);
		expect(await bare.post('/template/create', { name: 'x', health: 1 })).toMatchObject({
			ok: true,
			stored: false,
		});
		expect(await bare.post('/template/spawn', { name: 'x' })).toMatchObject({
			ok: false,
			code: 'unknown_template',
		});
		await bare.post('/scenario', { templates: { y: { health: 1 } } });
		expect(await bare.post('/template/create', { name: 'x', health: 1 })).toMatchObject({ stored: true });
	});
});

test('a plain scenario keeps existing buildings, although their types have changed', async () => {
	const [old, young] = [await openSecondEngine(1), await openSecondEngine(1)];
	await old.post('/spawn', { building_type: 'tier1_tower', team: 1 });
	const weapon = { damage: 999, range: 7, cooldown: 1 };
	await old.post('/tuning', { buildings: { tier1_tower: { weapon } } });
	const saved = await old.get('/scenario?exact=false');
	await young.post('/scenario', saved);
	expect((await young.get('/entities/0')).combat?.damage).toBe((await old.get('/entities/0')).combat?.damage);
	expect(await young.get('/scenario?exact=false')).toEqual(saved);
});

test('a body beyond the bounds of spawning has answers that fit the schema, and can be saved with the camera on it', async () => {
	const { engine, call, must, step } = await startEngine();
	const near = [999_900, 0, 0];
	const wild = { velocity: { linear: [1e4, 0, 0] }, physics_body: 'Kinematic' };
	await must('POST', '/spawn', { position: near, ...wild, collider: { shape: 'Sphere', radius: 1 } });
	await must('POST', '/spawn', { position: near, scale: [1e4, 1e4, 1e4] });
	await must('POST', '/spawn', { position: [9900, 0, 0], scale: [1e4, 1, 1], parent: 1 });
	await step(60);
	const entities = [];
	for (const id of [0, 2]) {
		await must('POST', '/camera/focus', { entity_id: id });
		entities.push(getEntity.answer.parse((await call('GET', `/entities/${id}`)).body));
	}
	const far = entities.map(({ transform }) => (transform as { position: number[] }).position[0]);
	expect(far.every((x) => x! > FAR)).toBe(true);
	expect(entities[1]).toMatchObject({ transform: { scale: [1e8, 1e4, 1e4] } });
	expect(getCamera.answer.safeParse((await call('GET', '/camera')).body).error).toBeUndefined();
	const document = await must('GET', '/scenario');
	expect(await must('POST', '/scenario', document)).toMatchObject({ entities_spawned: 3 });
	engine.close();
});
