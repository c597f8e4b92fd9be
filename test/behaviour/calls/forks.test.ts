/** Forks. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestClient } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

let engine: Engine;
let client: TestClient;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	client = clientOf(engine.handle);
});

describe('forks', () => {
	test('promoting makes the fork main; the former main is kept under a name, with its snapshots', async () => {
		await scatter(engine, 5);
		await client.post('/snapshot', { label: 'old' });
		await client.post('/fork', { fork_id: 'f' });
		await client.post('/fork', { fork_id: 'g', from: 'f' });
		await client.post('/fork/f/step', { ticks: 40 });
		const [main, fork] = [await client.digest(), await client.digest('f')];
		const diff = await client.get('/fork/f/diff?limit=3');
		expect(diff).toMatchObject({ against: 'main', equal: false });
		expect(diff.changed.length).toBeLessThanOrEqual(3);
		expect(diff.totals.changed).toBeGreaterThan(0);
		expect(await client.post('/fork/f/promote', { keep_as: 'g' })).toMatchObject({
			ok: false,
			code: 'fork_exists',
		});
		expect(await client.post('/fork/f/promote', { keep_as: 'was' })).toMatchObject({
			ok: true,
			state_digest: fork,
		});
		expect([await client.digest(), await client.digest('was')]).toEqual([fork, main]);
		expect((await client.get('/snapshot/list?world=was')).count).toBe(1);
		const { details } = await client.get('/fork/list');
		expect(details.find((d: { fork_id: string }) => d.fork_id === 'g').parent).toBe('main');
		expect(await client.future(60, 'was')).toEqual(await client.future(60, 'g'));
		await client.post('/fork', { fork_id: 'h' });
		await client.remove('/fork/was');
		expect(await client.post('/fork/h/promote')).toMatchObject({ ok: true, kept_as: null });
		expect((await client.get('/fork/list')).forks).toEqual(['g']);
	});

	test('a step of a fork answers as the same step of main does, with its draws', async () => {
		await scatter(engine, 3);
		await client.post('/rule/create', {
			when: 'tick:2',
			outcomes: [
				{ label: 'a', weight: 1, do: [] },
				{ label: 'b', weight: 2, do: [] },
			],
		});
		await client.post('/fork', { fork_id: 'f' });
		await client.post('/fork', { fork_id: 'g' });
		expect((await client.get('/fork/list')).details[0]).toMatchObject({ entity_count: 20, rule_count: 3 });
		const peeked = await client.post('/peek', {});
		const once = await client.post('/step', {});
		expect(await client.post('/fork/f/step', {})).toEqual({ ...once, fork_id: 'f' });
		expect(once.distribution_digest).toBe(peeked.distribution_digest);
		const many = await client.post('/step', { ticks: 30, trace: true });
		expect(await client.post('/fork/f/step', { ticks: 30, trace: true })).toEqual({ ...many, fork_id: 'f' });
		expect(await client.post('/step?world=g', {})).toEqual(once);
		expect(many.trace).toHaveLength(30);
		const none = await client.post('/fork/f/step', { ticks: 0, trace: true });
		expect(none).toMatchObject({ ticks_advanced: 0, sampled: [], trace: [], start_tick: many.new_tick });
	});

	test('a shortened list of differences is the beginning of the full list, with the totals of the full list', async () => {
		await scatter(engine, 20);
		await client.post('/fork', { fork_id: 'f' });
		await client.post('/fork/f/step', { ticks: 10 });
		const { truncated, spawned, despawned, changed, ...whole } = await client.get('/fork/f/diff?limit=10000');
		expect([truncated, changed.length]).toEqual([false, whole.totals.changed]);
		expect(whole.totals.changed).toBeGreaterThan(4);
		const fields = changed.map((entity: { fields: unknown[] }) => entity.fields.length);
		expect(whole.totals.fields).toBe(fields.reduce((sum: number, count: number) => sum + count, 0));
		expect(await client.get('/fork/f/diff?limit=3')).toEqual({
			...whole,
			truncated: true,
			spawned: spawned.slice(0, 3),
			despawned: despawned.slice(0, 3),
			changed: changed.slice(0, 3),
		});
	});

	test('seeds are in answers, and distinguish worlds that differ in the seed alone', async () => {
		await client.post('/spawn', { health: 5 });
		expect(await client.post('/fork', { fork_id: 'f', seed: 77 })).toMatchObject({
			seed: 77,
			entity_count: 1,
		});
		expect(await client.post('/fork', { fork_id: 'g' })).toMatchObject({ seed: 11 });
		const { details } = await client.get('/fork/list');
		expect(details.map((item: { seed: number }) => item.seed)).toEqual([77, 11]);
		const diff = await client.get('/fork/f/diff');
		expect([diff.from.seed, diff.to.seed]).toEqual([11, 77]);
		expect(diff).toMatchObject({ equal: true, changed: [], parts: [] });
	});

	test('a deleted parent is not confused with a new world of its name', async () => {
		await client.post('/fork', { fork_id: 'a' });
		await client.post('/fork', { fork_id: 'b', from: 'a' });
		await client.remove('/fork/a');
		await client.post('/fork', { fork_id: 'a' });
		const b = (await client.get('/fork/list')).details.find(
			(candidate: { fork_id: string }) => candidate.fork_id === 'b',
		);
		expect(b).toMatchObject({ parent: 'a', parent_gone: true });
		expect(await client.get('/fork/b/diff')).toMatchObject({
			code: 'no_fork_parent',
			fix: 'Send ?against= with one of: main, a.',
		});
		expect(await client.get('/fork/b/diff?against=a')).toMatchObject({ ok: true, against: 'a', equal: true });
		await client.post('/fork/a/promote', { keep_as: 'old' });
		const after = (await client.get('/fork/list')).details.find(
			(candidate: { fork_id: string }) => candidate.fork_id === 'b',
		);
		expect(after).toMatchObject({ parent: 'a', parent_gone: true });
	});

	test('the former main is listed as a fork of the new main, at the tick where the promoted fork branched off', async () => {
		await client.post('/step', { ticks: 6 });
		await client.post('/fork', { fork_id: 'a' });
		await client.post('/fork/a/step', { ticks: 3 });
		await client.post('/fork', { fork_id: 'b', from: 'a' });
		await client.post('/fork/b/step', { ticks: 1 });
		await client.post('/fork/b/promote', { keep_as: 'was' });
		const { details } = await client.get('/fork/list');
		expect(details).toEqual([
			expect.objectContaining({ fork_id: 'a', parent: 'was', parent_tick: 6 }),
			expect.objectContaining({ fork_id: 'was', parent: 'main', parent_tick: 6, tick: 6 }),
		]);
		// A fork of a main that was replaced is not a fork of the former main that is stored later.
		await client.post('/fork', { fork_id: 'c' });
		await client.post('/reset', { fresh: true });
		await client.post('/fork', { fork_id: 'd' });
		await client.post('/fork', { fork_id: 'e' });
		await client.post('/fork/d/promote', { keep_as: 'empty' });
		expect((await client.get('/fork/list')).details).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ fork_id: 'c', parent: 'main', parent_gone: true }),
				expect.objectContaining({ fork_id: 'e', parent: 'empty', parent_gone: false }),
			]),
		);
	});

	test('main is not a fork, and ?world= beside a fork in the path must name an existing world', async () => {
		expect(await client.remove('/fork/main')).toMatchObject({ ok: false, code: 'unknown_fork' });
		await client.post('/fork', { fork_id: 'f' });
		expect(await client.post('/fork/f/step?world=f', {})).toMatchObject({ ok: true, new_tick: 1 });
		for (const path of ['/fork/f/observe', '/net/status'])
			expect(await client.get(`${path}?world=g`)).toMatchObject({ code: 'unknown_world' });
		expect(await client.get('/worlds?world=f')).toMatchObject({
			code: 'bad_query',
			fix: 'Omit "world": the route is not about one world.',
		});
	});
});

describe('POST /fork/step', () => {
	const stepForks = (steps: object[], more: object = {}) => client.post('/fork/step', { steps, ...more });

	test('can return rows as lists, lists ids alone, and hides forks whose id begins with a dot', async () => {
		await client.spawn({ health: 5 });
		const steps = [
			{ fork_id: 'c1', from: 'main' },
			{ fork_id: 'c2', from: 'main' },
			{ fork_id: 'c3', from: 'gone' },
		];
		const options = { fields: ['health'], digest: true, keep: false };
		const { rows } = await stepForks(steps, options);
		const columns = await stepForks(steps, { ...options, form: 'columns' });
		expect(columns.rows).toEqual([]);
		const { table } = columns;
		const namedRows = table.rows.map((row: unknown[]) =>
			Object.fromEntries(row.flatMap((value, at) => (value === null ? [] : [[table.columns[at], value]]))),
		);
		expect(namedRows).toEqual(
			rows.map((row: object) =>
				Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
			),
		);
		await stepForks(steps.slice(0, 2));
		expect(await client.get('/fork/list?details=false')).toMatchObject({
			forks: ['c1', 'c2'],
			count: 2,
			details: [],
		});
		const requests = ['c1', 'c2'].map((id) => ({ method: 'DELETE', path: `/fork/${id}` }));
		expect(await client.post('/batch', { requests })).toMatchObject({ succeeded: 2 });
		await client.must('POST', '/fork', { fork_id: '.kept' });
		expect((await client.get('/fork/list')).forks).toEqual([]);
		expect((await client.get('/watch')).forks).toEqual([]);
		expect((await client.get('/fork/list?all=true')).forks).toEqual(['.kept']);
		await client.must('DELETE', '/fork/.kept');
	});
	const forks = async () => (await client.get('/fork/list')).forks;

	test('gives each fork the result of its own clone and steps', async () => {
		await scatter(engine, 5);
		await client.spawn({ gold: 0, tags: ['purse'] });
		await client.rule({
			when: 'tick:1',
			outcomes: [
				{ label: 'win', weight: 1, do: ['add_field tag:purse gold 1'] },
				{ label: 'lose', weight: 1 },
			],
		});
		const ids = [1, 2, 3].map((seed) => ({ fork_id: `one${seed}`, from: 'main', seed }));
		for (const body of ids) await client.post('/fork', body);
		const alone = [];
		for (const { fork_id } of ids)
			alone.push((await client.post(`/fork/${fork_id}/step`, { ticks: 20 })).state_digest);
		const steps = ids.map(({ seed }) => ({ fork_id: `many${seed}`, from: 'main', seed }));
		const { rows, failed } = await stepForks([...steps, { fork_id: 'many1', ticks: 0 }], {
			ticks: 20,
			digest: true,
		});
		expect(failed).toBe(0);
		expect(rows.map((row: { state_digest: string }) => row.state_digest)).toEqual([...alone, alone[0]]);
		expect(new Set(alone).size).toBeGreaterThan(1);
		expect(await client.future(20, 'many2')).toEqual(await client.future(20, 'one2'));
	});

	test('resets an existing fork with its snapshots, and changes nothing if the rest is refused', async () => {
		await client.spawn({ health: 50 });
		await client.post('/fork', { fork_id: 'e' });
		await client.post('/snapshot?world=e', { label: 'own' });
		await client.post('/fork/e/step', { ticks: 7 });
		const before = [
			await client.digest('e'),
			await client.get('/snapshot/list?world=e'),
			await client.get('/fork/list'),
		];
		const spawn = { path: '/spawn', body: {} };
		const wrong = { path: '/entity/damage', body: { entity_id: 99, amount: 1 } };
		const refused: [object, string][] = [
			[{ from: 'main', requests: [spawn, wrong] }, 'entity_not_found'],
			[{ requests: [spawn, { path: '/play' }, wrong] }, 'entity_not_found'],
			[{ requests: [wrong] }, 'entity_not_found'],
			[{ requests: [spawn], inputs: [{ key: 'ArrowUp', entity_id: 99 }], seed: 3 }, 'entity_not_found'],
			[{ from: 'none', requests: [spawn] }, 'unknown_fork'],
			[{ requests: [{ path: '/spawn?world=main', body: {} }] }, 'invalid_body'],
			[{ requests: [{ path: '/fork', body: { fork_id: 'x' } }] }, 'invalid_body'],
			[{ requests: [{ path: '/step', body: {} }] }, 'invalid_body'],
			[{ requests: [{ path: '/batch', body: { requests: [spawn] } }] }, 'not_in_batch'],
			[{ requests: [{ path: '/nothing' }] }, 'no_such_route'],
		];
		for (const [step, code] of refused) {
			const { rows, failed } = await stepForks([
				{ fork_id: 'e', ...step },
				{ fork_id: 'new', ...step, from: 'none' },
				{ fork_id: 'ok', from: 'main' },
			]);
			expect([step, rows[0].error.code, rows[0].tick]).toEqual([step, code, 7]);
			expect([failed, rows[1].tick, rows[2].ok]).toEqual([2, null, true]);
			await client.remove('/fork/ok');
			expect([
				await client.digest('e'),
				await client.get('/snapshot/list?world=e'),
				await client.get('/fork/list'),
			]).toEqual(before);
		}
		const { rows } = await stepForks([{ fork_id: 'e', from: 'main', requests: [spawn] }], { digest: true });
		await client.spawn();
		expect(rows).toEqual([
			{ fork_id: 'e', ok: true, tick: 1, state_digest: (await client.step()).state_digest },
		]);
		expect((await client.get('/snapshot/list?world=e')).count).toBe(0);
	});

	test('takes requests that name each other, and inputs, and reads chosen fields and conditions', async () => {
		await client.spawn({ player: true, health: 50, tags: ['hero'] });
		const steps = [
			{ fork_id: 'a', from: 'main', inputs: [{ key: 'ArrowRight', ticks: 5 }] },
			{
				fork_id: 'b',
				from: 'main',
				requests: [
					{ path: '/spawn', body: { health: 9 }, as: 'foe' },
					{ path: '/entities/$foe.id/components', body: { tags: ['hero'] } },
					{ path: '/entity/damage', body: { entity_id: 0, amount: 20 } },
				],
				ticks: 2,
			},
		];
		const reads = {
			fields: ['health', 'position.x'],
			filter: 'tag:hero',
			where: { hurt: 'field:health<50' },
		};
		const { columns, rows } = await stepForks(steps, { ticks: 5, ...reads });
		expect(columns).toEqual(['id', 'health', 'position.x']);
		expect(rows[0]).toMatchObject({ tick: 5, where: { hurt: false }, values: [[0, 50, expect.any(Number)]] });
		expect(rows[0].values[0][2]).toBeGreaterThan(0);
		expect(rows[1]).toMatchObject({
			tick: 2,
			where: { hurt: true },
			values: [
				[0, 30, 0],
				[1, 9, 0],
			],
		});
		const until = await stepForks([{ fork_id: 'a' }, { fork_id: 'b', ticks: 1 }], {
			ticks: 50,
			until: 'tick:12',
			where: ['field:health<40', 'tag:hero'],
		});
		expect(until.rows).toEqual([
			{ fork_id: 'a', ok: true, tick: 17, until: true, where: [false, true] },
			{ fork_id: 'b', ok: true, tick: 3, until: false, where: [true, true] },
		]);
	});

	test.each<[object, string]>([
		[{ steps: [] }, 'invalid_body'],
		[{ steps: [{ fork_id: 'main' }] }, 'invalid_body'],
		[{ steps: [{ fork_id: 'a', from: 'main' }], fields: ['helth'] }, 'invalid_body'],
		[{ steps: [{ fork_id: 'a', from: 'main' }], filter: 'tag:a' }, 'invalid_body'],
		[{ steps: [{ fork_id: 'a', from: 'main' }], where: { x: 'nonsense words' } }, 'invalid_assertion'],
		[{ steps: [{ fork_id: 'a', from: 'main' }], until: 'nonsense words' }, 'invalid_assertion'],
	])('refuses %j whole', async (body, code) => {
		expect(await client.post('/fork/step', body)).toMatchObject({ ok: false, code, fix: expect.any(String) });
		expect(await forks()).toEqual([]);
	});
});
