/** Navigation over HTTP: the mesh, ways on it, and entities that walk them. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
let post: TestEngine['post'];
let get: TestEngine['get'];
let step: TestEngine['step'];
let position: TestEngine['position'];
let must: (path: string, body?: unknown) => Promise<Json>;
beforeEach(async () => {
	engine = await startEngine();
	({ post, get, step, position } = engine);
	must = (path, body = {}) => engine.must('POST', path, body);
});
afterEach(() => engine.engine.close());

type Vector = readonly [number, number, number];

const block = (position: Vector, [hx, hy, hz]: Vector, more: Json = {}) =>
	engine.spawn({
		position: position,
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx, hy, hz },
		...more,
	});
const small = { min_x: -10, min_z: -10, max_x: 10, max_z: 10 };
const walk = (entity_id: number, target: Vector, more: Json = {}) =>
	must('/path/set', { entity_id, target, ...more });
const ended = async (): Promise<Json[]> =>
	(await engine.events()).filter(({ type }: Json) => type === 'PathEndedEvent');
const way = (from: Vector, to: Vector, more: Json = {}) => post('/path/compute', { from, to, ...more });

describe('the mesh', () => {
	test('of an empty world is the floor of the reference', async () => {
		expect(await post('/navmesh/generate', {})).toEqual({
			ok: true,
			width: 100,
			height: 100,
			blocked_cells: 0,
			total_cells: 10_000,
			places: 10_000,
			regions: 1,
		});
		const odd = { cell_size: 0.7, min_x: 0, max_x: 1, min_z: 0, max_z: 2 };
		expect(await post('/navmesh/generate', odd)).toMatchObject({ width: 2, height: 3 });
	});

	test('is blocked by static bodies, and by no moving ones', async () => {
		await block([0, 1, 0], [0.5, 1, 6]);
		for (const physics_body of ['Dynamic', 'Kinematic'])
			await engine.spawn({ position: [5, 1, 5], physics_body, collider: { shape: 'Sphere', radius: 1 } });
		expect(await post('/navmesh/generate', small)).toMatchObject({ blocked_cells: 24, total_cells: 400 });
		const { map } = await get('/navmesh?map=true');
		expect(map.slice(3, 6)).toEqual([
			'.'.repeat(20),
			`${'.'.repeat(9)}^^${'.'.repeat(9)}`,
			`${'.'.repeat(9)}^^${'.'.repeat(9)}`,
		]);
	});

	test('includes the top of a block without a step to it, at any size', async () => {
		const reset = () => post('/reset', { fresh: true });
		const rows = async () => (await get('/navmesh?map=true')).map as string[];
		const settings = { cell_size: 1, min_x: -10, min_z: -10, max_x: 10, max_z: 10, agent_radius: 0 };
		for (const half of [2, 8]) {
			await reset();
			await block([0, 1, 0], [half, 1, half]);
			await post('/navmesh/generate', settings);
			const edge = '.'.repeat(10 - half);
			expect((await rows())[9]).toBe(`${edge}${'^'.repeat(2 * half)}${edge}`);
		}
		// At the edge of the mesh, and as ground that is higher than the floor of the mesh or has none below it.
		await reset();
		await block([3, 1, 0], [7, 1, 10]);
		await post('/navmesh/generate', settings);
		expect((await rows())[9]).toBe(`${'.'.repeat(6)}${'^'.repeat(14)}`);
		await reset();
		await block([0, 1, 0], [10, 2, 10]);
		await block([0, 5, 0], [8, 2, 8]);
		await post('/navmesh/generate', { ...settings, floor: null });
		expect((await rows())[9]).toBe(`..${'^'.repeat(16)}..`);
		// A pit does not make the ground around it a top.
		await reset();
		for (const [x, half] of [
			[-6, 4],
			[6, 4],
		] as const)
			await block([x, 1, 0], [half, 2, 10]);
		await block([0, 1, -6], [2, 2, 4]);
		await block([0, 1, 6], [2, 2, 4]);
		await block([0, -2, 0], [2, 1, 2]);
		await post('/navmesh/generate', { ...settings, floor: null });
		expect((await rows())[9]).toBe('.'.repeat(20));
	});

	test('can be read, shown and removed, and is refused with a clear error without a mesh', async () => {
		for (const path of ['/navmesh/show', '/path/compute'])
			expect(await post(path, {})).toMatchObject({ ok: false, code: 'no_navmesh' });
		expect(await get('/navmesh')).toMatchObject({ ok: false, code: 'no_navmesh' });
		const id = await engine.spawn({ position: [0, 0, 0] });
		expect(await post('/path/set', { entity_id: id })).toMatchObject({ ok: false, code: 'no_navmesh' });
		await must('/navmesh/generate', { ...small, agent_height: 2 });
		const digest = await engine.digest();
		expect(await post('/navmesh/show', {})).toMatchObject({ ok: true, shown: true });
		expect(await get('/navmesh')).toMatchObject({
			shown: true,
			settings: { ...small, agent_height: 2, floor: 0 },
		});
		expect(await engine.digest()).toBe(digest);
		expect(await engine.remove('/navmesh')).toMatchObject({ ok: true });
		expect(await engine.remove('/navmesh')).toMatchObject({ ok: false, code: 'no_navmesh' });
	});

	test.each<readonly [string, Json, string]>([
		[
			'a billion cells',
			{ cell_size: 0.05, min_x: -800, max_x: 800, min_z: -800, max_z: 800 },
			'at most 1048576',
		],
		['no extent', { min_x: 5, max_x: 5 }, 'max_x'],
		['a radius of many cells', { cell_size: 0.1, agent_radius: 5, ...small }, 'agent_radius'],
		['steps higher than half of who walks', { step_height: 1, agent_height: 1.5 }, 'step_height'],
		[
			'an area that ends before it begins',
			{ areas: [{ min_x: 1, max_x: 0, min_z: 0, max_z: 1, cost: 2 }] },
			'at least min_x',
		],
		[
			'a cost that would be no cost',
			{ areas: [{ min_x: 0, max_x: 1, min_z: 0, max_z: 1, cost: 0.01 }] },
			'cost',
		],
		['cells of no size', { cell_size: 0 }, 'cell_size'],
		['a name that is misspelt', { cel_size: 1 }, 'cel_size'],
	])('of %s is refused in words, and nothing changes', async (_, settings, words) => {
		await must('/navmesh/generate', small);
		const before = engine.bytes();
		const { status, body } = await engine.call('POST', '/navmesh/generate', settings);
		expect(status).toBe(422);
		expect(body).toMatchObject({ ok: false });
		expect(`${body.error} ${body.fix} ${body.path}`).toContain(words);
		expect(engine.bytes()).toBe(before);
	});
});

describe('a path', () => {
	test('leads round obstacles, ends exactly at the goal, and changes nothing', async () => {
		await block([0, 1, 0], [0.5, 1, 6]);
		await must('/navmesh/generate', small);
		const before = engine.bytes();
		const found = await way([-4, 0, 0.25], [4, 3, 0]);
		expect(found).toMatchObject({ ok: true, count: 3, partial: false });
		expect(found.waypoints[2]).toEqual([4, 3, 0]);
		expect(Math.abs(found.waypoints[0][2])).toBe(6.5);
		expect(found.length).toBeGreaterThan(15);
		expect(found.length).toBeLessThan(18);
		expect(engine.bytes()).toBe(before);
	});

	test('that does not exist is answered with the reason, and partial leads to the nearest point', async () => {
		for (const [x, z] of [
			[0, -3],
			[0, 3],
			[-3, 0],
			[3, 0],
		] as const)
			await block([x, 1, z], z === 0 ? [0.5, 1, 3.5] : [3.5, 1, 0.5]);
		await must('/navmesh/generate', small);
		expect(await way([0, 0, 0], [8, 0, 0])).toMatchObject({
			ok: false,
			code: 'no_way',
			error: 'No way leads from [0, 0, 0] to [8, 0, 0].',
		});
		expect(await way([0, 0, 0], [90, 0, 0])).toMatchObject({
			ok: false,
			error: expect.stringContaining('is not walkable there'),
		});
		expect(await way([0, 0, 50], [0, 0, 0])).toMatchObject({
			ok: false,
			error: expect.stringContaining('No way begins'),
		});
		const near = await way([0, 0, 0], [8, 0, 0.5], { partial: true });
		expect(near).toMatchObject({ ok: true, partial: true });
		expect(near.waypoints.at(-1)).toEqual([1.5, 0, 0.5]);
	});

	test('avoids higher costs, prefers lower ones, and never enters cost 0', async () => {
		const area = { min_x: -3, max_x: 3, min_z: -6, max_z: 6 };
		const across = async (cost: number) => {
			await must('/navmesh/generate', { ...small, areas: [{ ...area, cost }] });
			return way([-8, 0, 0.5], [8, 0, 0.5]);
		};
		expect((await across(1)).count).toBe(1);
		const dear = await across(10);
		expect(Math.max(...dear.waypoints.map(([, , z]: Vector) => Math.abs(z)))).toBeGreaterThan(6);
		const closed = await across(0);
		expect(Math.abs(closed.length - dear.length)).toBeLessThan(1);
		await must('/navmesh/generate', {
			...small,
			areas: [{ min_x: -10, max_x: 10, min_z: 4, max_z: 6, cost: 0.2 }],
		});
		const road = await way([-9.5, 0, 0.5], [9.5, 0, 0.5]);
		expect(Math.max(...road.waypoints.map(([, , z]: Vector) => z))).toBeGreaterThan(4);
		expect(road.cost).toBeLessThan(road.length);
	});

	test('follows static bodies: a door that is closed, moved and opened', async () => {
		await block([0, 1, -5.5], [0.5, 1, 4.5]);
		await block([0, 1, 5.5], [0.5, 1, 4.5]);
		await must('/navmesh/generate', small);
		const through = () => way([-4, 0, 0], [4, 0, 0]);
		expect((await through()).length).toBeCloseTo(8);
		const door = await block([0, 1, 0], [0.5, 1, 1]);
		expect(await through()).toMatchObject({ ok: false, code: 'no_way' });
		await post(`/entities/${door}/components`, { transform: { position: [0, 1, 20] } });
		expect(await through()).toMatchObject({ ok: true });
		await post(`/entities/${door}/components`, { transform: { position: [0, 1, 0] } });
		expect(await through()).toMatchObject({ ok: false });
		await post('/despawn', { entity_id: door });
		expect(await through()).toMatchObject({ ok: true });
	});
});

describe('a walker', () => {
	test('arrives with an event, and can be read and stopped', async () => {
		await block([0, 1, 0], [0.5, 1, 6]);
		await must('/navmesh/generate', small);
		const id = await engine.spawn({ position: [-4, 0.5, 0] });
		await walk(id, [4, 0, 0], { speed: 4 });
		expect(await get(`/path/${id}`)).toMatchObject({
			state: 'waiting',
			goal: [4, 0, 0],
			speed: 4,
			waypoints: [],
		});
		await step(60);
		expect(await get('/path/list')).toMatchObject({ count: 1, paths: [{ entity_id: id, state: 'walking' }] });
		let events: Json[] = [];
		for (let tick = 0; tick < 300 && events.length === 0; tick++) {
			await step();
			events = await ended();
		}
		expect(events).toMatchObject([{ entity: id, outcome: 'arrived' }]);
		const [x, y, z] = (await position(id)) as unknown as Vector;
		expect([Math.abs(x - 4) < 0.06, y, Math.abs(z) < 0.06]).toEqual([true, 0.5, true]);
		expect(await get(`/path/${id}`)).toMatchObject({ state: 'arrived' });
		await walk(id, [-4, 0, 0]);
		await step(10);
		expect(await engine.remove(`/path/${id}`)).toMatchObject({ ok: true });
		const stopped = await position(id);
		await step(10);
		expect(await position(id)).toEqual(stopped);
		expect(await get(`/path/${id}`)).toMatchObject({ ok: false, code: 'no_path' });
		expect(await engine.remove(`/path/${id}`)).toMatchObject({ ok: false, code: 'no_path' });
	});

	test('that is invalid is refused: a child, a static body, a removed entity', async () => {
		await must('/navmesh/generate', small);
		const wall = await block([5, 0, 5], [1, 1, 1]);
		const child = await engine.spawn({ parent: wall });
		expect(await post('/path/set', { entity_id: wall })).toMatchObject({ code: 'cannot_walk' });
		expect(await post('/path/set', { entity_id: child })).toMatchObject({ code: 'cannot_walk' });
		expect(await post('/path/set', { entity_id: 99 })).toMatchObject({ code: 'entity_not_found' });
		expect(await post('/path/set', {})).toMatchObject({ ok: false, path: 'entity_id' });
	});

	test('without a path reports it once, and walks when there is one', async () => {
		await block([0, 1, 0], [0.5, 1, 12]);
		await must('/navmesh/generate', small);
		const id = await engine.spawn({ position: [-4, 0, 0] });
		await walk(id, [4, 0, 0]);
		await step();
		expect(await ended()).toMatchObject([
			{ outcome: 'no_way', reason: 'No way leads from [-4, 0, 0] to [4, 0, 0].' },
		]);
		await block([-8, 1, 8], [0.4, 1, 0.4]);
		await step(3);
		expect(await ended()).toEqual([]);
		expect(await get(`/path/${id}`)).toMatchObject({ state: 'no_way' });
		await post('/despawn', { entity_id: 0 });
		await step(2);
		expect(await get(`/path/${id}`)).toMatchObject({ state: 'walking' });
	});

	test('behind a closing door turns round, and stops without a mesh', async () => {
		await block([0, 1, -5.5], [0.5, 1, 4.5]);
		await block([0, 1, 4], [0.5, 1, 3]);
		await must('/navmesh/generate', small);
		const id = await engine.spawn({ position: [-6, 0, 0] });
		await walk(id, [6, 0, 0], { speed: 4 });
		await step(30);
		await block([0, 1, 0], [0.5, 1, 1]);
		await step();
		const { waypoints } = await get(`/path/${id}`);
		expect(Math.max(...waypoints.map(([, , z]: Vector) => z))).toBeGreaterThan(7);
		await step(400);
		expect(await get(`/path/${id}`)).toMatchObject({ state: 'arrived' });
		await walk(id, [-6, 0, 0]);
		await step(2);
		await engine.remove('/navmesh');
		await step();
		expect(await ended()).toMatchObject([{ outcome: 'no_way', reason: 'The world has no navigation mesh.' }]);
	});

	test('in a crowd does not pass through others, and all arrive', async () => {
		await must('/navmesh/generate', { min_x: -20, min_z: -20, max_x: 20, max_z: 20 });
		const ids: number[] = [];
		const count = 12;
		for (let i = 0; i < count; i++) {
			const angle = (i / count) * 2 * Math.PI;
			const [x, z] = [8 * Math.cos(angle), 8 * Math.sin(angle)];
			const id = await engine.spawn({ position: [x, 0, z] });
			ids.push(id);
			await walk(id, [0 - x, 0, 0 - z], { speed: 3 });
		}
		let least = Number.POSITIVE_INFINITY;
		let arrived = 0;
		for (let tick = 0; tick < 1200 && arrived < count; tick += 2) {
			await step(2);
			const places = (await post('/observe', { filter: 'component:path' })).entities.map(
				(entity: Json) => (entity.local_transform as Json).position as Vector,
			) as Vector[];
			for (const [i, a] of places.entries())
				for (const b of places.slice(0, i)) least = Math.min(least, Math.hypot(a[0] - b[0], a[2] - b[2]));
			const { paths } = await get('/path/list');
			arrived = paths.filter(({ state }: Json) => state === 'arrived').length;
		}
		expect(arrived).toBe(count);
		expect(least).toBeGreaterThan(0.99);
	});

	test('with a shared goal gathers round it', async () => {
		await must('/navmesh/generate', small);
		for (let i = 0; i < 9; i++) {
			const id = await engine.spawn({ position: [-8 + 2 * (i % 3), 0, -8 + 2 * Math.floor(i / 3)] });
			await walk(id, [5, 0, 5]);
		}
		await step(500);
		const { paths } = await get('/path/list');
		expect(paths.map(({ state }: Json) => state)).toEqual(new Array(9).fill('arrived'));
	});

	test('walks round obstacles that are not part of the mesh', async () => {
		await must('/navmesh/generate', small);
		const rock = await engine.spawn({
			position: [0, 0.5, 0],
			physics_body: 'Kinematic',
			collider: { shape: 'Sphere', radius: 1 },
		});
		const id = await engine.spawn({ position: [-5, 0, 0] });
		await walk(id, [5, 0, 0], { radius: 0.4 });
		let least = Number.POSITIVE_INFINITY;
		for (let i = 0; i < 200; i++) {
			await step();
			const [x = 0, , z = 0] = await position(id);
			least = Math.min(least, Math.hypot(x, z));
		}
		expect(least).toBeGreaterThan(1.35);
		expect(await get(`/path/${id}`)).toMatchObject({ state: 'arrived' });
		expect(await position(rock)).toEqual([0, 0.5, 0]);
	});

	test.each([
		['the way in which its team marches', 1],
		['against it', 2],
	])('fights on its way and then continues: %s', async (_, team) => {
		await must('/navmesh/generate', { min_x: -20, max_x: 20, min_z: -5, max_z: 5 });
		const creep = await engine.spawn({
			position: [-10, 0, 0],
			team,
			health: 500,
			combat: true,
			combat_damage: 50,
			combat_detect_range: 5,
			path: { goal: [10, 0, 0], speed: 4 },
		});
		const foe = await engine.spawn({ position: [0, 0, 0], team: 3 - team, health: 60 });
		await step(180);
		expect((await position(creep))[0]!).toBeLessThan(0);
		expect(await engine.health(foe)).toBeLessThan(60);
		await step(500);
		expect(await get(`/path/${creep}`)).toMatchObject({ state: 'arrived' });
		const [there] = await position(creep);
		expect(there).toBeCloseTo(10, 1);
		await step(60);
		expect((await position(creep))[0]).toBe(there);
	});
});

test('that is played follows paths where orders use them, and leaves them for keys', async () => {
	await block([0, 1, 0], [0.5, 1, 6]);
	await must('/navmesh/generate', small);
	const hero = await engine.spawn({ position: [-4, 0, 0], player: true });
	const go = () => must('/input/press', { action: 'move_or_attack', point: [4, 0, 0] });
	await go();
	await step(2);
	expect(await get('/path/list')).toMatchObject({ count: 0 });
	await must('/tuning', { players: { paths: true } });
	await go();
	await step(2);
	expect(await get(`/path/${hero}`)).toMatchObject({ state: 'walking', goal: [4, 0, 0] });
	expect((await engine.entity(hero)).ai).toBeUndefined();
	await must('/input/press', { action: 'move_right' });
	await step(2);
	expect(await get(`/path/${hero}`)).toMatchObject({ code: 'no_path' });
	await go();
	await step(400);
	expect(await get(`/path/${hero}`)).toMatchObject({ state: 'arrived' });
});

describe('rules', () => {
	test('send an entity to a point, react to its arrival, and call it back', async () => {
		await must('/navmesh/generate', small);
		const id = await engine.spawn({ position: [-4, 0, 0], tags: ['guard'], gold: 0 });
		await engine.rule({ when: 'tick:1', once: true, do: ['walk_to tag:guard 2,0,0 6'] });
		await engine.rule({
			when: 'arrived',
			filter: 'tag:guard',
			do: ['add_field this gold 5', 'walk_to this -4,0,0'],
		});
		await step(120);
		expect(await engine.gold(id)).toBe(5);
		expect(await get(`/path/${id}`)).toMatchObject({ goal: [-4, 0, 0], speed: 6 });
		await engine.rule({ when: 'tick:1', once: true, do: ['stop_walking tag:guard'] });
		await step(2);
		expect(await get('/path/list')).toMatchObject({ count: 0 });
		const wall = await block([8, 0, 8], [1, 1, 1]);
		await engine.rule({ when: 'tick:1', once: true, do: [`walk_to entity:${wall} 0,0,0`] });
		await step();
		const failed = (await engine.events()).find(({ type }: Json) => type === 'ActionFailedEvent');
		expect(failed).toMatchObject({ entity: wall, reason: 'cannot_walk' });
	});
});

describe('bit for bit the same', () => {
	/** A wall with a door, six walkers, and a box that falls. */
	async function village(): Promise<void> {
		await block([0, 1, -5.5], [0.5, 1, 4.5]);
		await block([0, 1, 5.5], [0.5, 1, 4.5]);
		await engine.spawn({
			position: [-2, 3, 0],
			physics_body: 'Dynamic',
			collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
		});
		await must('/navmesh/generate', {
			...small,
			cell_size: 0.5,
			areas: [{ min_x: -6, max_x: -3, min_z: -3, max_z: 0, cost: 3 }],
		});
		for (let i = 0; i < 6; i++) {
			const id = await engine.spawn({ position: [-8, 0, -5 + 2 * i] });
			await walk(id, [8, 0, 5 - 2 * i], { speed: 3 });
		}
		await step(40);
	}

	test('in a fork, in an exact copy, from a scenario, and in another run', async () => {
		await village();
		await must('/fork', { fork_id: 'b' });
		const scenario = await get('/scenario');
		const close = [
			'/spawn',
			{ position: [0, 1, 0], physics_body: 'Static', collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 1 } },
		] as const;
		const went = await engine.future(60);
		expect(await engine.future(60, 'b')).toEqual(went);
		const other = await startEngine();
		expect(await other.must('POST', '/scenario', scenario)).toMatchObject({ ok: true });
		expect(await other.future(60)).toEqual(went);
		// A door that closes is found out by all of them alike.
		for (const world of ['main', 'b']) await must(`${close[0]}?world=${world}`, close[1]);
		await other.must('POST', ...close);
		const closed = await engine.future(40);
		expect(await engine.future(40, 'b')).toEqual(closed);
		expect(await other.future(40)).toEqual(closed);
		other.engine.close();
	});

	test('the changes of a failed call to the mesh are undone', async () => {
		await village();
		const before = engine.bytes();
		const map = (await get('/navmesh?map=true')).map as string[];
		const failed = await post('/batch', {
			atomic: true,
			requests: [
				{
					path: '/spawn',
					body: {
						position: [5, 1, 5],
						physics_body: 'Static',
						collider: { shape: 'Aabb', hx: 2, hy: 1, hz: 2 },
					},
				},
				{ path: '/path/compute', body: { from: [-8, 0, 0], to: [8, 0, 0] } },
				{ path: '/navmesh/generate', body: { cell_size: 2 } },
				{ path: '/path/set', body: { entity_id: 12345 } },
			],
		});
		expect(failed).toMatchObject({ ok: false });
		expect(engine.bytes()).toBe(before);
		expect((await get('/navmesh?map=true')).map).toEqual(map);
		const fresh = await engine.future(20);
		expect(fresh).toHaveLength(20);
	});
});

describe('a grounded walker', () => {
	const walker = { position: [-6, 1, 0], physics_body: 'Kinematic', grounded: 0.5 };
	const hill = async () => {
		await must('/terrain/create', { width: 41, height: 41, centered: true });
		await must('/terrain/edit', { op: 'raise', space: 'world', x: 0, z: 0, radius: 6, amount: 2 });
		await block([4, 2, 0], [0.5, 3, 3]);
		await must('/navmesh/generate', { ...small, cell_size: 0.5, floor: null });
	};
	const lead: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
		keys: (entity_id) => must('/input/press', { key: 'ArrowRight', entity_id, hold: true }),
		'a velocity': (id) => must(`/entities/${id}/components`, { velocity: { linear: [4, 0, 0] } }),
		'a goal': (id) => must(`/entities/${id}/components`, { ai_patrol: [[9, 0, 0]], combat_speed: 4 }),
		'a fight': (id) => must(`/entities/${id}/components`, { health: 50, team: 1, combat: true }),
		'a script': async (entity_id) =>
			must('/script/load', {
				entity_id,
				source: 'function on_update(me) engine.set_velocity(me, 4, 0, 0) end',
			}),
	};
	test.each(Object.keys(lead))(
		'follows the ground up and down and not through obstacles: led by %s',
		async (by) => {
			await hill();
			const id = await engine.spawn({ ...walker, ...(by === 'keys' ? { player: true } : {}) });
			if (by === 'a fight') await engine.spawn({ position: [9, 0, 0], health: 90, team: 2 });
			await lead[by]!(id);
			const heights: number[] = [];
			let x = 0;
			for (let tick = 0; tick < 300; tick += 10) {
				await step(10);
				const [at, y, z] = await position(id);
				x = at!;
				const { height } = await get(`/terrain/height?x=${at}&z=${z}&space=world`);
				heights.push(height);
				expect(Math.abs(y! - height - 0.5)).toBeLessThan(0.15);
			}
			expect(Math.max(...heights)).toBeGreaterThan(1.7);
			// The wall begins at 3.5, and walkers keep half a metre away from it.
			expect(x).toBeGreaterThan(2);
			expect(x).toBeLessThan(3.2);
		},
	);

	describe('and walks by keys', () => {
		const pillar = (at: Vector, radius: number) =>
			engine.spawn({
				position: at,
				physics_body: 'Static',
				collider: { shape: 'Cylinder', radius, half_height: 2 },
			});
		const press = (entity_id: number, key: string, more: Json = {}) =>
			must('/input/press', { key, entity_id, hold: true, ...more });
		const hero = (z: number) => engine.spawn({ ...walker, position: [-6, 0.5, z], player: true });

		test.each([
			['ArrowRight', 0.7],
			['ArrowRight', -0.7],
			['ArrowRight', 1.6],
		])('slides along a rock that it meets at an angle: %s at %s', async (key, z) => {
			await pillar([0, 1, 0], 2);
			await must('/navmesh/generate', { ...small, cell_size: 0.5 });
			const id = await hero(z);
			await press(id, key);
			let passed = 0;
			for (; passed < 420; passed += 10) {
				await step(10);
				const [x, , at] = await position(id);
				// Not into the rock, nor far away from it.
				expect(Math.hypot(x!, at!)).toBeGreaterThan(2);
				expect(Math.abs(at!)).toBeLessThan(3.6);
				expect(Math.sign(at!)).toBe(Math.sign(z));
				if (x! > 4) break;
			}
			expect(passed).toBeLessThan(420);
		});

		test('stops before a wall that it meets straight, in a corner and in a notch', async () => {
			await block([2, 1, -6], [0.5, 2, 3]);
			await block([2, 1, 0], [0.5, 2, 2]);
			await block([0, 1, 2.5], [2.5, 2, 0.5]);
			for (const z of [-1, 1]) await pillar([3, 1, 7 + z * 1.4], 1.3);
			await must('/navmesh/generate', { ...small, cell_size: 0.5 });
			const all = [await hero(-6), await hero(1.2), await hero(7)];
			for (const id of all) await press(id, 'ArrowRight');
			await step(240);
			const positions = await Promise.all(all.map((id) => position(id)));
			await step(1);
			expect(await Promise.all(all.map((id) => position(id)))).toEqual(positions);
			await step(60);
			expect(await Promise.all(all.map((id) => position(id)))).toEqual(positions);
			expect(positions.map(([, , z]) => Math.round(z! * 10) / 10)).toEqual([-6, 1.2, 7]);
			for (const [x] of positions) expect(x!).toBeLessThan(2);
		});

		test('a fork slides to the same digest, and peek agrees', async () => {
			await pillar([0, 1, 0], 2);
			await must('/navmesh/generate', { ...small, cell_size: 0.5 });
			await press(await hero(0.7), 'ArrowRight');
			await step(75);
			await must('/fork', { fork_id: 'same' });
			const foreseen = (await must('/peek', {})).distribution;
			const { state_digest } = await step(1);
			expect(foreseen).toEqual([expect.objectContaining({ state_digest })]);
			const later = await step(99);
			expect((await must('/fork/same/step', { ticks: 100 })).state_digest).toBe(later.state_digest);
		});
	});
});
