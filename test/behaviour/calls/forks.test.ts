/** Forks, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestClient } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let t: TestClient;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	t = clientOf(engine.handle);
});

describe('forks', () => {
	test('promoting makes the fork main; the former main is kept under a name, with its snapshots', async () => {
		await scatter(engine, 5);
		await t.post('/snapshot', { label: 'old' });
		await t.post('/fork', { fork_id: 'f' });
		await t.post('/fork', { fork_id: 'g', from: 'f' });
		await t.post('/fork/f/step', { ticks: 40 });
		const [main, fork] = [await t.digest(), await t.digest('f')];
		const diff = await t.get('/fork/f/diff?limit=3');
		expect(diff).toMatchObject({ against: 'main', equal: false });
		expect(diff.changed.length).toBeLessThanOrEqual(3);
		expect(diff.totals.changed).toBeGreaterThan(0);
		expect(await t.post('/fork/f/promote', { keep_as: 'g' })).toMatchObject({
			ok: false,
			code: 'fork_exists',
		});
		expect(await t.post('/fork/f/promote', { keep_as: 'was' })).toMatchObject({
			ok: true,
			state_digest: fork,
		});
		expect([await t.digest(), await t.digest('was')]).toEqual([fork, main]);
		expect((await t.get('/snapshot/list?world=was')).count).toBe(1);
		const { details } = await t.get('/fork/list');
		expect(details.find((d: { fork_id: string }) => d.fork_id === 'g').parent).toBe('main');
		expect(await t.future(60, 'was')).toEqual(await t.future(60, 'g'));
		await t.post('/fork', { fork_id: 'h' });
		await t.remove('/fork/was');
		expect(await t.post('/fork/h/promote')).toMatchObject({ ok: true, kept_as: null });
		expect((await t.get('/fork/list')).forks).toEqual(['g']);
	});

	test('a step of a fork answers what the same step of main answers, with what chance decided', async () => {
		await scatter(engine, 3);
		await t.post('/rule/create', {
			when: 'tick:2',
			outcomes: [
				{ label: 'a', weight: 1, do: [] },
				{ label: 'b', weight: 2, do: [] },
			],
		});
		await t.post('/fork', { fork_id: 'f' });
		await t.post('/fork', { fork_id: 'g' });
		const peeked = await t.post('/peek', {});
		const once = await t.post('/step', {});
		expect(await t.post('/fork/f/step', {})).toEqual({ ...once, fork_id: 'f' });
		expect(once.distribution_digest).toBe(peeked.distribution_digest);
		const many = await t.post('/step', { ticks: 30, trace: true });
		expect(await t.post('/fork/f/step', { ticks: 30, trace: true })).toEqual({ ...many, fork_id: 'f' });
		expect(await t.post('/step?world=g', {})).toEqual(once);
		expect(many.trace).toHaveLength(30);
		const none = await t.post('/fork/f/step', { ticks: 0, trace: true });
		expect(none).toMatchObject({ ticks_advanced: 0, sampled: [], trace: [], start_tick: many.new_tick });
	});

	test('a short list of differences is the beginning of the whole one, and its totals are of all', async () => {
		await scatter(engine, 20);
		await t.post('/fork', { fork_id: 'f' });
		await t.post('/fork/f/step', { ticks: 10 });
		const { truncated, spawned, despawned, changed, ...whole } = await t.get('/fork/f/diff?limit=10000');
		expect([truncated, changed.length]).toEqual([false, whole.totals.changed]);
		expect(whole.totals.changed).toBeGreaterThan(4);
		const fields = changed.map((entity: { fields: unknown[] }) => entity.fields.length);
		expect(whole.totals.fields).toBe(fields.reduce((sum: number, count: number) => sum + count, 0));
		expect(await t.get('/fork/f/diff?limit=3')).toEqual({
			...whole,
			truncated: true,
			spawned: spawned.slice(0, 3),
			despawned: despawned.slice(0, 3),
			changed: changed.slice(0, 3),
		});
	});

	test('seeds are told, and worlds that differ in the seed alone are told apart by it', async () => {
		await t.post('/spawn', { health: 5 });
		expect(await t.post('/fork', { fork_id: 'f', seed: 77 })).toMatchObject({ seed: 77, entity_count: 1 });
		expect(await t.post('/fork', { fork_id: 'g' })).toMatchObject({ seed: 11 });
		const { details } = await t.get('/fork/list');
		expect(details.map((one: { seed: number }) => one.seed)).toEqual([77, 11]);
		const diff = await t.get('/fork/f/diff');
		expect([diff.from.seed, diff.to.seed]).toEqual([11, 77]);
		expect(diff).toMatchObject({ equal: true, changed: [], parts: [] });
	});

	test('a parent that was deleted is not taken for another of its name', async () => {
		await t.post('/fork', { fork_id: 'a' });
		await t.post('/fork', { fork_id: 'b', from: 'a' });
		await t.remove('/fork/a');
		await t.post('/fork', { fork_id: 'a' });
		const b = (await t.get('/fork/list')).details.find((one: { fork_id: string }) => one.fork_id === 'b');
		expect(b).toMatchObject({ parent: 'a', parent_gone: true });
		expect(await t.get('/fork/b/diff')).toMatchObject({
			code: 'no_fork_parent',
			fix: 'Send ?against= with one of: main, a.',
		});
		expect(await t.get('/fork/b/diff?against=a')).toMatchObject({ ok: true, against: 'a', equal: true });
		await t.post('/fork/a/promote', { keep_as: 'old' });
		const after = (await t.get('/fork/list')).details.find((one: { fork_id: string }) => one.fork_id === 'b');
		expect(after).toMatchObject({ parent: 'a', parent_gone: true });
	});

	test('what was main is kept as parted where the line that leads to the promoted fork left it', async () => {
		await t.post('/step', { ticks: 6 });
		await t.post('/fork', { fork_id: 'a' });
		await t.post('/fork/a/step', { ticks: 3 });
		await t.post('/fork', { fork_id: 'b', from: 'a' });
		await t.post('/fork/b/step', { ticks: 1 });
		await t.post('/fork/b/promote', { keep_as: 'was' });
		const { details } = await t.get('/fork/list');
		expect(details).toEqual([
			expect.objectContaining({ fork_id: 'a', parent: 'was', parent_tick: 6 }),
			expect.objectContaining({ fork_id: 'was', parent: 'main', parent_tick: 6, tick: 6 }),
		]);
	});

	test('main is no fork, and a fork in the path leaves no room for another world', async () => {
		expect(await t.remove('/fork/main')).toMatchObject({ ok: false, code: 'unknown_fork' });
		await t.post('/fork', { fork_id: 'f' });
		expect(await t.post('/fork/f/step?world=f', {})).toMatchObject({
			code: 'bad_query',
			fix: 'Leave "world" out: the path names the fork.',
		});
		expect(await t.get('/net/status?world=f')).toMatchObject({
			fix: 'Leave "world" out: the route is not about one world.',
		});
	});
});
