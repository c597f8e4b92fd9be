/** Snapshots, probes, forks and batches, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import { call } from '../support/play.ts';
import { scatter } from '../support/scatter.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const get = async (path: string) => (await call(engine, 'GET', path)).body;
const drop = async (path: string) => (await call(engine, 'DELETE', path)).body;
const digest = async (world = 'main') => (await get(`/digest?world=${world}`)).state_digest;
const bytes = () => Buffer.from(encodeWorld(engine.worlds.main.world)).toString('base64');

/** Digests of the next ticks. */
async function future(ticks: number, world = 'main'): Promise<string[]> {
	const digests: string[] = [];
	for (let i = 0; i < ticks; i++)
		digests.push((await post(`/step?world=${world}`, { ticks: 1 })).state_digest);
	return digests;
}

describe('snapshots', () => {
	test.each([1, 2, 3])('restoring is bit-exact: digest and the next 300 ticks (world %i)', async (seed) => {
		await scatter(engine, seed);
		await post('/snapshot', { label: 'here' });
		const before = await digest();
		const saved = bytes();
		const first = await future(300);
		await post('/spawn', { health: 1 });
		const restored = await post('/snapshot/here/restore');
		expect(restored.state_digest).toBe(before);
		expect(bytes()).toBe(saved);
		expect(await future(300)).toEqual(first);
		await post('/snapshot/here/restore');
		expect(await future(20)).toEqual(first.slice(0, 20));
	});

	test('the newest 50 are kept, and a snapshot carries the tick of the world', async () => {
		for (let i = 0; i < 52; i++) {
			await post('/step');
			await post('/snapshot', { label: `s${i}` });
		}
		const { snapshots, count } = await get('/snapshot/list');
		expect(count).toBe(50);
		expect(snapshots[0]).toMatchObject({ label: 's2', tick: 3 });
		expect((await get('/snapshot/latest')).snapshot).toMatchObject({ label: 's51', tick: 52 });
		expect(await post('/snapshot/s0/restore')).toMatchObject({ ok: false, code: 'snapshot_missing' });
		expect(await drop('/snapshot/s2')).toMatchObject({ ok: true, deleted: 1 });
		expect((await get('/snapshot/list')).count).toBe(49);
	});

	test('a diff names what spawned, went and changed, field by field', async () => {
		const { id } = await post('/spawn', { health: 100, team: 1, role: 'hero' });
		const gone = await post('/spawn', { role: 'tower' });
		await post('/snapshot', { label: 'a' });
		await post('/despawn', { entity_id: gone.id, entity_generation: gone.generation });
		await post('/entity/damage', { entity_id: id, amount: 30 });
		await post('/step');
		const fresh = await post('/spawn', { role: 'hero' });
		await post('/snapshot', { label: 'b' });
		const diff = await get('/snapshot/diff?from=a&to=b');
		expect(diff).toMatchObject({
			entity_delta: 0,
			from_tick: 0,
			to_tick: 1,
			equal: false,
			spawned: [{ id: fresh.id, generation: fresh.generation }],
			despawned: [{ id: gone.id, generation: gone.generation }],
			role_changes: [
				{ role: 'Hero', from: 1, to: 2, delta: 1 },
				{ role: 'Tower', from: 1, to: 0, delta: -1 },
			],
		});
		const { fields } = diff.changed.find((entity: { id: number }) => entity.id === id);
		expect(fields).toContainEqual({ field: 'health.current', from: 100, to: 70 });
		expect(await get('/snapshot/diff?from=a&to=c')).toMatchObject({ ok: false, code: 'snapshot_missing' });
	});
});

describe('probes', () => {
	test('until stops on the tick on which the condition first holds', async () => {
		const { id } = await post('/spawn', {
			physics_body: 'Kinematic',
			velocity: { linear: [6, 0, 0] },
			position: [0, 0, 0],
		});
		const before = await digest();
		const tried = await post('/probe', { ticks: 600, until: 'field position.x >= 0.95', fork: true });
		expect(tried).toMatchObject({ stopped: 'until', ticks_advanced: 10 });
		expect(await digest()).toBe(before);
		const real = await post('/probe', {
			ticks: 600,
			until: { type: 'field_check', filter: `entity:${id}`, field: 'x', op: '>=', value: 0.95 },
			snapshot_before: true,
			snapshot_after: true,
		});
		expect(real.state_digest).toBe(tried.state_digest);
		expect(real.before_snapshot).toMatchObject({ label: 'probe_before', tick: 0 });
		expect(real.after_snapshot).toMatchObject({ label: 'probe_after', tick: 10 });
		expect((await get('/snapshot/list')).count).toBe(0);
	});

	test('unknown names and conditions are errors, and nothing moves', async () => {
		await post('/assert/create', { name: 'alive', condition: 'alive' });
		expect(await post('/probe', { ticks: 5, assertions: ['alife'] })).toMatchObject({
			code: 'unknown_assertion',
			fix: 'Did you mean "alive"?',
		});
		for (const until of ['aliv', 'phase finished', 'field healht < 3', 'count team:300', 'budget'])
			expect(await post('/probe', { ticks: 5, until })).toMatchObject({
				ok: false,
				code: 'invalid_assertion',
			});
		expect((await call(engine, 'POST', '/probe', { ticks: 10_001 })).status).toBe(422);
		expect((await get('/')).tick).toBe(0);
	});

	test('verdicts are kept and do not change the digest; a probe of a fork leaves main alone', async () => {
		await post('/spawn', { health: 40, team: 1 });
		await post('/assert/create', {
			name: 'healthy',
			condition: 'field',
			field: 'health.percent',
			value: 50,
			op: '>',
		});
		await post('/assert/create', { name: 'two', condition: 'count', filter: 'team:1', min: 2 });
		const before = await digest();
		expect(await post('/assert/evaluate')).toMatchObject({ total: 2, passed: 1, failed: 1 });
		expect(await digest()).toBe(before);
		await post('/fork', { fork_id: 'f' });
		expect(await post('/fork/f/probe', { ticks: 3, assertions: ['two'] })).toMatchObject({
			fork_id: 'f',
			end_tick: 3,
			total_assertions: 1,
			failed: 1,
			all_passed: false,
		});
		expect((await get('/')).tick).toBe(0);
		const { assertions } = await get('/assert/results');
		expect(assertions[1].last_result).toMatchObject({ passed: false, tick: 0 });
	});
});

describe('assertions', () => {
	test('every short word means its typed form', async () => {
		const words: [object, object][] = [
			[
				{ condition: 'exists', filter: 'tag:x' },
				{ type: 'entity_exists', filter: { type: 'tag', tag: 'x' } },
			],
			[
				{ condition: 'entity-count', min: 1 },
				{ type: 'entity_count', min: 1, filter: { type: 'any' } },
			],
			[{ condition: 'overlap' }, { type: 'no_overlap', min_distance: 0.5 }],
			[{ condition: 'spawns' }, { type: 'all_teams_have_spawn_points' }],
			[{ condition: 'no-zero-health' }, { type: 'no_zero_health_alive' }],
			[{ condition: 'renderable' }, { type: 'all_renderable_have_transform' }],
			[
				{ condition: 'phase', phase: 'playing' },
				{ type: 'game_phase', phase: 'playing' },
			],
			[
				{ condition: 'budget', max: 9 },
				{ type: 'entity_budget', max: 9 },
			],
			[
				{ condition: 'field-check', field: 'combat.damage', value: 3, filter: 'team:1+role:hero' },
				{ type: 'field_check', op: 'greater', value: 3 },
			],
		];
		for (const [short, typed] of words) {
			const made = await post('/assert/create', { name: 'n', ...short });
			expect(made.condition).toMatchObject(typed);
		}
		expect((await get('/assert/list')).count).toBe(words.length);
		expect((await get('/')).entity_count).toBe(words.length);
		expect(await post('/assert/create', { name: 'n', condition: 'field', field: 'x' })).toMatchObject({
			code: 'invalid_assertion',
		});
		expect(await drop('/assert/0')).toMatchObject({ ok: true });
		expect(await drop('/assert/0')).toMatchObject({ ok: false, code: 'unknown_assertion' });
	});

	test('conditions find what they should', async () => {
		const passes = async (condition: object | string, more: object = {}) => {
			const { entity_id } = await post('/assert/create', { name: 'one', condition, ...more });
			const { results } = await post('/assert/evaluate');
			await drop(`/assert/${entity_id}`);
			return results.find((result: { entity_id: number }) => result.entity_id === entity_id).passed;
		};
		const { id } = await post('/spawn', { health: 33.3, team: 1, position: [0, 0, 0], mesh: 'cube' });
		await post('/spawn', { position: [0.4, 0, 0] });
		expect(await passes('field', { field: 'health', op: '==', value: 33.3 })).toBe(true);
		expect(await passes('field', { field: 'position.x', op: '<', value: 0.4 })).toBe(false);
		expect(await passes('overlap')).toBe(false);
		expect(await passes('overlap', { min_distance: 0.39 })).toBe(true);
		expect(await passes('spawns')).toBe(false);
		await post('/spawn', { spawn_point: 1, position: [9, 9, 9] });
		expect(await passes('spawns')).toBe(true);
		expect(await passes('phase', { phase: 'playing' })).toBe(false);
		expect(await passes('budget', { max: 4 })).toBe(true);
		expect(await passes('budget', { max: 3 })).toBe(false);
		await post('/entity/damage', { entity_id: id, amount: 99 });
		await post('/step');
		expect(await passes('alive', { filter: 'team:1' })).toBe(false);
		expect(await passes('no-zero-health')).toBe(true);
	});

	test('a feature is verified by its assertions, not by its word', async () => {
		await post('/assert/create', { name: 'a', condition: 'count', min: 1 });
		const feature = (name: string, status: string, assertions: string[]) => ({
			name,
			description: '',
			status,
			assertions,
		});
		await post('/manifest', {
			name: 'g',
			genre: '',
			description: '',
			features: [
				feature('x', 'inprogress', ['a']),
				feature('y', 'verified', []),
				feature('z', 'planned', ['a', 'b']),
			],
		});
		const read = async () => (await get('/manifest')).manifest;
		expect((await read()).features.map((f: { status: string }) => f.status)).toEqual([
			'in_progress',
			'complete',
			'planned',
		]);
		await post('/assert/evaluate');
		expect(await read()).toMatchObject({ verified_features: 1, total_features: 3, completion_pct: 33 });
		await post('/manifest/feature', { name: 'z', remove_assertions: ['b'] });
		expect((await read()).verified_features).toBe(2);
		expect(await post('/manifest/feature', { name: 'w' })).toMatchObject({ code: 'unknown_feature' });
		await post('/manifest/feature', { name: 'w', add: true });
		await post('/manifest/feature', { name: 'y', remove: true });
		expect((await read()).features.map((f: { name: string }) => f.name)).toEqual(['x', 'z', 'w']);
	});
});

describe('forks', () => {
	test('promoting makes the fork main; the former main is kept under a name, with its snapshots', async () => {
		await scatter(engine, 5);
		await post('/snapshot', { label: 'old' });
		await post('/fork', { fork_id: 'f' });
		await post('/fork', { fork_id: 'g', from: 'f' });
		await post('/fork/f/step', { ticks: 40 });
		const [main, fork] = [await digest(), await digest('f')];
		const diff = await get('/fork/f/diff?limit=3');
		expect(diff).toMatchObject({ against: 'main', equal: false });
		expect(diff.changed.length).toBeLessThanOrEqual(3);
		expect(diff.totals.changed).toBeGreaterThan(0);
		expect(await post('/fork/f/promote', { keep_as: 'g' })).toMatchObject({ ok: false, code: 'fork_exists' });
		expect(await post('/fork/f/promote', { keep_as: 'was' })).toMatchObject({ ok: true, state_digest: fork });
		expect([await digest(), await digest('was')]).toEqual([fork, main]);
		expect((await get('/snapshot/list?world=was')).count).toBe(1);
		const { details } = await get('/fork/list');
		expect(details.find((d: { fork_id: string }) => d.fork_id === 'g').parent).toBe('main');
		expect(await future(60, 'was')).toEqual(await future(60, 'g'));
		await post('/fork', { fork_id: 'h' });
		await drop('/fork/was');
		expect(await post('/fork/h/promote')).toMatchObject({ ok: true, kept_as: null });
		expect((await get('/fork/list')).forks).toEqual(['g']);
	});
});

describe('batches', () => {
	test.each([1, 2, 3])(
		'one that breaks in the middle leaves everything byte-identical (world %i)',
		async (seed) => {
			await scatter(engine, seed);
			await post('/snapshot', { label: 'kept' });
			await post('/fork', { fork_id: 'twin' });
			const [before, saved] = [await digest(), bytes()];
			const broken = await post('/batch', {
				atomic: true,
				requests: [
					{
						path: '/spawn',
						body: { health: 10, physics_body: 'Dynamic', collider: { shape: 'sphere', radius: 1 } },
						as: 'a',
					},
					{ path: '/step', body: { ticks: 30 } },
					{ path: '/template/create', body: { name: 'x', health: 1 } },
					{ path: '/fork', body: { fork_id: 'new' } },
					{ method: 'DELETE', path: '/fork/twin' },
					{ path: '/snapshot/kept/restore', body: {} },
					{ method: 'DELETE', path: '/snapshot/kept' },
					{ path: '/snapshot', body: { label: 'inner' } },
					{ path: '/scene/save', body: { path: 'inner.json' } },
					{ path: '/play', body: {} },
					{ path: '/entity/damage', body: { entity_id: 99_999, amount: 1 } },
					{ path: '/reset', body: {} },
				],
			});
			expect(broken).toMatchObject({ ok: false, code: 'batch_failed', failed_at: 10, committed: false });
			expect(broken.results).toHaveLength(11);
			expect(await digest()).toBe(before);
			expect(bytes()).toBe(saved);
			expect((await get('/fork/list')).forks).toEqual(['twin']);
			expect((await get('/snapshot/list')).snapshots.map((s: { label: string }) => s.label)).toEqual([
				'kept',
			]);
			expect((await get('/template/list')).templates).toEqual(['soldier']);
			expect((await get('/')).playing).toBe(false);
			expect(await post('/scene/load', { path: 'inner.json' })).toMatchObject({ code: 'file_missing' });
			expect(await future(60)).toEqual(await future(60, 'twin'));
			expect(await post('/snapshot/kept/restore')).toMatchObject({ state_digest: before });
		},
	);

	test('one that succeeds is as if the calls had been made one by one', async () => {
		await scatter(engine, 4);
		await post('/fork', { fork_id: 'single' });
		const requests = [
			{ path: '/spawn', body: { health: 10, team: 1 }, as: 'hero' },
			{ path: '/entity/damage', body: { entity_id: '$hero.id', amount: 3 } },
			{ path: '/step', body: { ticks: 5 } },
			{ method: 'GET', path: '/entities/$hero.id?generation=$hero.generation', as: 'seen' },
			{ path: '/spawn', body: { position: '$seen.local_transform.position', tags: ['$$x', '$hero.ok'] } },
		];
		const done = await post('/batch', { atomic: true, requests: requests.slice(0, 4) });
		expect(done).toMatchObject({ ok: true, committed: true, succeeded: 4, failed: 0 });
		expect(done.results[3].body.health).toEqual([7, 10]);
		expect(await digest()).toBe(done.state_digest);
		const { id } = await post('/spawn?world=single', { health: 10, team: 1 });
		await post('/entity/damage?world=single', { entity_id: id, amount: 3 });
		await post('/step?world=single', { ticks: 5 });
		expect(await digest('single')).toBe(done.state_digest);
		expect(await future(30)).toEqual(await future(30, 'single'));
		const last = await post('/batch', {
			requests: [requests[0], { path: '/tag', body: { entity_id: '$hero.id', add: ['$$x'] } }],
		});
		expect(last.results[1].body.tags).toEqual(['$x']);
	});

	test('a dry run says what would be and does none of it', async () => {
		await scatter(engine, 6);
		const saved = bytes();
		const requests = [
			{ path: '/spawn', body: { health: 10 }, as: 'a' },
			{ path: '/fork', body: { fork_id: 'f' } },
			{ path: '/step', body: { ticks: 2 } },
		];
		const dry = await post('/batch', { dry_run: true, requests });
		expect(dry).toMatchObject({ ok: true, committed: false });
		expect(dry.changes.spawned).toContainEqual({
			id: dry.results[0].body.id,
			generation: dry.results[0].body.generation,
		});
		expect(dry.other_worlds).toMatchObject([{ world: 'f', change: 'created' }]);
		expect(bytes()).toBe(saved);
		expect((await get('/fork/list')).count).toBe(0);
		await post('/batch', { requests });
		expect(await digest()).toBe(dry.state_digest);
	});

	test('references, nesting and pictures are refused by name', async () => {
		const one = async (request: object) => (await post('/batch', { requests: [request] })).results[0].body;
		expect(await one({ path: '/entity/heal', body: { entity_id: '$nobody.id', amount: 1 } })).toMatchObject({
			code: 'unknown_reference',
		});
		expect(await one({ path: '/batch', body: { requests: [] } })).toMatchObject({ code: 'not_in_batch' });
		expect(await one({ method: 'GET', path: '/screenshot' })).toMatchObject({ code: 'not_in_batch' });
		expect(await one({ path: '/stepp', body: {} })).toMatchObject({ code: 'no_such_route' });
	});
});
