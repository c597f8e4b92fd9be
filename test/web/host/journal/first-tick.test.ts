/** Search for the first tick at which a condition held: in steps, in play, in forks and between ticks. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { WRITERS } from '../../../support/writers.ts';

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine({ journal: new MemoryJournal(), stateEvery: { entries: 5 } });
});
afterEach(() => engine.engine.close());

const first = (condition: string, more = '') =>
	engine.get(`/history/first?condition=${encodeURIComponent(condition)}${more}`);

test('within a long step, with the pose at that tick', async () => {
	await engine.spawn({ position: [0, 50, 0], physics_body: 'Dynamic', health: 100 });
	const digests = await engine.future(20);
	await engine.step(40);
	const answer = await first('elapsed:12');
	expect(answer).toMatchObject({ ok: true, found: true, tick: 12 });
	expect(answer.state_digest).toBe(digests[11]);
	const late = await first('elapsed:33');
	expect(late).toMatchObject({ found: true, tick: 33 });
	await engine.must('POST', '/history/fork', { fork_id: 'then', tick: 33 });
	expect(await engine.digest('then')).toBe(late.state_digest);
	expect(await first('elapsed:1000')).toMatchObject({ ok: true, found: false, tick: null });
});

test('between two ticks, from a tick on, and in a fork', async () => {
	await engine.spawn({ gold: 1 });
	for (let i = 1; i <= 8; i++) {
		await engine.step(2);
		await engine.change(0, { gold: i % 4 });
		await engine.engine.rest();
	}
	const answer = await first('field gold >= 3');
	expect(answer).toMatchObject({ found: true, tick: 6, entry: expect.any(Number) });
	expect(await first('field gold >= 3', '&from_tick=9')).toMatchObject({ found: true, tick: 14 });
	expect(await first('field gold >= 3', '&from_tick=99')).toMatchObject({ found: false });
	await engine.must('POST', '/fork', { fork_id: 'plan' });
	await engine.must('POST', '/entities/0/components?world=plan', { gold: 70 });
	expect(await first('field gold >= 70', '&of=plan')).toMatchObject({ found: true, tick: 16 });
	expect(await first('field gold >= 70')).toMatchObject({ found: false });
});

test('in parts that each continue the one before, with an equal result', async () => {
	// A clock that advances on each read.
	let [now, pace] = [0, 0];
	const slow = await startEngine({
		journal: new MemoryJournal(),
		stateEvery: { entries: 3 },
		now: () => (now += pace),
	});
	const moving = { physics_body: 'Kinematic', velocity: { linear: [6, 0, 0] } };
	await slow.spawn({ position: [0, 0, 0], ...moving, gold: 0 });
	for (let i = 1; i <= 4; i++) {
		await slow.step(25);
		await slow.change(0, { gold: i });
		await slow.engine.rest();
	}
	const whole = async (condition: string, more = '') => {
		pace = 0;
		return slow.get(`/history/first?condition=${encodeURIComponent(condition)}${more}`);
	};
	const find = async (condition: string, more = '') => {
		const expected = await whole(condition, more);
		expect(expected).toMatchObject({ ok: true, next: null, finished: true });
		pace = 2500;
		const address = `/history/first?condition=${encodeURIComponent(condition)}${more}`;
		const parts: Record<string, unknown>[] = [];
		let after = '';
		do {
			parts.push(await slow.get(`${address}${after}`));
			after = `&after=${parts.at(-1)!.next}`;
			expect(parts.length).toBeLessThan(100);
		} while (parts.at(-1)!.next !== null);
		for (const part of parts.slice(0, -1))
			expect(part).toMatchObject({
				ok: true,
				found: false,
				finished: false,
				tick: null,
			});
		expect(parts.at(-1)).toEqual(expected);
		return { ...expected, parts: parts.length };
	};
	const late = await find('elapsed:90');
	expect(late).toMatchObject({ found: true, tick: 90 });
	expect(late.parts).toBeGreaterThan(10);
	expect(await find('elapsed:40', '&from_tick=30')).toMatchObject({ found: true, tick: 70 });
	expect(await find('field gold >= 3')).toMatchObject({ found: true, tick: 75 });
	// The next part knows which entities were inside when a part ended.
	for (let x = 0; x < 8; x++)
		expect(await find(`leave:${x},0,0:0.95`)).toMatchObject({ found: true, tick: 10 * x + 10 });
	expect(await find('field gold >= 9')).toMatchObject({ found: false, tick: null });
	expect(await find('field gold >= 9', '&of=nobody')).toMatchObject({ found: false });
	expect(await slow.get('/history/first?condition=elapsed%3A5&after=1')).toMatchObject({ code: 'bad_query' });
	await slow.engine.close();
});

test('an invalid condition is refused', async () => {
	expect(await first('gold is much')).toMatchObject({ ok: false, code: 'invalid_assertion' });
});

const dying = [
	{ path: '/entity/damage', body: { entity_id: 0, amount: 99 } },
	{ path: '/step', body: { ticks: 3 } },
];

test('a death in a deleted probe is not part of the world, within a batch or not', async () => {
	await engine.spawn({ health: 10 });
	await engine.must('POST', '/rule/create', {
		when: 'elapsed:4',
		once: true,
		actions: ['damage entity:0 99'],
	});
	await engine.must('POST', '/batch', {
		requests: [
			{ path: '/spawn', body: { gold: 1 } },
			{ path: '/probe', body: { ticks: 9, fork: true } },
		],
	});
	await engine.must('POST', '/probe', { ticks: 9, fork: true });
	expect(await first('death')).toMatchObject({ found: false, finished: true, searched_to: 0 });
	expect(await first('dead')).toMatchObject({ found: false, finished: true });
	await engine.step(2);
	expect(await first('death')).toMatchObject({ found: false, finished: true, searched_to: 2 });
	await engine.step(9);
	const { tick } = await first('death');
	expect(tick).toBeGreaterThan(4);
	expect(await first('dead')).toMatchObject({ found: true, tick });
});

test.each([false, true])(
	'a death in a fork that one batch makes and deletes is found, atomic: %s',
	async (atomic) => {
		await engine.spawn({ health: 10 });
		const inFork = (path: string) => `${path}?world=plan`;
		await engine.must('POST', '/batch', {
			atomic,
			requests: [
				{ path: '/spawn', body: { gold: 1 } },
				{ path: '/fork', body: { fork_id: 'plan' } },
				...dying.map(({ path, body }) => ({ path: inFork(path), body })),
				{ method: 'DELETE', path: '/fork/plan' },
			],
		});
		expect(await first('death', '&of=plan')).toMatchObject({ found: true, finished: true, tick: 1 });
		expect(await first('dead', '&of=plan')).toMatchObject({ found: true, tick: 1 });
		expect(await first('dead', '&of=plan&from_tick=2')).toMatchObject({ found: true, tick: 2 });
		expect(await first('dead', '&of=plan&from_tick=9')).toMatchObject({ found: false, finished: true });
		expect(await first('death')).toMatchObject({ found: false, finished: true });
	},
);

test('the answer names its reading, and an implicit reading is warned of', async () => {
	await engine.spawn({ health: 60 });
	await engine.spawn({ health: 60 });
	await engine.step(1);
	expect(await first('field health < 50')).toMatchObject({
		found: false,
		reading: 'all entities: health < 50',
		warnings: [expect.stringContaining('no quantifier')],
	});
	expect(await first('any field health < 50')).not.toHaveProperty('warnings');
});

test('the index gives the same answers as a re-run of the ticks, from every tick on', async () => {
	const never = 'digest:0000000000000000';
	const [a, b] = [
		await engine.spawn({ health: 10, tags: ['a'], team: 1 }),
		await engine.spawn({ health: 10, team: 2 }),
	];
	const c = await engine.spawn({ health: 10, tags: ['c'], team: 2 });
	const hurt = (entity_id: number, world = 'main') =>
		engine.must('POST', `/entity/damage?world=${world}`, { entity_id, amount: 99, source: a });
	await engine.must('POST', '/game/create', { auto_start: true, respawn_delay: 0.05 });
	await engine.step(4);
	await engine.must('POST', '/snapshot', { label: 'early' });
	await engine.call('POST', '/batch', {
		atomic: true,
		requests: [...dying, { path: '/despawn', body: { entity_id: 999 } }],
	});
	await engine.step(1);
	await hurt(b);
	await engine.step(6);
	await engine.must('POST', '/fork', { fork_id: 'plan' });
	await engine.engine.rest();
	await hurt(c, 'plan');
	await engine.must('POST', '/fork/plan/step', { ticks: 5 });
	await engine.must('POST', '/batch', {
		atomic: true,
		requests: [{ path: '/spawn', body: { gold: 1 } }, ...dying],
	});
	await engine.must('POST', '/snapshot/early/restore', {});
	await hurt(c);
	await engine.step(3);
	await engine.must('POST', '/game/end', { winner_team: 1 });
	await engine.step(3);
	for (const of of ['main', 'plan', 'nosuch'])
		for (const event of ['death', 'event:score', 'event:match', 'death & tag:c', 'death & dead+!tag:c'])
			for (const from of [0, 5, 8, 12, 30]) {
				const more = `&of=${of}&from_tick=${from}`;
				const [quick, slow] = [await first(event, more), await first(`(${event}) | ${never}`, more)];
				const summary = ({ found, tick, entry, finished }: Record<string, unknown>) => ({
					found,
					tick,
					entry,
					finished,
				});
				expect(summary(quick), `${event} ${more}`).toEqual(summary(slow));
			}
	expect(await first('death')).toMatchObject({ found: true, state_digest: null });
});

describe('concurrent searches', () => {
	/** Running and waiting calls, as GET /calls lists them. */
	const running = async () => {
		const { calls } = await engine.get('/calls');
		return calls.filter(({ path }: { path: string }) => path === '/history/first');
	};

	test('run one after the other, and a waiting one can be cancelled', async () => {
		await engine.spawn({ position: [0, 50, 0], physics_body: 'Dynamic' });
		await engine.step(600);
		const searches = Array.from({ length: 3 }, () => first('elapsed:9999'));
		const waiting = await running();
		expect(waiting.map(({ state }: { state: string }) => state)).toEqual(['running', 'waiting', 'waiting']);
		await engine.must('DELETE', `/calls/${waiting[1].id}`);
		expect((await Promise.all(searches)).map(({ code }) => code)).toEqual([
			undefined,
			'cancelled',
			undefined,
		]);
	});

	test('without a session end for an agent that waits, which then runs', async () => {
		engine = await startEngine({ journal: new MemoryJournal(), gated: true, turnMs: 1 });
		engine.engine.setRelayServices(WRITERS);
		const bob = (method: string, path: string, body?: object) =>
			engine.call(method, path, body, { authorization: 'Bearer bob', 'content-type': 'application/json' });
		await bob('POST', '/spawn', { position: [0, 50, 0], physics_body: 'Dynamic' });
		await bob('POST', '/step', { ticks: 2000 });
		const done: string[] = [];
		const searches = Array.from({ length: 4 }, () =>
			first('elapsed:9999').finally(() => done.push('search')),
		);
		await bob('POST', '/history/fork', { tick: 0, fork_id: 'then' }).finally(() => done.push('bob'));
		const [running] = await Promise.all(searches);
		expect(running.code).toBe('cancelled');
		expect(done.indexOf('bob')).toBeLessThan(2);
	});

	test('end after the time limit of a read, and so does a peek', async () => {
		// On this clock every read ends a slice, so other calls run in between.
		let now = 0;
		engine = await startEngine({ journal: new MemoryJournal(), readMs: 0, now: () => (now += 10) });
		await engine.step(600);
		expect(await first('elapsed:9999')).toMatchObject({ code: 'timeout' });
		const outcomes = [
			{ label: 'a', weight: 1, do: ['damage this 1'] },
			{ label: 'b', weight: 1, do: [] },
		];
		for (let i = 0; i < 10; i++) await engine.spawn({ health: 50 });
		await engine.must('POST', '/rule/create', { when: 'any', filter: 'any', outcomes });
		for (let i = 0; i < 90; i++) await engine.spawn({ health: 50, mesh: 'cube', position: [i, 0, 0] });
		await engine.must('POST', '/fork', { fork_id: 'plan' });
		for (const read of ['/scenario', '/fork/plan/scenario', '/diagnose'])
			expect(await engine.get(read), read).toMatchObject({ code: 'timeout' });
		for (const save of ['/scene/save', '/level/save'])
			expect(await engine.post(save, { path: 'a.json' }), save).toMatchObject({ code: 'timeout' });
		expect(await engine.post('/peek')).toMatchObject({ code: 'timeout' });
		expect(await engine.step(1)).toMatchObject({ ok: true });
	});
});

test('a history is not read further without a caller', async () => {
	const read = Promise.withResolvers<void>();
	class SlowJournal extends MemoryJournal {
		override async read(...from: Parameters<MemoryJournal['read']>): ReturnType<MemoryJournal['read']> {
			await read.promise;
			return super.read(...from);
		}
	}
	engine = await startEngine({ journal: new SlowJournal() });
	await engine.spawn({});
	const history = engine.get('/history');
	const { calls } = await engine.get('/calls');
	await engine.must('DELETE', `/calls/${calls[0].id}`);
	read.resolve();
	expect(await history).toMatchObject({ code: 'cancelled' });
});
