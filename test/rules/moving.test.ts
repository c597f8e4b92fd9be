/** Rules of projectiles, trigger zones, goals and sight, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const get = async (path: string) => (await call(engine, 'GET', path)).body;
const spawn = async (document: object): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });
const entity = (id: number) => get(`/entities/${id}`);
const health = async (id: number) => (await entity(id)).health[0];
const place = async (id: number) => (await entity(id)).local_transform.position;

describe('projectiles', () => {
	test('at 20 m/s from 0 to 5: gone on tick 14, damage on tick 15', async () => {
		const target = await spawn({ position: [5, 0, 0], health: 100 });
		const { entity_id } = await post('/projectile/spawn', {});
		expect(await entity(entity_id)).toMatchObject({
			projectile: true,
			projectile_data: { speed: 20, hits: 'others' },
		});
		await step(13);
		expect((await get('/projectile/list')).count).toBe(1);
		await step();
		expect((await get('/projectile/list')).count).toBe(0);
		expect(await health(target)).toBe(100);
		await step();
		expect(await health(target)).toBe(75);
	});

	test('step over nothing, however fast, and hit the nearest first', async () => {
		const far = await spawn({ position: [50, 0.2, 0], health: 100 });
		const near = await spawn({ position: [20, 0, 0.4], health: 100 });
		const beside = await spawn({ position: [10, 0, 0.5], health: 100 });
		await post('/projectile/spawn', { speed: 6000 });
		await step(2);
		expect([await health(far), await health(near), await health(beside)]).toEqual([100, 75, 100]);
	});

	test('spare their owner and, when they hit enemies only, its team; the owner is credited', async () => {
		const owner = await spawn({ team: 1, health: 100 });
		const friend = await spawn({ position: [2, 0, 0], team: 1, health: 100 });
		const enemy = await spawn({ position: [4, 0, 0], team: 2, health: 100 });
		await post('/projectile/spawn', { owner, hits: 'enemies', damage: 40 });
		await step(20);
		expect([await health(owner), await health(friend), await health(enemy)]).toEqual([100, 100, 60]);
		expect((await entity(enemy)).last_attacker).toEqual({ id: owner, generation: 0 });
		await post('/projectile/spawn', { owner, hits: 'all', damage: 40 });
		await step(2);
		expect(await health(owner)).toBe(60);
	});

	test('live 180 ticks in 3 s and pass the dead', async () => {
		await spawn({ position: [1, 0, 0], health: 0 });
		await step();
		await post('/projectile/spawn', { speed: 1, lifetime: 3 });
		await step(179);
		expect((await get('/projectile/list')).projectiles[0]).toMatchObject({ ticks_left: 1 });
		await step();
		expect((await get('/projectile/list')).count).toBe(0);
	});

	test('need a direction', async () => {
		const answer = await call(engine, 'POST', '/projectile/spawn', { direction: [0, 0, 0] });
		expect(answer.status).toBe(422);
		expect((await get('/')).entity_count).toBe(0);
	});
});

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

	test('amounts can be for a second', async () => {
		await post('/trigger/create', { action: 'damage:30', per: 'second' });
		const id = await spawn({ health: 100 });
		await step(61);
		expect(await health(id)).toBeCloseTo(70, 3);
	});

	test('heal at once, up to the maximum, and only the living', async () => {
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

	test('only what is strictly inside, and of the team asked for, is inside', async () => {
		await post('/trigger/create', { zone: [2, 1, 1], team: 1 });
		const edge = await spawn({ position: [2, 0, 0], health: 100, team: 1 });
		const inside = await spawn({ position: [1.99, 0, 0], health: 100, team: 1 });
		const other = await spawn({ position: [0, 0, 0], health: 100, team: 2 });
		await step(2);
		expect([await health(edge), await health(inside), await health(other)]).toEqual([100, 90, 100]);
	});

	test('once: acts on the first tick in which somebody is inside, and says so', async () => {
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
		expect(await place(id)).toEqual([0, 2, 30]);
		await step();
		expect(await place(id)).toEqual([9, 9, 9]);
		expect(await place(scenery)).toEqual([0, 0, 0]);
	});

	test('are listed, removed, and refused when they say nothing that is known', async () => {
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
		expect((await call(engine, 'DELETE', `/trigger/${entity_id}`)).body).toEqual({
			ok: true,
			deleted: entity_id,
		});
		expect((await get('/trigger/list')).count).toBe(0);
		expect((await call(engine, 'DELETE', `/trigger/${entity_id}`)).status).toBe(404);
		for (const action of ['burn:3', 'damage', 'damage:x', 'heal:-1', 'teleport', 'teleport:1,2'])
			expect((await call(engine, 'POST', '/trigger/create', { action })).status).toBe(422);
	});
});

describe('goals', () => {
	test('a patrol reaches waypoints at another height, faces where it goes, and loops', async () => {
		const id = await spawn({});
		await post('/ai/set', {
			entity_id: id,
			behavior: 'patrol',
			speed: 3,
			waypoints: [
				[3, 1, 0],
				[0, 0, 0],
			],
		});
		expect(await entity(id)).toMatchObject({ ai: 'patrol (2 waypoints)', ai_goal: { next: 0, speed: 3 } });
		await step(2);
		const { rotation } = (await entity(id)).local_transform;
		expect(rotation[1]).toBeCloseTo(-Math.SQRT1_2, 5);
		expect(rotation[3]).toBeCloseTo(Math.SQRT1_2, 5);
		await step(75);
		expect((await entity(id)).ai_goal.next).toBe(1);
		await step(75);
		expect((await entity(id)).ai_goal.next).toBe(0);
	});

	test('chase stops a metre away, flee gets ten metres away', async () => {
		const target = await spawn({ position: [6, 0, 0] });
		const hunter = await spawn({});
		const prey = await spawn({ position: [8, 0, 0] });
		await post('/ai/set', { entity_id: hunter, behavior: 'chase', target });
		await post('/ai/set', { entity_id: prey, behavior: 'flee', target });
		expect((await entity(hunter)).ai).toBe(`chase (target: ${target})`);
		await step(300);
		expect((await place(hunter))[0]).toBeCloseTo(5, 1);
		expect((await place(prey))[0]).toBeCloseTo(16, 1);
		expect((await entity(prey)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('a goal without its target stands; words are checked; the goal can be taken away', async () => {
		const id = await spawn({ velocity: { linear: [1, 0, 1] } });
		const { warnings, ai } = await post('/ai/set', { entity_id: id, behavior: 'chase' });
		expect([warnings.length, ai]).toEqual([1, 'chase (target: none)']);
		await step();
		expect((await entity(id)).velocity.linear).toEqual([0, 0, 0]);
		expect((await call(engine, 'POST', '/ai/set', { entity_id: id, behavior: 'run' })).status).toBe(422);
		expect((await call(engine, 'POST', '/ai/set', { behavior: 'idle' })).status).toBe(422);
		await post(`/entities/${id}/components`, { remove: ['ai'] });
		expect((await entity(id)).ai).toBeUndefined();
	});
});

describe('Kinematic bodies without a collider', () => {
	test('move exactly by their velocity and turn by their spin', async () => {
		const id = await spawn({
			physics_body: 'Kinematic',
			velocity: { linear: [6, 0.6, -3], angular: [0, Math.PI / 2, 0] },
		});
		await step(60);
		const { position, rotation } = (await entity(id)).transform;
		expect(position[0]).toBeCloseTo(6, 3);
		expect(position[1]).toBeCloseTo(0.6, 3);
		expect(position[2]).toBeCloseTo(-3, 3);
		expect(rotation[1]).toBeCloseTo(Math.SQRT1_2, 4);
		expect(rotation[3]).toBeCloseTo(Math.SQRT1_2, 4);
	});
});

describe('sight', () => {
	test('an observer sees itself and what all its rules allow; what nobody sees is hidden', async () => {
		const eye = await spawn({ team: 1 });
		const near = await spawn({ position: [5, 0, 0], team: 2, tags: ['gem'] });
		const far = await spawn({ position: [5.1, 0, 0], team: 2 });
		const friend = await spawn({ position: [1, 0, 0], team: 1 });
		await post('/view-filter/set', { entity_id: eye, rules: ['within:5', 'NOT:same-team'] });
		await step();
		expect((await entity(eye)).view_filter).toEqual(['within:5', 'NOT:same-team']);
		expect((await entity(near)).visible_to).toEqual([eye]);
		expect((await entity(far)).visible_to).toEqual([]);
		const seen = (await post(`/observe?viewer=${eye}`)).entities.map(({ id }: { id: number }) => id);
		expect(seen).toEqual([eye, near]);
		await post('/view-filter/set', { entity_id: friend, rules: ['tag:gem'] });
		await step();
		expect((await entity(near)).visible_to).toEqual([eye, friend]);
	});

	test('zone rules ask whether an entity is inside a trigger zone', async () => {
		const zone = (await post('/trigger/create', { position: [10, 0, 0], action: 'heal:0' })).entity_id;
		const eye = await spawn({});
		const inside = await spawn({ position: [10.5, 0, 0] });
		const outside = await spawn({ position: [11, 0, 0] });
		await post('/view-filter/set', { entity_id: eye, rules: [`zone:${zone}`] });
		await step();
		expect((await entity(inside)).visible_to).toEqual([eye]);
		expect((await entity(outside)).visible_to).toEqual([]);
	});

	test('when the last observer goes, so do the sets', async () => {
		const eye = await spawn({});
		const other = await spawn({});
		await post('/view-filter/set', { entity_id: eye, rules: ['not:always'] });
		await step();
		expect((await entity(other)).visible_to).toEqual([]);
		await post('/view-filter/set', { entity_id: eye, clear: true });
		await step();
		expect((await entity(other)).visible_to).toBeUndefined();
		expect((await entity(eye)).view_filter).toBeUndefined();
		expect((await post('/view-filter/set', { entity_id: eye, rules: ['near'] })).code).toBe(
			'invalid_view_rule',
		);
	});
});
