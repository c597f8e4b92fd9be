/**
 * The eleven documented differences of a bare host from a full one, as a table of checks for every bare host.
 * Owns: the rows. A point about routes that are not declared yet has no row, but lists these routes.
 */

import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import type { clientOf } from '../support/engine.ts';

type Client = ReturnType<typeof clientOf>;

interface Row {
	readonly point: number;
	readonly statement: string;
	/** Checks the statement on a fresh host. */
	readonly check: (host: Client) => Promise<void>;
}

const POINTS = 11;

/** Paths that a point waits for. When one is declared, the point needs a row. */
export const AWAITED: Readonly<Record<number, readonly string[]>> = {
	6: ['/input/bind', '/input/list', '/input/context/push'],
};

/** Five milliseconds of a tone. */
const BEEP =
	'UklGRkwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSgAAACAut/fuoBFICBFf7rf37qARSAgRX+639+6gEUgIEV/ut/fuoBFICBF';

const FULL_ENTITY = {
	position: [1, 2, 3],
	scale: [2, 2, 2],
	health: 5,
	team: 1,
	mesh: 'cube',
	velocity: { linear: [1, 0, 0] },
	physics_body: 'Kinematic',
	gold: 7,
};

export const ROWS: readonly Row[] = [
	{
		point: 1,
		statement: 'GET /camera returns the pose; POST /camera, view and focus change it',
		check: async ({ get, post, spawn }) => {
			expect(await get('/camera')).toMatchObject({ ok: true, eye: [8, 6, 8], target: [0, 1, 0] });
			expect(await post('/camera', { eye: [1, 2, 3] })).toMatchObject({ ok: true });
			expect(await get('/camera')).toMatchObject({ eye: [1, 2, 3], target: [0, 1, 0] });
			await post('/camera/view', { view: 'top' });
			expect(await get('/camera')).toMatchObject({ orthographic: true, eye: [0, 20, 0.001] });
			const entity_id = await spawn({ position: [4, 0, 0] });
			await post('/camera/focus', { entity_id });
			expect(await get('/camera')).toMatchObject({ orthographic: false, target: [4, 0, 0] });
		},
	},
	{
		point: 2,
		statement: 'POST /material/set answers ok, and nothing is drawn',
		check: async ({ post, spawn, call }) => {
			const entity_id = await spawn({ mesh: 'cube' });
			const material = { entity_id, metallic: 1, roughness: 0.2 };
			expect(await post('/material/set', material)).toMatchObject({ ok: true });
			expect((await call('GET', '/screenshot')).status).toBe(503);
		},
	},
	{
		point: 3,
		statement: '/screenshot answers 503, by GET and by POST',
		check: async ({ call }) => {
			for (const method of ['GET', 'POST'])
				expect(await call(method, '/screenshot')).toMatchObject({
					status: 503,
					body: { ok: false, code: 'no_picture', fix: expect.any(String) },
				});
		},
	},
	{
		point: 4,
		statement: 'GET /engine/gpu is an error',
		check: async ({ get }) => {
			expect(await get('/engine/gpu')).toMatchObject({
				ok: false,
				code: 'no_gpu',
				error: expect.any(String),
			});
		},
	},
	{
		point: 5,
		statement: 'POST /template/create answers ok and stores nothing; POST /template/spawn finds no template',
		check: async ({ get, post }) => {
			expect(await post('/template/create', { name: 'orc', health: 9 })).toMatchObject({
				ok: true,
				stored: false,
			});
			expect(await get('/template/list')).toMatchObject({ templates: [], count: 0 });
			expect(await post('/template/spawn', { name: 'orc' })).toMatchObject({
				ok: false,
				code: 'unknown_template',
			});
		},
	},
	{
		point: 5,
		statement: 'with a template registry, which a scenario brings, templates are stored',
		check: async ({ post }) => {
			await post('/scenario', { templates: { elf: { health: 3 } } });
			expect(await post('/template/create', { name: 'orc', health: 9 })).toMatchObject({ stored: true });
			expect(await post('/template/spawn', { name: 'orc' })).toMatchObject({ ok: true });
		},
	},
	{
		point: 6,
		statement: 'POST /input/bind answers ok and binds nothing, GET /input/list is empty; contexts still work',
		check: async ({ get, post }) => {
			expect(await post('/input/bind', { key: 'W', action: 'jump' })).toMatchObject({ ok: true });
			expect(await get('/input/list')).toMatchObject({ bindings: [], count: 0, contexts: ['gameplay'] });
			expect(await post('/input/context/push', { context: 'menu' })).toMatchObject({ ok: true });
			expect(await post('/input/context/pop')).toMatchObject({ ok: true, context: 'menu' });
		},
	},
	{
		point: 7,
		statement: 'POST /script/load says that there is no script engine; a missing entity is reported first',
		check: async ({ get, post, spawn }) => {
			const entity_id = await spawn({});
			const source = 'function on_update(me, dt) end';
			for (const body of [{ entity_id, path: 'pet.lua' }, { entity_id, source }, { source }])
				expect(await post('/script/load', body)).toMatchObject({
					ok: false,
					message: 'No ScriptEngine resource in world',
				});
			expect(await post('/script/load', { entity_id: 99, source })).toMatchObject({
				code: 'entity_not_found',
			});
			expect(await get('/script/list')).toMatchObject({ count: 0, entities: [], scripts: [] });
		},
	},
	{
		point: 9,
		statement: 'positions read [0,0,0] until the first step after spawning',
		check: async ({ entity, spawn, step, post }) => {
			const id = await spawn({ position: [1, 2, 3] });
			const position = async () => (await entity(id)).transform.position;
			expect(await position()).toEqual([0, 0, 0]);
			expect((await post('/observe')).entities[0].transform.position).toEqual([0, 0, 0]);
			await step();
			expect(await position()).toEqual([1, 2, 3]);
		},
	},
	{
		point: 8,
		statement: 'calls about sound succeed, and nothing is heard',
		check: async ({ get, post }) => {
			const { hash } = await post('/asset/upload?name=sounds/beep.wav', { data: BEEP });
			const played = await post('/audio/play', { path: 'sounds/beep.wav', position: [1, 2, 3] });
			expect(played).toMatchObject({ ok: true, spatial: true, hash, clip: expect.any(Number) });
			const { entity_id } = played;
			expect((await get('/audio/list')).sources).toMatchObject([
				{ entity_id, playing: true, position: [1, 2, 3] },
			]);
			expect(await post('/audio/stop', { entity_id })).toMatchObject({ ok: true });
			expect((await get('/audio/list')).sources).toMatchObject([{ entity_id, playing: false }]);
			expect(await post('/audio/play', { path: 'nowhere.wav' })).toMatchObject({
				ok: false,
				error: expect.stringContaining('nowhere.wav'),
			});
		},
	},
	{
		point: 10,
		statement: 'a velocity moves only entities with a physics_body',
		check: async ({ entity, spawn, step }) => {
			const velocity = { linear: [60, 0, 0] };
			const still = await spawn({ velocity });
			const moving = await spawn({ velocity, position: [0, 0, 9], physics_body: 'Kinematic' });
			await step(10);
			expect((await entity(still)).transform.position).toEqual([0, 0, 0]);
			expect((await entity(moving)).transform.position[0]).toBeCloseTo(10, 3);
		},
	},
	{
		point: 11,
		statement: '/scene/save and /scene/load keep position, scale, health and team, and drop the rest',
		check: async ({ post, spawn, step }) => {
			await spawn({ ...FULL_ENTITY, velocity: { linear: [60, 0, 0] }, rotation: [0, 1, 0, 0] });
			await step();
			expect(await post('/scene/save', { path: 'bare.json' })).toMatchObject({ ok: true, entity_count: 1 });
			await post('/reset', { fresh: true });
			// At rest: a body has a velocity, and the saved one is dropped.
			expect(await post('/scene/load', { path: 'bare.json' })).toMatchObject({ ok: true });
			await step();
			const [loaded, ...others] = (await post('/observe')).entities;
			expect(others).toEqual([]);
			expect(loaded).toMatchObject({
				transform: { position: [2, 2, 3], rotation: [0, 0, 0, 1], scale: [2, 2, 2] },
				health: [5, 5],
				team: 1,
				velocity: { linear: [0, 0, 0], angular: [0, 0, 0] },
			});
			for (const dropped of ['gold', 'mesh']) expect(loaded).not.toHaveProperty(dropped);
		},
	},
	{
		point: 11,
		statement: 'an exported scenario keeps the same fields only; snapshots and digests are exact',
		check: async ({ get, post, spawn, step }) => {
			await spawn(FULL_ENTITY);
			const { exact, entities } = await get('/scenario?unset=false');
			expect(exact).toBeUndefined();
			expect(entities).toEqual([{ position: [1, 2, 3], scale: [2, 2, 2], health: 5, team: 1 }]);
			await post('/snapshot', { label: 'here' });
			const { state_digest } = await get('/digest');
			await step(5);
			await post('/snapshot/here/restore');
			expect((await get('/digest')).state_digest).toBe(state_digest);
		},
	},
];

/** Declares a test for each row. `fresh` returns a host with a new world. */
export function describeBareHost(name: string, fresh: () => Promise<Client>): void {
	describe(name, () => {
		test.each(ROWS.map(({ point, statement, check }) => [point, statement, check] as const))(
			'%i. %s',
			async (_, __, check) => {
				await check(await fresh());
			},
		);
	});
}

/** Declares tests that each point has a row, or waits for undeclared routes. */
export function describePoints(): void {
	test.each(Array.from({ length: POINTS }, (_, i) => i + 1))(
		'point %i has a row, or no routes yet',
		(point) => {
			if (ROWS.some((row) => row.point === point)) return;
			const declared = new Set<string>(routes.map(({ path }) => path));
			expect(AWAITED[point], `point ${point} needs a row`).toBeDefined();
			expect(
				AWAITED[point]!.filter((path) => declared.has(path)),
				`these routes are there now: point ${point} needs a row`,
			).toEqual([]);
		},
	);
}
