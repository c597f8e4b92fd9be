/** Rules of dying: respawning and corpses. */

import { describe, expect, test } from 'vitest';
import { fighter, playing } from '../../support/playing.ts';

const { call, post, get, spawn, rule, step, kill, entity, health, position, events } = playing();

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

	test('each death is one event, also a second death of the same entity', async () => {
		const id = await spawn({ health: 50, team: 1 });
		const deaths = async () =>
			(await call('GET', '/events')).body.events.filter(({ type }: { type: string }) => type === 'DeathEvent')
				.length;
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

	test('an entity without a team stays dead', async () => {
		const id = await spawn({ health: 50 });
		await kill(id);
		await step(1000);
		expect((await entity(id)).dead).toBe(true);
	});

	test('an entity that cannot have health does not return', async () => {
		const id = await spawn({ health: 0, team: 1 });
		await step(700);
		expect((await entity(id)).dead).toBe(true);
		const { events } = (await call('GET', '/events')).body;
		expect(events).toEqual([]);
	});

	test('removing the timer keeps an entity dead, and restored health stops the timer', async () => {
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
	expect((await call('GET', `/entities/${id}`)).status).toBe(404);
});

test('bodies without room on a full spawn point return where they fell', async () => {
	await spawn({ position: [50, 1, 0], spawn_point: 1 });
	const body = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 }, team: 1, health: 1 };
	const ids: number[] = [];
	for (let i = 0; i < 220; i++)
		ids.push(await spawn({ ...body, position: [(i % 16) * 2, 0, Math.floor(i / 16) * 2] }));
	for (const id of ids) await kill(id);
	await step(301);
	const { entities } = await post('/observe');
	const living = entities.filter(
		(entity: { health?: unknown; dead?: true }) => entity.health && !entity.dead,
	);
	expect(living).toHaveLength(220);
	const moved = living.filter(
		({ local_transform }: { local_transform: { position: number[] } }) => local_transform.position[0]! > 40,
	);
	expect(moved).toHaveLength(200);
});

describe('returned entities', () => {
	test.each([
		['without a role', {}, 'returns'],
		['hero', { role: 'hero' }, 'returns'],
		['tower', { role: 'tower' }, 'returns'],
		['structure', { role: 'structure' }, 'returns'],
		['minion', { role: 'minion' }, 'is removed'],
		['minion without a team', { role: 'minion', team: undefined }, 'lies'],
		['without a team', { team: undefined }, 'lies'],
		['tower that is a building', { building_type: 'tier1_tower' }, 'lies'],
	])('%s: %s %s', async (_, document, fate) => {
		const id = await spawn({ health: 50, team: 1, ...document });
		await kill(id);
		await step(121);
		expect((await call('GET', `/entities/${id}`)).status).toBe(fate === 'is removed' ? 404 : 200);
		await step(200);
		const { dead } = await entity(id);
		if (fate !== 'is removed') expect(dead).toBe(fate === 'lies' ? true : undefined);
	});

	test('have full health, no target and no last attacker, and keep the rest', async () => {
		const ability = { slot: 'Q', name: 'It', cooldown: 100, mana_cost: 30, effect: { Heal: { amount: 1 } } };
		const id = await spawn(
			fighter(1, 0, {
				combat_style: 'stationary',
				combat_range: 9,
				combat_damage: 0,
				mana: 100,
				mana_regen: 0,
				gold: 3,
				tags: ['old'],
				abilities: [ability],
				effects: [{ tag: 'aura', permanent: true, modifiers: ['luck:add:1'] }],
			}),
		);
		const enemy = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await post('/ability/use', { entity_id: id });
		await step();
		expect((await entity(id)).combat_state.target.id).toBe(enemy);
		await kill(id, enemy);
		await step(300);
		expect(await entity(id)).toMatchObject({ dead: true, last_attacker: { id: enemy } });
		await post('/despawn', { entity_id: enemy, entity_generation: 0 });
		await step();
		const back = await entity(id);
		expect(back).toMatchObject({
			health: [100, 100],
			mana: [70, 100],
			gold: 3,
			level: 1,
			tags: ['old'],
			combat_state: { target: null, override: null },
			effects: [{ tag: 'aura' }],
		});
		expect(back.last_attacker).toBeUndefined();
		expect((await get(`/ability/list/${id}`)).abilities[0]).toMatchObject({ ready: false, ready_at: 6000 });
	});

	test('get no healing over time and are not invulnerable', async () => {
		await post('/game/create', { respawn_delay: 0 });
		const id = await spawn({ health: 50, team: 1 });
		await kill(id);
		await step();
		await post('/entity/damage', { entity_id: id, amount: 20 });
		await step();
		expect(await health(id)).toBe(30);
		await step(120);
		expect(await health(id)).toBe(30);
	});

	test('keep the velocity of their death, unless they are fighters', async () => {
		const id = await spawn({
			health: 50,
			team: 1,
			physics_body: 'Kinematic',
			velocity: { linear: [0, 6, 0] },
		});
		await kill(id);
		await step(301);
		expect((await entity(id)).velocity.linear).toEqual([0, 6, 0]);
		const [, y] = await position(id);
		await step(10);
		expect((await position(id))[1]! - y!).toBeCloseTo(1, 4);
	});
});

describe('the dead', () => {
	test('are no target of blows and projectiles, stand still by their goals, and get no mana', async () => {
		const striker = await spawn(fighter(1, 0, { combat_style: 'stationary', combat_range: 9 }));
		const id = await spawn({
			position: [2, 0, 0],
			team: 2,
			health: 10,
			mana: 50,
			ai_patrol: [[2, 0, 99]],
			abilities: [{ slot: 'Q', name: 'It', cooldown: 0, mana_cost: 20, effect: { Heal: { amount: 1 } } }],
		});
		await post('/ability/use', { entity_id: id });
		await step();
		const mana = async () => (await entity(id)).mana[0];
		await kill(id);
		await step();
		const manaAtDeath = await mana();
		await post('/projectile/spawn', { from: [1, 0, await zOf(id)], speed: 60 });
		await step(10);
		expect((await entity(striker)).combat_state.target).toBeNull();
		expect((await get('/projectile/list')).count).toBe(1);
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
		expect(await mana()).toBe(manaAtDeath);
	});

	test('cannot be damaged, healed or made to cast; a zone does not heal them', async () => {
		const id = await spawn({ health: 10 });
		await kill(id);
		await step();
		for (const path of ['/entity/damage', '/entity/heal'])
			expect(await post(path, { entity_id: id, amount: 5 })).toMatchObject({
				ok: false,
				code: 'entity_dead',
			});
		await post('/trigger/create', { action: 'heal:5' });
		await step(3);
		expect(await entity(id)).toMatchObject({ dead: true, health: [0, 10] });
	});

	test.each([
		{ action: 'set_field', value: 7 },
		{ action: 'add_field', value: 7 },
	])('live again if a rule gives them health: $action', async (gift) => {
		const id = await spawn({ health: 10, team: 1, role: 'minion' });
		await kill(id);
		await step(60);
		await rule({
			when: 'tick:1',
			once: true,
			actions: [{ ...gift, target: { entity: id }, field: 'health' }],
		});
		await step(300);
		const back = await entity(id);
		expect(back.health).toEqual([7, 10]);
		for (const key of ['dead', 'corpse_timer', 'respawn_timer']) expect(back).not.toHaveProperty(key);
		await kill(id);
		await step();
		expect(await entity(id)).toMatchObject({ dead: true, health: [0, 10] });
	});

	test('stay dead if a rule changes only their maximum, or gives no health', async () => {
		const id = await spawn({ health: 10 });
		await kill(id);
		await step();
		const target = { entity: id };
		await rule({
			when: 'tick:1',
			once: true,
			actions: [
				{ action: 'set_field', target, field: 'health.max', value: 50 },
				{ action: 'set_field', target, field: 'health', value: 0 },
			],
		});
		await step(2);
		expect(await entity(id)).toMatchObject({ dead: true, health: [0, 50] });
	});

	const zOf = async (id: number) => (await position(id))[2];
});

test('damage without a source keeps the last attacker, which is credited with the death', async () => {
	const killer = await spawn({ team: 1, health: 5 });
	const id = await spawn({ team: 2, health: 100 });
	await post('/entity/damage', { entity_id: id, amount: 1, source: killer });
	await step();
	await kill(id);
	await step();
	const [death] = (await events()).filter(({ type }) => type === 'DeathEvent');
	expect(death).toMatchObject({ entity: id, killer });
});

test('a delay beyond the last possible tick is endless', async () => {
	await post('/game/create', { respawn_delay: 71_582_789 });
	const id = await spawn({ team: 1, health: 5 });
	await kill(id);
	await step(100);
	expect(await entity(id)).toMatchObject({ dead: true, respawn_timer: { at: 0xffffffff } });
});

test('traces of an earlier death are gone: a former minion leaves no corpse', async () => {
	const id = await spawn({ team: 1, health: 5, role: 'minion' });
	await kill(id);
	await step(60);
	await post(`/entities/${id}/components`, { health: 5, role: 'hero' });
	await kill(id);
	await step(100);
	expect(await entity(id)).toMatchObject({ dead: true, respawn_timer: { at: 360 } });
});
