/** Events since a view's last read, for any number of ticks. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import { type Json, jsonOf, requestOf, startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
	await started.must('POST', '/rule/create', {
		when: { kind: 'tick', every: 10 },
		do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0] }],
	});
});
afterEach(() => started.engine.close());

const spawned = (since: number, world = 'main') =>
	started.engine.happened
		.viewEventsSince(started.engine.worlds.find(world)!, since)
		.filter(({ kind }) => kind === 'rule_spawn')
		.map(({ tick }) => tick);

test('a view gets all ticks since its last read, up to two seconds', async () => {
	const { must } = started;
	await must('POST', '/step', { ticks: 25 });
	for (let i = 0; i < 10; i++) await must('POST', '/step');
	const ticks = spawned(0);
	expect(ticks).toHaveLength(3);
	expect(spawned(ticks[1]!)).toEqual([ticks[2]]);
	expect(spawned(35)).toEqual([]);
	await must('POST', '/step', { ticks: 415 });
	expect(Math.min(...spawned(0))).toBeGreaterThan(450 - 121);
});

test('worlds are distinguished, and the events of undone ticks are removed', async () => {
	const { must } = started;
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/step?world=plan', { ticks: 20 });
	await must('POST', '/probe', { ticks: 20, fork: true });
	await must('POST', '/batch', { dry_run: true, requests: [{ path: '/step', body: { ticks: 20 } }] });
	expect(spawned(0)).toEqual([]);
	expect(spawned(0, 'plan')).toHaveLength(2);
});

test('a restored snapshot removes events of later ticks', async () => {
	const { must } = started;
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/step', { ticks: 30 });
	await must('POST', '/snapshot/a/restore', {});
	await must('POST', '/step', { ticks: 10 });
	expect(spawned(0)).toHaveLength(1);
});

/** Returns a piece of the stream of events. */
const piece = async (query: string): Promise<Json> => started.get(`/events/stream?${query}`);
const idsAndTypes = ({ events }: Json): unknown[] =>
	(events as Json[]).map(({ id, type, tick }) => [id, type, tick]);

test('pieces follow one another without gaps or repeats, at any size', async () => {
	const { must } = started;
	await must('POST', '/step', { ticks: 95 });
	const whole = await piece('since=0');
	const joined: unknown[] = [];
	for (let next = '0', more = true; more; ) {
		const part = await piece(`since=${next}&limit=4`);
		joined.push(...idsAndTypes(part));
		({ next, more } = part as { next: string; more: boolean });
	}
	expect(joined).toEqual(idsAndTypes(whole));
	expect(joined).toHaveLength(9);
	expect(whole).toMatchObject({ gap: null, more: false, tick: 95 });
	expect(await piece(`since=${whole.next}`)).toMatchObject({ events: [], gap: null });
});

test('filters select kinds and an entity, and refuse unknown ones', async () => {
	const { must, spawn, call } = started;
	const [knight, orc] = [await spawn({ health: 100 }), await spawn({ health: 100 })];
	for (const entity_id of [knight, orc]) await must('POST', '/entity/damage', { entity_id, amount: 5 });
	await must('POST', '/step', { ticks: 20 });
	const { events } = await piece(`since=0&events=DamageEvent,death&entity=${knight}`);
	expect(events).toMatchObject([{ type: 'DamageEvent', target: knight, tick: 0 }]);
	for (const query of ['since=0&events=dmg', 'since=900', 'since=soon', 'wait=100'])
		expect(await call('GET', `/events/stream?${query}`)).toMatchObject({
			status: 400,
			body: { code: 'bad_query', fix: expect.any(String) },
		});
});

test('a replaced world is an event with its tick and digest, and undone events are removed', async () => {
	const { must, digest } = started;
	await must('POST', '/step', { ticks: 15 });
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/step', { ticks: 10 });
	const { next } = await piece('since=0');
	await must('POST', '/snapshot/a/restore', {});
	const restored = await digest();
	await must('POST', '/batch', {
		requests: [
			{ path: '/step', body: { ticks: 10 } },
			{ path: '/snapshot/a/restore', body: {} },
			{ path: '/step', body: { ticks: 10 } },
		],
	});
	const refused = {
		requests: [
			{ path: '/step', body: { ticks: 10 } },
			{ path: '/entity/damage', body: {} },
		],
	};
	await started.call('POST', '/batch', refused);
	const after = await piece(`since=${next}`);
	const replaced = { type: 'WorldReplaced', tick: 15, state_digest: restored };
	const { events } = after as { events: Json[] };
	expect(events.filter(({ type }) => type === 'WorldReplaced')).toMatchObject([replaced, replaced]);
	expect(events.filter(({ type }) => type === 'RuleSpawnEvent').map(({ tick }) => tick)).toEqual([
		19, 19, 29,
	]);
	const ids = events.map(({ id }) => (id as string).split('-').map(Number));
	expect(ids).toEqual(ids.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!));
});

test('events that are dropped, or were never sent, are reported', async () => {
	const { must } = started;
	await must('POST', '/rule/create', {
		when: { kind: 'tick', every: 1 },
		do: Array.from({ length: 50 }, () => ({ action: 'emit', name: 'busy' })),
	});
	await must('POST', '/step', { ticks: 2500 });
	const { gap, events, more } = await piece('since=0&limit=10');
	expect(gap).toMatchObject({ from: '0-0-0', message: expect.stringContaining('no longer kept') });
	const [first] = events as Json[];
	expect((gap as Json).to).toBe(`0-${(first!.tick as number) - 1}-50`);
	expect(more).toBe(true);
	expect(await piece('since=7-1-1&limit=1')).toMatchObject({ gap: { from: '7-1-1' }, events: [first] });
});

test('a tick before the beginning of the current world is a gap, and a fresh world has none', async () => {
	const { must } = started;
	await must('POST', '/step', { ticks: 15 });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/reset', {});
	for (const world of ['', '&world=plan']) {
		const { gap, events } = await piece(`since=0${world}`);
		expect(gap, world).toMatchObject({
			to: expect.stringMatching(/^\d+-15-0$/),
			message: expect.stringContaining('begins at tick 15'),
		});
		expect(events, world).toEqual([]);
		const { to } = gap as { to: string };
		expect(await piece(`since=${to}${world}`), world).toMatchObject({ gap: null });
	}
	await must('POST', '/reset', { fresh: true });
	expect(await piece('since=0')).toMatchObject({ gap: null, tick: 0 });
});

test('an engine resumed from the journal has the same events under the same ids', async () => {
	const memory = new JournalMemory();
	const first = await startEngine({ journal: new MemoryJournal(memory) });
	await first.must('POST', '/rule/create', {
		when: { kind: 'tick', every: 10 },
		do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0] }],
	});
	await first.must('POST', '/snapshot', { label: 'a' });
	await first.must('POST', '/step', { ticks: 25 });
	await first.must('POST', '/snapshot/a/restore', {});
	await first.must('POST', '/step', { ticks: 35 });
	const before = await first.get('/events/stream?since=0-0-0');
	await first.engine.rest();
	const second = await startEngine({ journal: new MemoryJournal(memory) });
	expect(await second.get('/events/stream?since=0-0-0')).toEqual(before);
	expect(before.events.length).toBeGreaterThan(5);
	for (const { engine } of [first, second]) await engine.close();
});

test('a piece waits for the first event, and ends with its caller or its world', async () => {
	const { must, engine } = started;
	await must('POST', '/fork', { fork_id: 'plan' });
	const [waiting, deleted] = ['', '?world=plan'].map((world) =>
		started.get(`/events/stream${world === '' ? '?' : `${world}&`}wait=25&events=rule_spawn`),
	);
	await must('POST', '/step', { ticks: 10 });
	await must('POST', '/step', { ticks: 10 });
	expect((await waiting).events).toMatchObject([{ type: 'RuleSpawnEvent', tick: 9 }]);
	await must('DELETE', '/fork/plan');
	expect(await deleted).toMatchObject({ code: 'unknown_world' });
	const abort = new AbortController();
	const cancelled = engine.handle(requestOf('GET', '/events/stream?wait=25'), abort.signal);
	abort.abort();
	expect(jsonOf(await cancelled)).toMatchObject({ code: 'cancelled' });
});
