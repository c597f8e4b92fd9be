/**
 * A world survives its tab and its relay. Engines and relays end at any time, and no acknowledged call is lost
 * or applied twice.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseJournal } from '../../relay/journal/database-journal.ts';
import { standingOf } from '../../relay/journal/standing.ts';
import type { TabEvent } from '../../relay/ownership.ts';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import type { LinkFrame } from '../../shared/transport/link.ts';
import { packetPieces } from '../../shared/transport/packet.ts';
import { requestOf, withoutMemory } from '../support/engine.ts';
import { acquireJournal } from '../support/owned-journal.ts';
import { FaultyDisk } from './journal/faulty-journal.ts';
import {
	type JournalPage,
	type JournalTab,
	type JournalTabOptions,
	openJournalPage,
	openJournalTab,
} from './journal-tab.ts';

/** Polls at short intervals. */
const PATIENT = { interval: 5 };

/** Agent that keeps no connection, because the next relay has the same address as the previous one. */
const NO_KEEP_ALIVE = { connection: 'close' };

let data: string;
let faulty: FaultyDisk;
let events: TabEvent[];
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-goes-on-'));
	faulty = new FaultyDisk();
	events = [];
});

afterEach(async () => {
	for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
	await rm(data, { recursive: true, force: true });
});

interface RunningRelay {
	readonly relay: Relay;
	/** Ends the relay without notice to any tab or caller. */
	end(): Promise<void>;
}

/** Starts a relay on the data folder. By default it has the world of the previous relay. */
async function startTestRelay(
	port = 0,
	world = 'world',
	limits: Partial<RelayLimits> = {},
): Promise<RunningRelay> {
	const files = faulty.under(await DatabaseJournal.open(join(data, world)));
	const relay = await startRelay({
		port,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		journal: async () => ({ journal: files, id: world }),
		limits: { returnWait: 50, restartWait: 0, ...limits },
		onTab: (event) => events.push(event),
	});
	let ending: Promise<void> | undefined;
	const end = () => {
		ending ??= relay.close().then(() => files.close());
		return ending;
	};
	cleanups.push(end);
	return { relay, end };
}

async function openTestTab(relay: Relay, options: JournalTabOptions = {}): Promise<JournalTab> {
	const tab = await openJournalTab(relay.url, options);
	cleanups.push(() => tab.kill());
	return tab;
}

/** Kills a tab. Resolves when the relay knows that it is gone. */
async function kill(tab: JournalTab): Promise<void> {
	const leftCount = () => events.filter(({ kind }) => kind === 'left').length;
	const oldCount = leftCount();
	tab.kill();
	await expect.poll(leftCount, PATIENT).toBe(oldCount + 1);
}

interface Answer {
	readonly status: number;
	readonly body: Record<string, unknown>;
	readonly headers: Headers;
}

async function post(relay: Relay, path: string, body: object = {}, key?: string): Promise<Answer> {
	const answer = await fetch(relay.url + path, {
		method: 'POST',
		headers: {
			...NO_KEEP_ALIVE,
			'content-type': 'application/json',
			...(key === undefined ? {} : { 'idempotency-key': key }),
		},
		body: JSON.stringify(body),
	});
	return {
		status: answer.status,
		body: (await answer.json()) as Record<string, unknown>,
		headers: answer.headers,
	};
}

async function get(relay: Relay, path: string): Promise<Record<string, unknown>> {
	return (await (await fetch(relay.url + path, { headers: NO_KEEP_ALIVE })).json()) as Record<
		string,
		unknown
	>;
}

/** Adds a falling body, a fork and a snapshot. */
async function fillWorld(relay: Relay): Promise<void> {
	await post(relay, '/spawn', { mesh: 'sphere', physics_body: 'Dynamic', position: [0, 5, 0] });
	await post(relay, '/step', { ticks: 20 });
	await post(relay, '/snapshot', { label: 'then' });
	await post(relay, '/fork', { fork_id: 'plan' });
	await post(relay, '/fork/plan/step', { ticks: 7 });
}

/** Returns the properties that distinguish one world from another, with its forks and snapshots. */
async function readWorlds(relay: Relay): Promise<unknown[]> {
	const paths = ['/digest', '/digest?world=plan', '/snapshot/list', '/fork/list'];
	return Promise.all(paths.map(async (path) => withoutMemory(await get(relay, path))));
}

test('tabs that die while they start lose no waiting call: the surviving one applies each once', async () => {
	const { relay } = await startTestRelay(0, 'world', { statusWait: 20 });
	const calls: Promise<Answer>[] = [];
	for (let i = 0; i < 6; i++) {
		// Each tab dies at another point of reading, before it reports that it has loaded the world.
		const frameSent = Promise.withResolvers<void>();
		const lastKind = ['engine', 'journal', 'loaded'][i % 3];
		const tab = await openTestTab(relay, {
			sends: (frame) => {
				if (frame.kind === lastKind) frameSent.resolve();
				return frame.kind !== 'loaded';
			},
		});
		calls.push(post(relay, '/spawn', { mesh: 'cube' }, i % 2 === 0 ? `key-${i}` : undefined));
		await frameSent.promise;
		expect((await get(relay, '/')).code).toMatch(/^(no_engine|busy)$/);
		await kill(tab);
	}
	await openTestTab(relay);
	for (const { status, body } of await Promise.all(calls))
		expect([status, body.error]).toEqual([201, undefined]);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 6, last_world: null });
	expect((await get(relay, '/history')).lines).toHaveLength(6);
});

test('tabs are killed during calls: each call is answered and applied once', async () => {
	const { relay } = await startTestRelay();
	let tab = await openTestTab(relay);
	await fillWorld(relay);
	const { identity } = await tab.engine;
	const [clients, each, kills] = [8, 30, 6];
	const calls = clients * each;
	let answerCount = 0;
	const ticks: number[] = [];
	const runs = Array.from({ length: clients }, async () => {
		for (let call = 0; call < each; call++) {
			const { status, body, headers } = await post(relay, '/step', { ticks: 1 });
			expect(status).toBe(200);
			expect(headers.get('x-orrery-world')).toBe(identity);
			ticks.push(body.new_tick as number);
			answerCount++;
		}
	});
	for (let killCount = 0; killCount < kills; killCount++) {
		await expect.poll(() => answerCount, PATIENT).toBeGreaterThanOrEqual(killCount * 20);
		// A tab is also killed while it reads the journal.
		await expect.poll(() => tab.tab.state, PATIENT).toBe('ready');
		await kill(tab);
		tab = await openTestTab(relay);
	}
	await Promise.all(runs);
	expect(ticks.sort((a, b) => a - b)).toEqual(Array.from({ length: calls }, (_, i) => 21 + i));
	expect(await get(relay, '/')).toMatchObject({ tick: 20 + calls, last_world: null });
});

test('a tab killed in the middle of a step: the next one runs the whole step', async () => {
	const { relay } = await startTestRelay();
	const first = await openTestTab(relay);
	await fillWorld(relay);
	const engine = await first.engine;
	const step = post(relay, '/step', { ticks: 2000 });
	await expect.poll(() => engine.worlds.main.world.tick, PATIENT).toBeGreaterThan(20);
	await kill(first);
	await openTestTab(relay);
	expect((await step).body).toMatchObject({ ok: true, new_tick: 2020 });
});

test('an applied call whose answer was lost is answered from the journal', async () => {
	const { relay } = await startTestRelay();
	let createdAnswers = 0;
	const first = await openTestTab(relay, {
		sends: (frame) => frame.kind !== 'answer' || frame.response.status !== 201 || createdAnswers++ > 0,
	});
	await first.engine;
	const spawned = post(relay, '/spawn', { mesh: 'cube' });
	await expect.poll(() => get(relay, '/journal'), PATIENT).toMatchObject({ next: 1 });
	await kill(first);
	await openTestTab(relay);
	expect(await spawned).toMatchObject({ status: 201, body: { ok: true } });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1 });
});

test('a socket that is lost repeatedly doubles no call and loses none', async () => {
	const { relay } = await startTestRelay();
	const tab = await openTestTab(relay);
	await tab.engine;
	const answers: Promise<Answer>[] = [];
	for (let round = 0; round < 5; round++) {
		for (let i = 0; i < 40; i++) answers.push(post(relay, '/spawn', { tags: [`${round}-${i}`] }));
		// Some are answered, some are running and some are queued.
		await expect
			.poll(async () => (await tab.engine).worlds.main.world.entities.count, PATIENT)
			.toBeGreaterThan(round * 40);
		tab.cut();
		await expect.poll(() => tab.tab.state, PATIENT).toBe('connecting');
		await expect.poll(() => tab.tab.state, PATIENT).toBe('ready');
	}
	const ids = (await Promise.all(answers)).map(({ body }) => body.entity_id);
	expect(new Set(ids).size).toBe(200);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 200 });
});

test('a call with a key is applied once, for any crash and any time of a state', async () => {
	const { relay } = await startTestRelay();
	// The clock stands still, so a state is stored after each entry.
	const settings = { stateEvery: { entries: 1 }, now: () => 0 };
	const first = await openTestTab(relay, { settings });
	const firstAnswer = await post(relay, '/spawn', { mesh: 'cube' }, 'move-1');
	expect(firstAnswer.headers.get('idempotency-replayed')).toBeNull();
	await expect
		.poll(() => get(relay, '/journal'), PATIENT)
		.toMatchObject({ states: expect.arrayContaining([1]) });
	await kill(first);
	await openTestTab(relay, { settings });
	const answer = await post(relay, '/spawn', { mesh: 'cube' }, 'move-1');
	expect(answer.headers.get('idempotency-replayed')).toBe('true');
	expect(answer.body).toEqual(firstAnswer.body);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1 });
	expect(await get(relay, '/journal?key=move-1')).toMatchObject({ call: { entry: 0 } });
});

test('a call that repeatedly ends engines is refused, and the world resumes without it', async () => {
	const { relay } = await startTestRelay();
	const dropsAnswers = (frame: LinkFrame) =>
		frame.kind !== 'answer' && !(frame.kind === 'journal' && frame.ask.ask === 'append');
	const refused = Promise.withResolvers<Answer>();
	let tab = await openTestTab(relay);
	await fillWorld(relay);
	await kill(tab);
	for (let end = 1; end <= 3; end++) {
		tab = await openTestTab(relay, { sends: dropsAnswers });
		const engine = await tab.engine;
		if (end === 1) void post(relay, '/spawn', { mesh: 'cube' }).then((answer) => refused.resolve(answer));
		await expect.poll(() => engine.worlds.main.world.entities.count, PATIENT).toBe(2);
		await kill(tab);
	}
	await openTestTab(relay);
	expect(await refused.promise).toMatchObject({ status: 502, body: { code: 'engine_lost' } });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1, tick: 20 });
});

/** Opens the pages of two tabs. The first owns the world. */
async function openTwoPages(
	relay: Relay,
	options: JournalTabOptions = {},
): Promise<[JournalPage, JournalPage]> {
	const first = await openTestPage(relay, options);
	await (await first.tab).engine;
	return [first, await openTestPage(relay)];
}

async function openTestPage(relay: Relay, options: JournalTabOptions = {}): Promise<JournalPage> {
	const page = await openJournalPage(relay.url, options);
	cleanups.push(() => page.close());
	return page;
}

test('a page that claims the world loads it unchanged with its queued calls, and the journal has both parts', async () => {
	const { relay } = await startTestRelay();
	const [old, next] = await openTwoPages(relay);
	await fillWorld(relay);
	const worldsBefore = await readWorlds(relay);
	const steps = Array.from({ length: 20 }, () => post(relay, '/step', { ticks: 1 }));
	next.page.claim();
	const tab = await next.tab;
	await (await old.tab).replaced;
	expect((await tab.engine).identity).toBe((await (await old.tab).engine).identity);
	const ticks = (await Promise.all(steps)).map(({ body }) => body.new_tick as number);
	expect(ticks.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 21 + i));
	expect((await readWorlds(relay)).slice(1)).toEqual(worldsBefore.slice(1));
	// The previous owner wrote a state, so the next one reads few entries.
	expect(((await get(relay, '/journal')).states as number[]).at(-1)).toBeGreaterThan(0);
	await post(relay, '/spawn', { mesh: 'cube' });
	const worldsAfter = await readWorlds(relay);
	const eventCount = events.length;
	next.close(true);
	await expect.poll(() => events.slice(eventCount).some(({ kind }) => kind === 'left'), PATIENT).toBe(true);
	await openTestTab(relay);
	expect(await readWorlds(relay)).toEqual(worldsAfter);
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 41 });
});

test('pages that constantly claim the world: each call is applied once, by one of them', async () => {
	const { relay } = await startTestRelay();
	const steps: Promise<Answer>[] = [];
	let isStopping = false;
	const first = await openTestPage(relay);
	const { identity } = await (await first.tab).engine;
	const clients = Array.from({ length: 6 }, async () => {
		while (!isStopping) {
			const step = post(relay, '/step', { ticks: 1 });
			steps.push(step);
			await step;
		}
	});
	// Two claim concurrently. One of them waits for the other or is declined.
	for (let round = 0; round < 8; round++) {
		const stepCount = steps.length;
		const [journalPage, other] = await Promise.all([openTestPage(relay), openTestPage(relay)]);
		journalPage.page.claim();
		other.page.claim();
		await (await journalPage.tab).engine;
		await Promise.race([other.page.declined, other.tab]);
		other.close();
		await expect.poll(() => steps.length, PATIENT).toBeGreaterThan(stepCount + 6);
	}
	isStopping = true;
	await Promise.all(clients);
	const answers = await Promise.all(steps);
	expect(new Set(answers.map(({ headers }) => headers.get('x-orrery-world')))).toEqual(new Set([identity]));
	const ticks = answers.map(({ body }) => body.new_tick as number).sort((a, b) => a - b);
	expect(ticks).toEqual(Array.from({ length: steps.length }, (_, i) => i + 1));
});

test('if both tabs die while the world moves between them, nothing is lost and another resumes', async () => {
	const { relay } = await startTestRelay();
	// The claimant leaves before the owner has released the world.
	const blocked = Promise.withResolvers<void>();
	const [old, claimant] = await openTwoPages(relay, {
		sends: (frame) => {
			if (frame.kind === 'released') blocked.resolve();
			return frame.kind !== 'released';
		},
	});
	await fillWorld(relay);
	const worldsBefore = await readWorlds(relay);
	claimant.page.claim();
	await blocked.promise;
	const third = await openTestPage(relay);
	claimant.close();
	// The owner dies before it reports the release.
	old.close(true);
	await (await third.tab).engine;
	expect(await readWorlds(relay)).toEqual(worldsBefore);
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 21 });
});

test("an owner that is stopped, replaced and continued cannot write, and restarts from its successor's changes", async () => {
	const { relay } = await startTestRelay(0, 'world', { pingEvery: 200, pingsMissed: 5 });
	const stopped = await openTestTab(relay);
	const engine = await stopped.engine;
	await fillWorld(relay);
	stopped.freeze();
	await expect.poll(() => events.some(({ kind }) => kind === 'hung'), PATIENT).toBe(true);
	await (await openTestTab(relay)).engine;
	await post(relay, '/spawn', { tags: ['next'] });
	const worldsAfter = await readWorlds(relay);
	// The work that was interrupted continues.
	const interrupted = engine.handle(requestOf('POST', '/spawn', { tags: ['late'] }));
	stopped.thaw();
	await stopped.replaced;
	expect(await readWorlds(relay)).toEqual(worldsAfter);
	expect(await get(relay, '/journal')).toMatchObject({ works: true });
	expect((await interrupted).status).toBe(503);
});

test('after a change of the relay the tab continues, and another does after the tab has left', async () => {
	const first = await startTestRelay();
	const tab = await openTestTab(first.relay);
	await fillWorld(first.relay);
	const worldsBefore = await readWorlds(first.relay);
	await first.end();
	const second = await startTestRelay(first.relay.port);
	await expect.poll(() => tab.tab.state, PATIENT).toBe('ready');
	expect(await readWorlds(second.relay)).toEqual(worldsBefore);
	await post(second.relay, '/step', { ticks: 3 });
	const worldsAfter = await readWorlds(second.relay);
	await second.end();
	tab.kill();
	const third = await startTestRelay(first.relay.port);
	await openTestTab(third.relay);
	expect(await readWorlds(third.relay)).toEqual(worldsAfter);
	expect(await get(third.relay, '/')).toMatchObject({ last_world: null });
	expect((await post(third.relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 24 });
});

test('a relay with another world makes the tab load that world', async () => {
	const first = await startTestRelay();
	const tab = await openTestTab(first.relay);
	await fillWorld(first.relay);
	await first.end();
	const second = await startTestRelay(first.relay.port, 'other');
	await tab.replaced;
	await openTestTab(second.relay);
	expect(await get(second.relay, '/')).toMatchObject({ tick: 0, entity_count: 0 });
	expect((await post(second.relay, '/step', { ticks: 1 })).status).toBe(200);
});

test('a full disk is reported immediately, in the answer and in GET /, and stored entries stay', async () => {
	const { relay } = await startTestRelay();
	const tab = await openTestTab(relay);
	await fillWorld(relay);
	faulty.isFull = true;
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept' });
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept', applied: false });
	expect(await get(relay, '/')).toMatchObject({ journal: { works: false } });
	await kill(tab);
	faulty.isFull = false;
	await openTestTab(relay);
	expect(await get(relay, '/')).toMatchObject({ tick: 20, journal: { works: true } });
});

test('a journal that cannot be resumed stays unchanged, and every call gets the reason', async () => {
	const newer = await acquireJournal(DatabaseJournal.open(join(data, 'world')));
	await newer.keepState(0, packetPieces({ version: 99, tree: 0 }, []), []);
	await newer.close();
	const { relay } = await startTestRelay();
	const waiting = post(relay, '/step', { ticks: 1 });
	const tab = await openTestTab(relay);
	await expect(tab.engine).rejects.toThrow('format 99');
	const refusal = { status: 503, body: { code: 'no_engine', error: expect.stringContaining('format 99') } };
	expect(await waiting).toMatchObject(refusal);
	expect(await post(relay, '/step', { ticks: 1 })).toMatchObject(refusal);
	expect(events.some(({ kind }) => kind === 'unreadable')).toBe(true);
});

test('after a caller ends an engine, another resumes', async () => {
	const { relay } = await startTestRelay();
	const tab = await openTestTab(relay);
	await fillWorld(relay);
	const worldsBefore = await readWorlds(relay);
	const { identity } = await tab.engine;
	const ended = await fetch(`${relay.url}/engine/worker/${identity}`, { method: 'DELETE' });
	expect(await ended.json()).toEqual({ ok: true, last_world: null });
	await tab.replaced;
	// The world is the same, even without an owner.
	const vacant = await fetch(relay.url, { headers: NO_KEEP_ALIVE });
	expect([vacant.status, vacant.headers.get('x-orrery-world')]).toEqual([503, identity]);
	expect(ended.headers.get('x-orrery-world')).toBe(identity);
	await openTestTab(relay);
	expect(await readWorlds(relay)).toEqual(worldsBefore);
});

test('the progress of a tab that reads the journal is reported after one second', async () => {
	const { relay } = await startTestRelay();
	const first = await openTestTab(relay);
	for (let i = 0; i < 20; i++) await post(relay, '/spawn', { mesh: 'cube' });
	await kill(first);
	// The clock advances by `ms` at each entry.
	const readingsAt = async (ms: number): Promise<readonly (readonly [number, number])[]> => {
		let clock = 0;
		const tab = await openTestTab(relay, { settings: { now: () => (clock += ms) } });
		await tab.engine;
		await kill(tab);
		return tab.readings;
	};
	expect(await readingsAt(1)).toEqual([]);
	const reading = await readingsAt(300);
	expect(reading.length).toBeGreaterThan(3);
	expect(reading.every(([next, end], i) => end >= 20 && next > (reading[i - 1]?.[0] ?? 0))).toBe(true);
});

test('the journal has the name and position of the world', async () => {
	const { relay } = await startTestRelay();
	await openTestTab(relay);
	await post(relay, '/scenario', { name: 'Arena' });
	await post(relay, '/step', { ticks: 7 });
	const journal = await DatabaseJournal.openReadOnly(join(data, 'world'));
	expect(await standingOf(journal)).toEqual({ name: 'Arena', tick: 7 });
	await journal.close();
});

test('a world with a full disk is not moved, and the claiming page gets the reason', async () => {
	const { relay } = await startTestRelay();
	const [, claimant] = await openTwoPages(relay);
	await fillWorld(relay);
	faulty.isFull = true;
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept' });
	claimant.page.claim();
	expect(await claimant.page.declined).toContain('the disk is full');
	faulty.isFull = false;
	await expect.poll(() => get(relay, '/'), PATIENT).toMatchObject({ journal: { works: true } });
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 22 });
});

test('a tab that returns after others resumed its world over another relay is dismissed, and loads their changes', async () => {
	const first = await startTestRelay();
	const stale = await openTestTab(first.relay);
	await stale.engine;
	await fillWorld(first.relay);
	await first.end();
	const second = await startTestRelay();
	const tab = await openTestTab(second.relay);
	await tab.engine;
	await post(second.relay, '/spawn', { tags: ['two'] });
	await post(second.relay, '/step', { ticks: 5 });
	const lastWorlds = await readWorlds(second.relay);
	tab.kill();
	await second.end();
	const { relay } = await startTestRelay(first.relay.port);
	await stale.replaced;
	await (await openTestTab(relay)).engine;
	expect(await readWorlds(relay)).toEqual(lastWorlds);
	expect((await post(relay, '/spawn', { tags: ['more'] })).body).toMatchObject({ ok: true });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 3, journal: { works: true } });
});
