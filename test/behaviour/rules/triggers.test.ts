/** Rules of trigger zones. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, spawn, rule, step, entity, health, position } = playing();

describe('trigger zones', () => {
	test('10 damage a tick: dead on the 11th tick, credited to the zone', async () => {
		const zone = (await post('/trigger/create', {})).entity_id;
		const id = await spawn({ health: 100 });
		expect((await entity(zone)).trigger_zone).toBe('Damage { amount: 10.0 }');
		await step(10);
		expect(await health(id)).toBe(10);
		await step();
		expect((await entity(id)).dead).toBe(true);
		expect((await entity(id)).last_attacker.id).toBe(zone);
	});

	test('amounts can be per second', async () => {
		await post('/trigger/create', { action: 'damage:30', per: 'second' });
		const id = await spawn({ health: 100 });
		await step(61);
		expect(await health(id)).toBe(70);
		await post('/trigger/create', { position: [50, 0, 0], action: 'heal:20', per: 'second' });
		const other = await spawn({ position: [50, 0, 0], health: 100 });
		await post('/entity/damage', { entity_id: other, amount: 50 });
		await step(60);
		expect(await health(other), '20 in 60 ticks, to the bit').toBe(70);
	});

	test('heal immediately, up to the maximum, and only living entities', async () => {
		await post('/trigger/create', { action: 'heal:7' });
		const id = await spawn({ health: 100 });
		const dead = await spawn({ health: 10 });
		await post('/entity/damage', { entity_id: id, amount: 10 });
		await post('/entity/damage', { entity_id: dead, amount: 10 });
		await step();
		expect(await health(id)).toBe(97);
		await step();
		expect(await health(id)).toBe(100);
		expect(await health(dead)).toBe(0);
	});

	test('contain entities strictly inside, of the team that they name', async () => {
		await post('/trigger/create', { zone: [2, 1, 1], team: 1 });
		const edge = await spawn({ position: [2, 0, 0], health: 100, team: 1 });
		const inside = await spawn({ position: [1.99, 0, 0], health: 100, team: 1 });
		const other = await spawn({ position: [0, 0, 0], health: 100, team: 2 });
		await step(2);
		expect([await health(edge), await health(inside), await health(other)]).toEqual([100, 90, 100]);
	});

	test('with once act only on the first tick with an entity inside, and report it', async () => {
		await post('/trigger/create', { once: true });
		await step(5);
		const id = await spawn({ health: 100 });
		await step(5);
		expect(await health(id)).toBe(90);
		expect((await get('/trigger/list')).triggers[0]).toMatchObject({ once: true, spent: true });
	});

	test('teleport', async () => {
		await post('/trigger/create', { action: 'teleport:0,2,30' });
		await post('/trigger/create', {
			position: [0, 2, 30],
			action: 'teleport',
			target: [9, 9, 9],
			zone: [2, 2, 2],
		});
		const id = await spawn({ health: 100 });
		const scenery = await spawn({ mesh: 'cube' });
		await step();
		expect(await position(id)).toEqual([0, 2, 30]);
		await step();
		expect(await position(id)).toEqual([9, 9, 9]);
		expect(await position(scenery)).toEqual([0, 0, 0]);
	});

	test('apply an effect to every entity inside, credited to the zone', async () => {
		const effect = {
			tag: 'mud',
			duration: 0.1,
			stack_policy: 'refresh',
			modifiers: ['move_speed:multiply:0.5'],
			tick_effect: 'dps:60',
		};
		const zone = (await post('/trigger/create', { action: 'effect', effect, team: 1 })).entity_id;
		const walker = await spawn({
			health: 100,
			team: 1,
			position: [0.5, 0, 0],
			ai_patrol: [[50, 0, 0]],
		});
		const enemy = await spawn({ health: 100, team: 2 });
		const effects = async (id: number) => (await get(`/effect/list/${id}`)).effects;
		await step(2);
		expect(await effects(walker)).toMatchObject([{ tag: 'mud', source: zone }]);
		expect(await effects(enemy)).toEqual([]);
		expect((await entity(walker)).velocity.linear[0]).toBeCloseTo(1.5, 5);
		expect((await entity(walker)).last_attacker.id).toBe(zone);
		await step(30);
		expect((await position(walker))[0]).toBeGreaterThan(1);
		expect((await entity(walker)).velocity.linear[0]).toBe(3);
		expect(await effects(walker)).toEqual([]);
		const { triggers } = await get('/trigger/list');
		expect(triggers[0]).toMatchObject({ kind: 'effect', action: 'effect', effect });
		expect((await entity(zone)).trigger_zone).toBe('Effect');
		const document = await get('/scenario?exact=false');
		await post('/scenario', document);
		expect((await get('/trigger/list')).triggers).toEqual([{ ...triggers[0], generation: 1 }]);
	});

	test('can be moved and resized by rules: a closing ring', async () => {
		const zone = (await post('/trigger/create', { zone: [3, 1, 3], action: 'heal:1' })).entity_id;
		await rule({
			when: 'tick:1',
			actions: [`add_field entity:${zone} trigger_zone.half.x -0.5`, `add_field entity:${zone} x 1`],
		});
		await step(2);
		expect((await get('/trigger/list')).triggers[0]).toMatchObject({ position: [2, 0, 0], zone: [2, 1, 3] });
	});

	test('use origins: colliders and scale do not count, nor other zones', async () => {
		const outer = (await post('/trigger/create', { zone: [1, 1, 1] })).entity_id;
		const inner = (await post('/trigger/create', { zone: [1, 1, 1] })).entity_id;
		const big = await spawn({
			position: [1, 0, 0],
			health: 100,
			scale: [9, 9, 9],
			physics_body: 'Kinematic',
			collider: { shape: 'Sphere', radius: 5 },
		});
		await step(3);
		expect(await health(big)).toBe(100);
		expect((await entity(outer)).last_attacker).toBeUndefined();
		expect((await entity(inner)).last_attacker).toBeUndefined();
	});

	test.each([[[0, 1, 1]], [[-1, 1, 1]]])(
		'with the extents %j contain nothing, and report it',
		async (zone) => {
			expect((await post('/trigger/create', { zone })).warnings).toHaveLength(1);
			const id = await spawn({ health: 100 });
			await step(3);
			expect(await health(id)).toBe(100);
		},
	);

	test('score for their own kills, and earn nothing for them', async () => {
		await post('/game/create', {});
		const zone = (await post('/trigger/create', { action: 'damage:100' })).entity_id;
		await spawn({ health: 10, team: 1, gold_bounty: 5 });
		await step(3);
		expect((await get('/game/state')).scores).toMatchObject([{ entity: zone, team: null, score: 1 }]);
		expect((await entity(zone)).gold).toBeUndefined();
	});

	test('ignore bodies without health, unless they teleport', async () => {
		await post('/trigger/create', { action: 'damage:5' });
		await post('/trigger/create', { action: 'heal:5' });
		await post('/trigger/create', { action: 'effect', effect: { tag: 'x' } });
		const body = await spawn({ physics_body: 'Kinematic' });
		await step(2);
		expect((await get('/events')).count).toBe(0);
		expect((await entity(body)).effects).toBeUndefined();
		await post('/trigger/create', { action: 'teleport:7,0,0' });
		await step();
		expect(await position(body)).toEqual([7, 0, 0]);
	});

	test('are listed, removed, and refused without a known effect', async () => {
		const { entity_id } = await post('/trigger/create', { action: 'Heal:5', position: [1, 2, 3], team: 4 });
		expect((await get('/trigger/list')).triggers).toEqual([
			expect.objectContaining({
				id: entity_id,
				action: 'heal:5',
				position: [1, 2, 3],
				zone: [1, 1, 1],
				team: 4,
			}),
		]);
		expect((await call('DELETE', `/trigger/${entity_id}`)).body).toEqual({
			ok: true,
			deleted: entity_id,
		});
		expect((await get('/trigger/list')).count).toBe(0);
		expect((await call('DELETE', `/trigger/${entity_id}`)).body.ok).toBe(false);
		for (const action of [
			'burn:3',
			'damage',
			'damage:x',
			'heal:-1',
			'teleport',
			'teleport:1,2',
			'effect',
			'effect:x',
		])
			expect((await call('POST', '/trigger/create', { action })).status).toBe(422);
	});
});
