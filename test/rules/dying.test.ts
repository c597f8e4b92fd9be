/** Rules of dying, as claims over calls: respawning, corpses, loot, buildings. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const spawn = async (document: object): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });
const get = async (id: number) => call(engine, 'GET', `/entities/${id}`);
const entity = async (id: number) => (await get(id)).body;
const kill = (id: number, source?: number) => post('/entity/damage', { entity_id: id, amount: 1e6, source });

describe('respawning', () => {
	test('without a match the dead of a team return after 300 ticks, at the spawn point with the lowest id', async () => {
		await spawn({ position: [7, 0, 0], spawn_point: 2 });
		await spawn({ position: [5, 1, 5], spawn_point: 1 });
		await spawn({ position: [9, 9, 9], spawn_point: 1 });
		const id = await spawn({ health: 50, team: 1, role: 'tower' });
		await kill(id);
		await step();
		expect(await entity(id)).toMatchObject({ dead: true, respawn_timer: { at: 300 } });
		await step(299);
		expect((await entity(id)).dead).toBe(true);
		await step();
		const back = await entity(id);
		expect(back.dead).toBeUndefined();
		expect(back.respawn_timer).toBeUndefined();
		expect(back.last_attacker).toBeUndefined();
		expect(back.health).toEqual([50, 50]);
		expect(back.local_transform.position).toEqual([5, 1, 5]);
	});

	test('without a spawn point they return at (0, 2, 0)', async () => {
		const id = await spawn({ position: [4, 0, 0], health: 50, team: 3 });
		await kill(id);
		await step(301);
		expect((await entity(id)).local_transform.position).toEqual([0, 2, 0]);
	});

	test("in a match the delay is the match's: 3 s are 180 ticks, 0 s is the tick of the death", async () => {
		await post('/game/create', { mode: 'deathmatch', respawn_delay: 3, score_limit: 99 });
		const id = await spawn({ health: 50, team: 1 });
		await kill(id);
		await step(180);
		expect((await entity(id)).dead).toBe(true);
		await step();
		expect((await entity(id)).dead).toBeUndefined();
		await post('/game/create', { mode: 'deathmatch', respawn_delay: 0, score_limit: 99 });
		await post(`/entities/${id}/components`, { transform: { position: [9, 9, 9] } });
		await kill(id);
		await step();
		expect(await entity(id)).toMatchObject({ health: [50, 50], local_transform: { position: [0, 2, 0] } });
		expect((await entity(id)).dead).toBeUndefined();
		await post(`/entities/${id}/components`, { transform: { position: [9, 9, 9] } });
		await step(5);
		expect((await entity(id)).local_transform.position).toEqual([9, 9, 9]);
	});

	test('each death is one event, also the second of the same entity', async () => {
		const id = await spawn({ health: 50, team: 1 });
		const deaths = async () =>
			(await call(engine, 'GET', '/events')).body.events.filter(
				({ type }: { type: string }) => type === 'DeathEvent',
			).length;
		await kill(id);
		await step();
		expect(await deaths()).toBe(1);
		await step(10);
		expect(await deaths()).toBe(0);
		await step(300);
		await kill(id);
		await step();
		expect(await deaths()).toBe(1);
	});

	test('who has no team lies for ever', async () => {
		const id = await spawn({ health: 50 });
		await kill(id);
		await step(1000);
		expect((await entity(id)).dead).toBe(true);
	});

	test('who can have no health does not return', async () => {
		const id = await spawn({ health: 0, team: 1 });
		await step(700);
		expect((await entity(id)).dead).toBe(true);
		const { events } = (await call(engine, 'GET', '/events')).body;
		expect(events).toEqual([]);
	});

	test('taking the timer away keeps the dead dead; giving health back stops it', async () => {
		const id = await spawn({ health: 50, team: 1 });
		await kill(id);
		await step();
		await post(`/entities/${id}/components`, { remove: ['respawn_timer'] });
		await step(400);
		expect((await entity(id)).dead).toBe(true);
		await post(`/entities/${id}/components`, { health: 20 });
		await step(400);
		expect((await entity(id)).dead).toBeUndefined();
	});
});

test('the corpse of a minion is removed 120 ticks after its death', async () => {
	const id = await spawn({ health: 50, team: 1, role: 'minion' });
	await kill(id);
	await step(120);
	expect((await entity(id)).dead).toBe(true);
	await step();
	expect((await get(id)).status).toBe(404);
});

test('bodies that would be heaped on a full spawn point live again where they fell', async () => {
	await spawn({ position: [50, 1, 0], spawn_point: 1 });
	const body = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 }, team: 1, health: 1 };
	const ids: number[] = [];
	for (let i = 0; i < 160; i++)
		ids.push(await spawn({ ...body, position: [(i % 16) * 2, 0, Math.floor(i / 16) * 2] }));
	for (const id of ids) await kill(id);
	await step(301);
	const { entities } = await post('/observe');
	const living = entities.filter((shown: { health?: unknown; dead?: true }) => shown.health && !shown.dead);
	expect(living).toHaveLength(160);
	const moved = living.filter(
		({ local_transform }: { local_transform: { position: number[] } }) => local_transform.position[0]! > 40,
	);
	expect(moved).toHaveLength(150);
});

describe('loot', () => {
	test('is decided once for each death, with exact chances', async () => {
		const killer = await spawn({ gold: 10 });
		const id = await spawn({
			position: [3, 0, 0],
			health: 10,
			loot: [
				{ label: 'gold', weight: '1/3', gold: 90 },
				{ label: 'chest', weight: '2/3', spawn: { mesh: 'cube', tags: ['chest'], position: [0, 1, 0] } },
			],
		});
		await kill(id, killer);
		const { sampled } = await step();
		expect(sampled).toHaveLength(1);
		expect(sampled[0]).toMatchObject({ rule: 'loot', entity: id });
		const { entities } = await post('/observe');
		const chest = entities.find(({ tags }: { tags?: string[] }) => tags?.includes('chest'));
		if (sampled[0].label === 'gold') {
			expect(sampled[0].probability).toEqual({ num: '1', den: '3' });
			expect((await entity(killer)).gold).toBe(100);
			expect(chest).toBeUndefined();
		} else {
			expect(sampled[0].probability).toEqual({ num: '2', den: '3' });
			expect((await entity(killer)).gold).toBe(10);
			expect(chest.local_transform.position).toEqual([3, 1, 0]);
		}
		expect((await step(5)).sampled ?? []).toEqual([]);
	});

	test('a body appears only where there is room', async () => {
		const spawned = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
		for (let i = 0; i < 150; i++) await spawn({ ...spawned, position: [0, 0, 0] });
		const id = await spawn({ health: 1, loot: [{ label: 'ball', weight: 1, spawn: spawned }] });
		await kill(id);
		expect((await step()).ok).toBe(true);
	});

	test('a table in which nothing can happen is refused', async () => {
		const { status } = await call(engine, 'POST', '/spawn', {
			health: 1,
			loot: [{ label: 'none', weight: 0 }],
		});
		expect(status).toBe(422);
	});
});

describe('buildings', () => {
	test('have armour: 12 for a tower of the first tier', async () => {
		const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
		await post('/entity/damage', { entity_id: tower, amount: 172 });
		await step();
		expect((await entity(tower)).health[0]).toBeCloseTo(1700, 3);
	});

	test('are protected from enemies while no enemy minion is near, and heal back to what the minions left', async () => {
		const house = await spawn({ building_type: 'effigy', team: 1 });
		expect((await entity(house)).backdoor).toBeUndefined();
		const tower = await spawn({ building_type: 'ancient', team: 1 });
		const enemy = await spawn({ position: [30, 0, 0], team: 2, health: 10 });
		const hit = () =>
			post('/entity/damage', { entity_id: tower, amount: 100, category: 'pure', source: enemy });
		await hit();
		await step();
		expect((await entity(tower)).health[0]).toBe(4460);
		await step(250);
		expect((await entity(tower)).health[0]).toBe(4500);
		const minion = await spawn({ position: [15, 0, 0], team: 2, health: 10, role: 'minion' });
		await hit();
		await step();
		expect(await entity(tower)).toMatchObject({ health: [4400, 4500], backdoor: { active: 0 } });
		await step(100);
		await post('/despawn', { entity_id: minion, entity_generation: 0 });
		await step(100);
		expect(await entity(tower)).toMatchObject({
			health: [4400, 4500],
			backdoor: { active: 1, restore_to: 4400 },
		});
	});

	test('lie in ruins when they are destroyed', async () => {
		const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
		await kill(tower);
		await step(1000);
		expect((await entity(tower)).dead).toBe(true);
	});

	test('a fountain has no health and still shoots', async () => {
		const fountain = await spawn({ building_type: 'fountain', team: 1 });
		const enemy = await spawn({ position: [5, 0, 0], team: 2, health: 1000 });
		await step(20);
		expect((await entity(fountain)).health).toBeUndefined();
		expect((await entity(enemy)).health[0]).toBe(400);
	});
});
