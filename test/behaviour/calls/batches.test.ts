/** Batches: many requests in one call. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { FileError } from '../../../web/store/files.ts';
import { clientOf, type TestEngine, testEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let client: TestEngine;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	client = testEngine(engine);
});

describe('batches', () => {
	test.each([1, 2, 3])('a batch that fails in the middle changes no byte (world %i)', async (seed) => {
		await scatter(engine, seed);
		await client.post('/snapshot', { label: 'kept' });
		await client.post('/fork', { fork_id: 'twin' });
		const [before, saved] = [await client.digest(), client.bytes()];
		const broken = await client.post('/batch', {
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
		expect(broken).toMatchObject({
			rolled_back: true,
			failed_request: { method: 'POST', path: '/entity/damage', code: 'entity_not_found' },
		});
		expect(broken.results).toHaveLength(11);
		expect(await client.digest()).toBe(before);
		expect(client.bytes()).toBe(saved);
		expect((await client.get('/fork/list')).forks).toEqual(['twin']);
		expect((await client.get('/snapshot/list')).snapshots.map((s: { label: string }) => s.label)).toEqual([
			'kept',
		]);
		expect((await client.get('/template/list')).templates).toEqual(['soldier']);
		expect((await client.get('/')).playing).toBe(false);
		expect(await client.post('/scene/load', { path: 'inner.json' })).toMatchObject({ code: 'file_missing' });
		expect(await client.future(60)).toEqual(await client.future(60, 'twin'));
		expect(await client.post('/snapshot/kept/restore')).toMatchObject({ state_digest: before });
	});

	test('a batch that succeeds equals its calls one by one', async () => {
		await scatter(engine, 4);
		await client.post('/fork', { fork_id: 'single' });
		const requests = [
			{ path: '/spawn', body: { health: 10, team: 1 }, as: 'hero' },
			{ path: '/entity/damage', body: { entity_id: '$hero.id', amount: 3 } },
			{ path: '/step', body: { ticks: 5 } },
			{ method: 'GET', path: '/entities/$hero.id?generation=$hero.generation', as: 'seen' },
			{ path: '/spawn', body: { position: '$seen.local_transform.position', tags: ['$$x', '$hero.ok'] } },
		];
		const done = await client.post('/batch', { atomic: true, requests: requests.slice(0, 4) });
		expect(done).toMatchObject({ ok: true, committed: true, succeeded: 4, failed: 0 });
		expect(done.results[3].body.health).toEqual([7, 10]);
		expect(await client.digest()).toBe(done.state_digest);
		const { id } = await client.post('/spawn?world=single', { health: 10, team: 1 });
		await client.post('/entity/damage?world=single', { entity_id: id, amount: 3 });
		await client.post('/step?world=single', { ticks: 5 });
		expect(await client.digest('single')).toBe(done.state_digest);
		expect(await client.future(30)).toEqual(await client.future(30, 'single'));
		const last = await client.post('/batch', {
			requests: [requests[0], { path: '/tag', body: { entity_id: '$hero.id', add: ['$$x'] } }],
		});
		expect(last.results[1].body.tags).toEqual(['$x']);
	});

	test('references in braces work within texts', async () => {
		const { results } = await client.post('/batch', {
			atomic: true,
			requests: [
				{ path: '/spawn', body: { position: [5, 0, 0], gold: 0 }, as: 'shrine' },
				{ path: '/spawn', body: { position: [5, 0, 0], gold: 0 }, as: 'hero' },
				{
					path: '/rule/create',
					body: {
						name: 'costs $5, $${hero.id} and $',
						when: 'enter:entity:${shrine.id}:2',
						filter: 'entity:${hero.id}',
						do: ['add_field entity:${shrine.id} gold 7'],
					},
				},
				{ path: '/step' },
				{ method: 'GET', path: '/entities/${shrine.id}' },
				{ method: 'GET', path: '/rule/list' },
			],
		});
		expect(results[4].body.gold).toBe(7);
		const [rule] = results[5].body.rules;
		expect(rule).toMatchObject({
			name: 'costs $5, ${hero.id} and $',
			when: { zone: { entity: results[0].body.id } },
		});
		const bad = await client.post('/batch', {
			requests: [
				{ path: '/spawn', as: 'a', body: {} },
				{ path: '/tag', body: { entity_id: 0, add: ['x ${a}'] } },
				{ path: '/tag', body: { entity_id: 0, add: ['x ${b.id}'] } },
			],
		});
		expect(bad.results.map(({ body }: { body: { code?: string } }) => body.code)).toEqual([
			undefined,
			'unknown_reference',
			'unknown_reference',
		]);
	});

	test('a dry run reports its effects and changes nothing', async () => {
		await scatter(engine, 6);
		const saved = client.bytes();
		const requests = [
			{ path: '/spawn', body: { health: 10 }, as: 'a' },
			{ path: '/fork', body: { fork_id: 'f' } },
			{ path: '/step', body: { ticks: 2 } },
		];
		const dry = await client.post('/batch', { dry_run: true, requests });
		expect(dry).toMatchObject({ ok: true, committed: false });
		const { id, generation } = dry.results[0].body;
		expect(dry.changes.spawned).toMatchObject([{ id, generation, health: [10, 10] }]);
		expect(dry.other_worlds).toMatchObject([{ world: 'f', change: 'created' }]);
		expect(client.bytes()).toBe(saved);
		expect((await client.get('/fork/list')).count).toBe(0);
		await client.post('/batch', { requests });
		expect(await client.digest()).toBe(dry.state_digest);
	});

	test('references, nesting and pictures are refused by name', async () => {
		const resultOf = async (request: object) =>
			(await client.post('/batch', { requests: [request] })).results[0].body;
		expect(
			await resultOf({ path: '/entity/heal', body: { entity_id: '$nobody.id', amount: 1 } }),
		).toMatchObject({
			code: 'unknown_reference',
		});
		expect(await resultOf({ path: '/batch', body: { requests: [] } })).toMatchObject({
			code: 'not_in_batch',
		});
		expect(await resultOf({ method: 'GET', path: '/screenshot' })).toMatchObject({ code: 'not_in_batch' });
		expect(await resultOf({ path: '/stepp', body: {} })).toMatchObject({ code: 'no_such_route' });
	});

	test('a name refers to one answer, a refused request has no name, and only a POST has a body', async () => {
		const twice = { requests: [{ path: '/spawn', as: 'a' }, { path: '/step' }, { path: '/spawn', as: 'a' }] };
		expect(await clientOf(engine.handle).call('POST', '/batch', twice)).toMatchObject({
			status: 422,
			body: { path: 'requests[2].as', error: expect.stringContaining('taken by requests[0]') },
		});
		expect((await client.get('/')).entity_count).toBe(0);
		const { results } = await client.post('/batch', {
			requests: [
				{ path: '/spawn', body: { healt: 1 }, as: 'bad' },
				{ path: '/entity/heal', body: { entity_id: '$bad.id' } },
				{ method: 'get', path: '/digest', as: 'seen' },
				{ method: 'GET', path: '/digest', body: {} },
				{ path: '/tag', body: { entity_id: '$seem.tick' } },
				{ path: '/tag', body: { entity_id: '$seen.zebra' } },
			],
		});
		const codesAndFixes = results.map(({ body }: { body: { code?: string; fix?: string } }) => [
			body.code,
			body.fix,
		]);
		expect(codesAndFixes).toEqual([
			['invalid_body', 'Did you mean "health"?'],
			['unknown_reference', 'Correct requests[0] first.'],
			[undefined, undefined],
			['invalid_body', 'Omit "body".'],
			['unknown_reference', 'Did you mean "seen"?'],
			['unknown_reference', 'Use one of: ok, world, tick, state_digest, seed.'],
		]);
	});

	test('every route that creates an entity returns its id as id', async () => {
		const { results } = await client.post('/batch', {
			atomic: true,
			requests: [
				{ path: '/template/create', body: { name: 'x', health: 5 } },
				{ path: '/spawn', body: { health: 5 }, as: 'a' },
				{ path: '/template/spawn', body: { name: 'x' }, as: 'b' },
				{ path: '/prefab/spawn', body: { name: 'chest' }, as: 'c' },
				{ path: '/trigger/create', body: {}, as: 'd' },
				{ path: '/projectile/spawn', body: {}, as: 'e' },
				{ path: '/rule/create', body: { when: 'death', actions: ['despawn this'] }, as: 'f' },
				{ path: '/assert/create', body: { name: 'n', condition: 'alive' }, as: 'g' },
				...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
					method: 'GET',
					path: `/entities/$${name}.id?generation=$${name}.generation`,
				})),
			],
		});
		expect(results.slice(-7).map(({ body }: { body: { id: number } }) => body.id)).toEqual([
			0, 1, 2, 3, 4, 5, 6,
		]);
	});

	test('a batch whose world was deleted reports that, and no other world', async () => {
		await client.post('/fork', { fork_id: 'f' });
		const requests = [
			{ method: 'DELETE', path: '/fork/f' },
			{ path: '/fork?world=main', body: { fork_id: 'g' } },
		];
		const gone = { world: 'f', tick: null, state_digest: null };
		const dry = await client.post('/batch?world=f', { dry_run: true, requests });
		expect(dry).toMatchObject({ ...gone, other_worlds: [{ world: 'g', change: 'created' }] });
		expect(dry.changes).toBeUndefined();
		expect(await client.post('/batch?world=f', { requests })).toMatchObject({ ...gone, succeeded: 2 });
	});

	test('a dry run reports snapshots and files too', async () => {
		await client.post('/snapshot', { label: 'kept' });
		await client.post('/fork', { fork_id: 'f' });
		const dry = await client.post('/batch', {
			dry_run: true,
			requests: [
				{ path: '/snapshot', body: { label: 'new' } },
				{ method: 'DELETE', path: '/snapshot/kept?world=f' },
				{ path: '/scene/save', body: { path: 'a/b.json' } },
				{ path: '/level/save', body: { path: 'c.json' } },
				{ path: '/scene/save', body: { path: 'a/b.json' } },
			],
		});
		expect(dry.snapshots).toEqual([
			{ world: 'main', labels: ['kept', 'new'] },
			{ world: 'f', labels: [] },
		]);
		expect(dry.files).toEqual(['a/b.json', 'c.json']);
		expect((await client.get('/snapshot/list')).count).toBe(1);
		const nothing = await client.post('/batch', { dry_run: true, requests: [{ method: 'GET', path: '/' }] });
		expect(nothing).toMatchObject({ snapshots: [], files: [], other_worlds: [], changes: { equal: true } });
	});

	test('a file that cannot be written restores the earlier files and the worlds', async () => {
		const disk = createMemoryFiles();
		disk.writeJson('old.json', { mine: true });
		const { write } = disk.files;
		engine.setFiles({
			...disk.files,
			async write(path, bytes) {
				if (path === 'full.json') throw new FileError('failed', 'The disk is full.');
				await write(path, bytes);
			},
		});
		await scatter(engine, 2);
		const saved = client.bytes();
		const save = (path: string) => ({ path: '/scene/save', body: { path } });
		const failed = await client.post('/batch', {
			atomic: true,
			requests: [{ path: '/step' }, save('old.json'), save('new.json'), save('full.json')],
		});
		expect(failed).toMatchObject({ ok: false, code: 'file_failed' });
		expect(failed.error).toBe('The disk is full. These new files remain: new.json.');
		expect(disk.readJson('old.json')).toEqual({ mine: true });
		expect(client.bytes()).toBe(saved);
	});
});
