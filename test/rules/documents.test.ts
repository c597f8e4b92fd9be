/** Scenarios, scenes, levels, templates and prefabs, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { call } from '../support/play.ts';
import { scatter } from '../support/scatter.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 3 });
});

const post = async (path: string, body: unknown = {}, on = engine) =>
	(await call(on, 'POST', path, body)).body;
const get = async (path: string, on = engine) => (await call(on, 'GET', path)).body;
const drop = async (path: string) => (await call(engine, 'DELETE', path)).body;
const digest = async (on = engine) => (await get('/digest', on)).state_digest;
const text = async (path: string, on = engine) => JSON.stringify(await get(path, on));

async function future(ticks: number, on = engine): Promise<string[]> {
	const digests: string[] = [];
	for (let i = 0; i < ticks; i++) digests.push((await post('/step', { ticks: 1 }, on)).state_digest);
	return digests;
}

/** A small file that the engine can read. */
async function put(on: Engine, path: string, value: unknown): Promise<void> {
	files.set(path, new TextEncoder().encode(JSON.stringify(value)));
	on.setFiles({
		place: 'test',
		async read(wanted) {
			return files.get(wanted)!;
		},
		async write(wanted, bytes) {
			files.set(wanted, bytes.slice());
		},
	});
}
const files = new Map<string, Uint8Array>();

describe('scenarios', () => {
	test.each([1, 2, 3, 4])(
		'export, apply, export is byte-identical, exactly and plainly (world %i)',
		async (seed) => {
			await scatter(engine, seed);
			const before = await digest();
			const exact = await get('/scenario');
			const other = await createEngine({ seed: 99 });
			await post('/spawn', { health: 1 }, other);
			await post('/step', { ticks: 9 }, other);
			const applied = await post('/scenario', exact, other);
			expect(applied).toMatchObject({ ok: true, exact: true, state_digest: before });
			expect(await text('/scenario', other)).toBe(JSON.stringify(exact));

			const { exact: _, ...plain } = exact;
			expect(await text('/scenario?exact=false')).toBe(JSON.stringify(plain));
			const third = await createEngine({ seed: 5 });
			await post('/spawn', { health: 1 }, third);
			expect(await post('/scenario', plain, third)).toMatchObject({ ok: true, exact: false });
			expect(await text('/scenario?exact=false', third)).toBe(JSON.stringify(plain));
			expect(await future(100, other)).toEqual(await future(100));
		},
	);

	test('an exact part whose document was edited or damaged no longer counts, and the answer says so', async () => {
		await scatter(engine, 2);
		const document = await get('/scenario');
		const edited = { ...document, entities: [...document.entities, { health: 7 }] };
		const answer = await post('/scenario', edited);
		expect(answer).toMatchObject({ ok: true, exact: false, entities_spawned: document.entities.length + 1 });
		expect(answer.warnings[0]).toContain('edited');
		const { world } = document.exact;
		const damaged = {
			...document,
			exact: { ...document.exact, world: `${world.slice(0, 400)}AAAA${world.slice(404)}` },
		};
		expect((await post('/scenario', damaged)).warnings[0]).toContain('damaged');
	});

	test('one that is wrong anywhere changes nothing and says where', async () => {
		await scatter(engine, 1);
		const before = await digest();
		const wrong: [object, string, string][] = [
			[{ entities: [{ health: 5 }, { template: 'nobody' }] }, 'unknown_template', 'entities[1]'],
			[
				{ entities: [{ health: 5, components: { healt: {} } }] },
				'invalid_scenario',
				'entities[0].components.healt',
			],
			[
				{ entities: [{ components: { health: { current: 'x' } } }] },
				'invalid_scenario',
				'entities[0].components.health.current',
			],
			[{ entities: [{ id: 1 }, { id: 1 }] }, 'invalid_scenario', 'entities[1].id'],
			[{ entities: [{ parent: 12 }] }, 'invalid_scenario', 'entities[0]'],
			[
				{ rules: [{ when: 'death', filter: 'tema:1', actions: ['despawn this'] }] },
				'invalid_rule',
				'rules[0].filter',
			],
			[{ rules: [{ when: 'deth', actions: ['despawn this'] }] }, 'invalid_rule', 'rules[0].when'],
			[{ resources: { hudd: {} } }, 'invalid_scenario', 'resources.hudd'],
			[{ entitys: [] }, 'invalid_body', ''],
			[
				{ assertions: [{ name: 'a', condition: { type: 'exist' } }] },
				'invalid_body',
				'assertions[0].condition',
			],
		];
		for (const [document, code, path] of wrong) {
			const answer = await post('/scenario', document);
			expect(answer).toMatchObject({ ok: false, code });
			expect(answer.path ?? '').toContain(path);
			expect(await digest()).toBe(before);
		}
	});

	test('templates, overrides, rules and assertions take effect', async () => {
		const document = {
			version: 2,
			game: { mode: 'deathmatch', score_limit: 5, time_limit: 60, respawn_delay: 2, auto_start: true },
			templates: { base: { mesh: 'cube', health: 100, team: 1 }, minion: { health: 80, team: 2 } },
			entities: [
				{ template: 'base', position: [10, 0, 0], overrides: { health: 999 } },
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
		await post('/fork', { fork_id: 'f' });
		expect(await post('/fork/f/scenario', document)).toMatchObject({
			fork_id: 'f',
			entities_spawned: 3,
			rules: 1,
			assertions: 1,
			templates: 2,
		});
		expect((await get('/')).entity_count).toBe(0);
		expect((await get('/fork/f/observe')).entity_count).toBe(5);
		await post('/scenario', document);
		expect((await get('/')).entity_count).toBe(5);
		expect(await get('/entities/0')).toMatchObject({ health: [999, 999], team: 1 });
		expect((await get('/game/state')).phase).toBe('playing');
		expect((await get('/assert/list')).assertions[0].name).toBe('team1_alive');
		expect(await get('/scenario?exact=false')).toEqual(await get('/fork/f/scenario?exact=false'));
	});

	test('a bare host keeps position, scale, health and team only', async () => {
		const bare = await createEngine({ profile: 'bare' });
		await post(
			'/spawn',
			{ health: 5, team: 1, scale: [2, 2, 2], mesh: 'cube', velocity: { linear: [1, 0, 0] } },
			bare,
		);
		const document = await get('/scenario', bare);
		expect(document.exact).toBeUndefined();
		expect(document.entities).toEqual([{ position: [0, 0, 0], scale: [2, 2, 2], health: 5, team: 1 }]);
		expect(await post('/template/create', { name: 'x', health: 1 }, bare)).toMatchObject({
			ok: true,
			stored: false,
		});
		expect(await post('/template/spawn', { name: 'x' }, bare)).toMatchObject({
			ok: false,
			code: 'unknown_template',
		});
		await post('/scenario', { templates: { y: { health: 1 } } }, bare);
		expect(await post('/template/create', { name: 'x', health: 1 }, bare)).toMatchObject({ stored: true });
	});
});

describe('scenes and levels', () => {
	test('a scene restores the digest exactly, and what follows', async () => {
		await scatter(engine, 8);
		const before = await digest();
		await post('/scene/save', { path: 'a/scene.json' });
		const first = await future(50);
		await post('/reset');
		expect(await post('/scene/load', { path: 'a/scene.json' })).toMatchObject({
			ok: true,
			exact: true,
			state_digest: before,
		});
		expect(await future(50)).toEqual(first);
	});

	test('without its exact part it restores what the read-out holds; without entities it is refused', async () => {
		await put(engine, 'x.json', {});
		await post('/spawn', {
			health: 50,
			team: 2,
			position: [1, 2, 3],
			scale: [2, 1, 1],
			physics_body: 'Static',
			role: 'tower',
			tags: ['t'],
		});
		await post('/step');
		await post('/scene/save', { path: 's.json' });
		const { exact: _, ...scene } = JSON.parse(new TextDecoder().decode(files.get('s.json')!));
		expect(scene).toMatchObject({ version: 1, tick: 1 });
		await put(engine, 's.json', scene);
		expect(await post('/scene/load', { path: 's.json' })).toMatchObject({
			ok: true,
			exact: false,
			entity_count: 1,
		});
		const { entities } = await post('/observe');
		expect(entities[0]).toMatchObject({
			health: [50, 50],
			team: 2,
			role: 'Tower',
			tags: ['t'],
			physics_body: 'Static',
		});
		expect(entities[0].local_transform).toMatchObject({ position: [1, 2, 3], scale: [2, 1, 1] });
		const before = await digest();
		expect(await post('/scene/load', { path: 'x.json' })).toMatchObject({ ok: false, code: 'invalid_scene' });
		expect(await post('/scene/load', { path: '../x.json' })).toMatchObject({ ok: false });
		expect(await digest()).toBe(before);
	});

	test('what /level/save writes loads, and is added to what is there', async () => {
		await scatter(engine, 9);
		const plain = await get('/scenario?exact=false');
		await put(engine, 'none', {});
		await post('/level/save', { path: 'l.json' });
		const other = await createEngine();
		await put(other, 'none', {});
		expect(await post('/level/load', { path: 'l.json' }, other)).toMatchObject({
			entities_created: plain.entities.length,
			rules_created: plain.rules.length,
		});
		expect(await text('/scenario?exact=false', other).then(JSON.parse)).toMatchObject({
			rules: plain.rules,
			assertions: plain.assertions,
		});
		const count = (await get('/', other)).entity_count;
		await post('/level/load', { path: 'l.json' }, other);
		expect((await get('/', other)).entity_count).toBe(count * 2);
		const { entities } = await post('/observe', {}, other);
		const children = entities.filter((entity: { parent?: object }) => entity.parent);
		const half = children.length / 2;
		for (let i = 0; i < half; i++) expect(children[half + i].parent.id).toBeGreaterThanOrEqual(count);
	});

	test('rules of a level are texts or typed', async () => {
		const level = {
			entities: [{ health: 10 }],
			rules: [
				{ when: 'timer:5', filter: 'any', actions: ['spawn cube 0,0,0'] },
				{ when: { kind: 'death' }, actions: [{ action: 'despawn', target: 'this' }] },
			],
		};
		expect(await post('/level/load', { level })).toMatchObject({ entities_created: 1, rules_created: 2 });
		expect((await get('/rule/list')).count).toBe(2);
	});
});

describe('templates and prefabs', () => {
	test('are kept, shown, spawned and removed', async () => {
		await post('/template/create', {
			name: 'soldier',
			health: 100,
			team: 1,
			combat: true,
			combat_damage: null,
		});
		expect(await get('/template/list')).toMatchObject({ templates: ['soldier'], count: 1 });
		expect((await get('/template/soldier')).template).toEqual({ health: 100, team: 1, combat: true });
		const { entity_id } = await post('/template/spawn', { name: 'soldier', position: [1, 2, 3] });
		expect(await get(`/entities/${entity_id}`)).toMatchObject({
			health: [100, 100],
			team: 1,
			physics_body: 'Kinematic',
		});
		expect(await drop('/template/soldier')).toMatchObject({ deleted: 'soldier' });
		expect(await post('/template/spawn', { name: 'soldier' })).toMatchObject({ code: 'unknown_template' });
	});

	test('every built-in prefab spawns without a warning, and can be replaced', async () => {
		const { details } = await get('/prefab/list');
		expect(details.length).toBeGreaterThan(8);
		for (const { name } of details) {
			const spawned = await post('/prefab/spawn', { name });
			expect(spawned.warnings ?? []).toEqual([]);
		}
		await post('/step', { ticks: 30 });
		expect(await drop('/prefab/crate')).toMatchObject({ code: 'built_in_prefab' });
		await post('/prefab/register', { name: 'crate', health: 5 });
		const { entity_id } = await post('/prefab/spawn', { name: 'crate', position: [50, 0, 0] });
		expect((await get(`/entities/${entity_id}`)).health).toEqual([5, 5]);
		expect(await drop('/prefab/crate')).toMatchObject({ ok: true });
		expect(await post('/prefab/spawn', { name: 'crat' })).toMatchObject({ fix: 'Did you mean "crate"?' });
	});
});
