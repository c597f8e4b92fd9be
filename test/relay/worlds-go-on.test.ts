/**
 * A world outlives its tab and its relay: engines and relays are ended at any moment, and nothing that was answered is lost, and
 * nothing done twice.
 */

import { cp, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileJournal } from '../../relay/journal/file-journal.ts';
import type { TabEvent } from '../../relay/ownership.ts';
import { type Relay, type RelayLimits, startRelay } from '../../relay/server.ts';
import { apartFromMemory } from '../support/engine.ts';
import { type FaultyDisk, faultyDisk } from './journal/faulty-disk.ts';
import { type JournalTab, type JournalTabOptions, openJournalTab } from './journal-tab.ts';

/** Polling that ends a little before the test's own timeout, so that a failure names the assertion. */
const PATIENT = { timeout: 50_000, interval: 5 };

/** No connection is kept: the next relay has the same address, and one that the last relay had ended would be tried there. */
const ONCE = { connection: 'close' };

let data: string;
let faulty: FaultyDisk;
let events: TabEvent[];
/** What was noted for the list of worlds. */
let noted: string[];
const ends: (() => unknown)[] = [];

beforeEach(async () => {
	data = await mkdtemp(join(tmpdir(), 'orrery-goes-on-'));
	faulty = faultyDisk();
	events = [];
	noted = [];
});

afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
	await rm(data, { recursive: true, force: true });
});

interface Running {
	readonly relay: Relay;
	/** Ends it without a word to anybody: no tab, no caller. */
	end(): Promise<void>;
}

/** A relay on the data folder, whose world is that of the one before it unless named otherwise. */
async function startsRelay(port = 0, world = 'world', limits: Partial<RelayLimits> = {}): Promise<Running> {
	const files = await FileJournal.open(join(data, world), { disk: faulty.disk });
	const relay = await startRelay({
		port,
		data,
		page: { html: async () => '<!doctype html><html><head></head><body></body></html>', serve: () => false },
		journal: async () => ({
			journal: files,
			note: async (name, tick) => void noted.push(`${name} ${tick}`),
		}),
		limits: { returnWait: 50, ...limits },
		onTab: (event) => events.push(event),
	});
	let ended: Promise<void> | undefined;
	const end = () => {
		ended ??= relay.close().then(() => files.close());
		return ended;
	};
	ends.push(end);
	return { relay, end };
}

async function opensTab(relay: Relay, options: JournalTabOptions = {}): Promise<JournalTab> {
	const tab = await openJournalTab(relay.url, options);
	ends.push(() => tab.kill());
	return tab;
}

/** A tab that takes the worlds over, has everything, and never says so. */
async function opensSilentTaker(relay: Relay): Promise<JournalTab> {
	const had = Promise.withResolvers<void>();
	const taker = await opensTab(relay, {
		mode: 'take',
		sends: (frame) => {
			if (frame.kind === 'have') had.resolve();
			return frame.kind !== 'have';
		},
	});
	await had.promise;
	return taker;
}

/** Kills a tab. Resolves when the relay knows that it is gone. */
async function kill(tab: JournalTab): Promise<void> {
	const left = () => events.filter(({ kind }) => kind === 'left').length;
	const before = left();
	tab.kill();
	await expect.poll(left, PATIENT).toBe(before + 1);
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
			...ONCE,
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
	return (await (await fetch(relay.url + path, { headers: ONCE })).json()) as Record<string, unknown>;
}

/** Something that falls, a fork and a snapshot. */
async function fill(relay: Relay): Promise<void> {
	await post(relay, '/spawn', { mesh: 'sphere', physics_body: 'Dynamic', position: [0, 5, 0] });
	await post(relay, '/step', { ticks: 20 });
	await post(relay, '/snapshot', { label: 'then' });
	await post(relay, '/fork', { fork_id: 'plan' });
	await post(relay, '/fork/plan/step', { ticks: 7 });
}

/** What tells one world from another, with its forks and snapshots. */
async function look(relay: Relay): Promise<unknown[]> {
	const paths = ['/digest', '/digest?world=plan', '/snapshot/list', '/fork/list'];
	return Promise.all(paths.map(async (path) => apartFromMemory(await get(relay, path))));
}

test('a file of entries that somebody emptied is told of, and what was before it goes on under another name', async () => {
	const first = await startsRelay();
	let tab = await opensTab(first.relay);
	await post(first.relay, '/spawn', { mesh: 'cube' });
	const { identity } = await tab.engine;
	await first.end();
	tab.kill();
	const folder = join(data, 'world');
	const names = (await readdir(folder)).filter((name) => name.startsWith('entries-'));
	await truncate(join(folder, names.at(-1)!), 0);

	const second = await startsRelay();
	tab = await opensTab(second.relay);
	const world = (await tab.engine).identity;
	expect(world).not.toBe(identity);
	const status = await get(second.relay, '/');
	expect(status).toMatchObject({
		entity_count: 0,
		last_world: {
			world: identity,
			why: expect.stringMatching(/damaged\. The file "entries-0{16}\.journal" .* was emptied/),
		},
	});
	const before = await fetch(`${second.relay.url}/digest`, {
		headers: { ...ONCE, 'x-orrery-world': identity },
	});
	expect((await before.json()).code).toBe('other_world');
	await post(second.relay, '/spawn', { mesh: 'cube' });
	await second.end();
	tab.kill();

	// It is told once; what was done since is kept.
	const third = await startsRelay();
	tab = await opensTab(third.relay);
	expect((await tab.engine).identity).toBe(world);
	expect(await get(third.relay, '/')).toMatchObject({ entity_count: 1, last_world: { world: identity } });
});

test('files of the journal that somebody removed are told of, and no empty world passes for the one that was', async () => {
	const first = await startsRelay();
	const tab = await opensTab(first.relay);
	await fill(first.relay);
	const { identity } = await tab.engine;
	await kill(tab);
	await first.end();
	const folder = join(data, 'world');
	for (const name of await readdir(folder)) if (name.endsWith('.journal')) await rm(join(folder, name));
	const { relay } = await startsRelay();
	const begun = await opensTab(relay);
	expect((await begun.engine).identity).not.toBe(identity);
	expect(await get(relay, '/')).toMatchObject({
		entity_count: 0,
		last_world: {
			why: expect.stringMatching(
				/^Its journal is damaged. The journal had entries up to \d+, and its files have none: .*an empty world begins.$/,
			),
		},
	});
	const after = await get(relay, '/journal');
	expect(after).toMatchObject({ next: 0, states: [0], works: true });
});

test('tabs that die one after the other while they start lose no call that waits: the one that starts does each once', async () => {
	const { relay } = await startsRelay(0, 'world', { statusWait: 20 });
	const calls: Promise<Answer>[] = [];
	for (let i = 0; i < 6; i++) {
		// It dies before it has said that it has the world, and at different moments of reading.
		const seen = Promise.withResolvers<void>();
		const after = ['hello', 'journal', 'holds'][i % 3];
		const tab = await opensTab(relay, {
			sends: (frame) => {
				if (frame.kind === after) seen.resolve();
				return frame.kind !== 'holds';
			},
		});
		calls.push(post(relay, '/spawn', { mesh: 'cube' }, i % 2 === 0 ? `key-${i}` : undefined));
		await seen.promise;
		expect((await get(relay, '/')).code).toMatch(/^(no_engine|busy)$/);
		await kill(tab);
	}
	await opensTab(relay);
	for (const { status, body } of await Promise.all(calls))
		expect([status, body.error]).toEqual([201, undefined]);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 6, last_world: null });
	expect((await get(relay, '/history')).lines).toHaveLength(6);
});

test('tabs are killed while calls come in: each call is answered, and done once', async () => {
	const { relay } = await startsRelay();
	let tab = await opensTab(relay);
	await fill(relay);
	const { identity } = await tab.engine;
	const [clients, each, kills] = [8, 30, 6];
	const calls = clients * each;
	let answered = 0;
	const ticks: number[] = [];
	const all = Array.from({ length: clients }, async () => {
		for (let call = 0; call < each; call++) {
			const { status, body, headers } = await post(relay, '/step', { ticks: 1 });
			expect(status).toBe(200);
			expect(headers.get('x-orrery-world')).toBe(identity);
			ticks.push(body.new_tick as number);
			answered++;
		}
	});
	for (let killed = 0; killed < kills; killed++) {
		await expect.poll(() => answered, PATIENT).toBeGreaterThanOrEqual(killed * 20);
		// Also while it reads the journal.
		await expect.poll(() => tab.tab.state, PATIENT).toBe('ready');
		await kill(tab);
		tab = await opensTab(relay);
	}
	await Promise.all(all);
	expect(ticks.sort((a, b) => a - b)).toEqual(Array.from({ length: calls }, (_, i) => 21 + i));
	expect(await get(relay, '/')).toMatchObject({ tick: 20 + calls, last_world: null });
	expect(events.some(({ kind }) => kind === 'gone')).toBe(false);
});

test('a tab that is killed in the middle of a step: the next one does all of it', async () => {
	const { relay } = await startsRelay();
	const first = await opensTab(relay);
	await fill(relay);
	const engine = await first.engine;
	const step = post(relay, '/step', { ticks: 2000 });
	await expect.poll(() => engine.worlds.main.world.tick, PATIENT).toBeGreaterThan(20);
	await kill(first);
	await opensTab(relay);
	expect((await step).body).toMatchObject({ ok: true, new_tick: 2020 });
});

test('a call that was done and whose answer was lost is answered from the journal', async () => {
	const { relay } = await startsRelay();
	let lost = 0;
	const first = await opensTab(relay, {
		sends: (frame) => frame.kind !== 'answer' || frame.response.status !== 201 || lost++ > 0,
	});
	await first.engine;
	const spawned = post(relay, '/spawn', { mesh: 'cube' });
	await expect.poll(() => get(relay, '/journal'), PATIENT).toMatchObject({ next: 1 });
	await kill(first);
	await opensTab(relay);
	expect(await spawned).toMatchObject({ status: 201, body: { ok: true } });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1 });
});

test('a call with a key is done once, whatever ends in between, and whenever a state is kept', async () => {
	const { relay } = await startsRelay();
	// A clock that stands: no state is too slow to be kept after each entry.
	const settings = { stateEvery: { entries: 1 }, now: () => 0 };
	const first = await opensTab(relay, { settings });
	const once = await post(relay, '/spawn', { mesh: 'cube' }, 'move-1');
	expect(once.headers.get('idempotency-replayed')).toBeNull();
	await expect
		.poll(() => get(relay, '/journal'), PATIENT)
		.toMatchObject({ states: expect.arrayContaining([1]) });
	await kill(first);
	await opensTab(relay, { settings });
	const again = await post(relay, '/spawn', { mesh: 'cube' }, 'move-1');
	expect(again.headers.get('idempotency-replayed')).toBe('true');
	expect(again.body).toEqual(once.body);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1 });
	expect(await get(relay, '/journal?key=move-1')).toMatchObject({ call: { entry: 0 } });
});

test('a call with which engines end again and again is refused, and the world goes on without it', async () => {
	const { relay } = await startsRelay();
	const never = (frame: { readonly kind: string }) => frame.kind !== 'append' && frame.kind !== 'answer';
	const refused = Promise.withResolvers<Answer>();
	let tab = await opensTab(relay);
	await fill(relay);
	await kill(tab);
	for (let end = 1; end <= 3; end++) {
		tab = await opensTab(relay, { sends: never });
		const engine = await tab.engine;
		if (end === 1) void post(relay, '/spawn', { mesh: 'cube' }).then((answer) => refused.resolve(answer));
		await expect.poll(() => engine.worlds.main.world.entities.count, PATIENT).toBe(2);
		await kill(tab);
	}
	await opensTab(relay);
	expect(await refused.promise).toMatchObject({ status: 502, body: { code: 'engine_lost', applied: false } });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1, tick: 20 });
});

test('a handover goes on in the journal, and what either tab did is there when both are gone', async () => {
	const { relay } = await startsRelay();
	const old = await opensTab(relay);
	await fill(relay);
	const before = await look(relay);
	const steps = Array.from({ length: 20 }, () => post(relay, '/step', { ticks: 1 }));
	const taker = await opensTab(relay, { mode: 'take' });
	const engine = await taker.engine;
	await old.replaced;
	expect(engine.identity).toBe((await old.engine).identity);
	const ticks = (await Promise.all(steps)).map(({ body }) => body.new_tick as number);
	expect(ticks.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => 21 + i));
	expect((await look(relay)).slice(1)).toEqual(before.slice(1));
	await post(relay, '/spawn', { mesh: 'cube' });
	const after = await look(relay);
	await kill(taker);
	await opensTab(relay);
	expect(await look(relay)).toEqual(after);
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 41 });
});

test('a handover that ends in the middle, whoever of the two dies, leaves all as it was', async () => {
	const { relay } = await startsRelay();
	const old = await opensTab(relay);
	await fill(relay);
	const before = await look(relay);
	// The new tab dies when it has everything.
	(await opensSilentTaker(relay)).kill();
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 21 });
	expect((await look(relay)).slice(1)).toEqual(before.slice(1));
	const after = await look(relay);
	// The old one dies when the new one has everything.
	const taker = await opensSilentTaker(relay);
	await kill(old);
	expect(await taker.off).not.toBe('');
	await opensTab(relay);
	expect(await look(relay)).toEqual(after);
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 22 });
});

test('a relay that ends and one that begins: the tab goes on, and so does another when the tab is gone too', async () => {
	const first = await startsRelay();
	const tab = await opensTab(first.relay);
	await fill(first.relay);
	const before = await look(first.relay);
	await first.end();
	const second = await startsRelay(first.relay.port);
	await expect.poll(() => tab.tab.state, PATIENT).toBe('ready');
	expect(await look(second.relay)).toEqual(before);
	await post(second.relay, '/step', { ticks: 3 });
	const after = await look(second.relay);
	await second.end();
	tab.kill();
	const third = await startsRelay(first.relay.port);
	await opensTab(third.relay);
	expect(await look(third.relay)).toEqual(after);
	expect(await get(third.relay, '/')).toMatchObject({ last_world: null });
	expect((await post(third.relay, '/step', { ticks: 1 })).body).toMatchObject({ new_tick: 24 });
});

test('a relay that comes with another world has the tab begin with that', async () => {
	const first = await startsRelay();
	const tab = await opensTab(first.relay);
	await fill(first.relay);
	await first.end();
	const second = await startsRelay(first.relay.port, 'other');
	await tab.replaced;
	await opensTab(second.relay);
	expect(await get(second.relay, '/')).toMatchObject({ tick: 0, entity_count: 0 });
	expect((await post(second.relay, '/step', { ticks: 1 })).status).toBe(200);
});

test('a full disk is said at once, in the answer and in GET /, and nothing that was kept is lost', async () => {
	const { relay } = await startsRelay();
	const tab = await opensTab(relay);
	await fill(relay);
	faulty.room = 0;
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept' });
	expect((await post(relay, '/step', { ticks: 1 })).body).toMatchObject({ code: 'not_kept', applied: false });
	expect(await get(relay, '/')).toMatchObject({ journal: { active: true, works: false } });
	// What cannot be written down is not handed over either.
	const taker = await opensTab(relay, { mode: 'take' });
	expect(await taker.off).not.toBe('');
	await kill(tab);
	faulty.room = Number.POSITIVE_INFINITY;
	await opensTab(relay);
	expect(await get(relay, '/')).toMatchObject({ tick: 20, journal: { works: true } });
});

test('a journal that cannot be gone on with is left as it is, and every call is told why', async () => {
	const newer = await FileJournal.open(join(data, 'world'));
	await newer.keepState(0, [Uint8Array.of(99)], []);
	await newer.close();
	const { relay } = await startsRelay();
	const waiting = post(relay, '/step', { ticks: 1 });
	const tab = await opensTab(relay);
	await expect(tab.engine).rejects.toThrow('format 99');
	const said = { status: 503, body: { code: 'no_engine', error: expect.stringContaining('format 99') } };
	expect(await waiting).toMatchObject(said);
	expect(await post(relay, '/step', { ticks: 1 })).toMatchObject(said);
	expect(events.some(({ kind }) => kind === 'unreadable')).toBe(true);
});

test('an engine that a caller ends is followed by one that goes on', async () => {
	const { relay } = await startsRelay();
	const tab = await opensTab(relay);
	await fill(relay);
	const before = await look(relay);
	const { identity } = await tab.engine;
	const ended = await fetch(`${relay.url}/engine/worker/${identity}`, { method: 'DELETE' });
	expect(await ended.json()).toEqual({ ok: true, last_world: null });
	await tab.replaced;
	// It is still the same world, also while nobody holds it.
	const vacant = await fetch(relay.url, { headers: ONCE });
	expect([vacant.status, vacant.headers.get('x-orrery-world')]).toEqual([503, identity]);
	expect(ended.headers.get('x-orrery-world')).toBe(identity);
	await opensTab(relay);
	expect(await look(relay)).toEqual(before);
});

test('how far a tab is with reading the journal is told once a second has gone by', async () => {
	const { relay } = await startsRelay();
	const first = await opensTab(relay);
	for (let i = 0; i < 20; i++) await post(relay, '/spawn', { mesh: 'cube' });
	await kill(first);
	// A clock that is looked at for each entry, and goes on by as much each time.
	const readingsAt = async (ms: number): Promise<readonly (readonly [number, number])[]> => {
		let clock = 0;
		const tab = await opensTab(relay, { settings: { now: () => (clock += ms) } });
		await tab.engine;
		await kill(tab);
		return tab.readings;
	};
	expect(await readingsAt(1)).toEqual([]);
	const told = await readingsAt(300);
	expect(told.length).toBeGreaterThan(3);
	expect(told.every(([next, end], i) => end >= 20 && next > (told[i - 1]?.[0] ?? 0))).toBe(true);
});

test('a tab that is about to go says when everything is kept', async () => {
	const { relay } = await startsRelay();
	const tab = await opensTab(relay);
	await fill(relay);
	tab.tab.leave();
	await expect.poll(tab.kept, PATIENT).toBe(1);
	// With a full disk something would be, and it says nothing.
	faulty.room = 0;
	await post(relay, '/step', { ticks: 1 });
	tab.tab.leave();
	await expect((await tab.engine).rest()).rejects.toThrow();
	expect(tab.kept()).toBe(1);
});

test('the list of worlds is told the name of the world and where it stands', async () => {
	const { relay } = await startsRelay();
	await opensTab(relay);
	await post(relay, '/scenario', { name: 'Arena' });
	await post(relay, '/step', { ticks: 7 });
	await expect.poll(() => noted.at(-1), PATIENT).toBe('Arena 7');
});

test('a tab that is still reading the world hands it to nobody, and the journal goes on having everything', async () => {
	const { relay } = await startsRelay();
	const first = await opensTab(relay);
	await first.engine;
	await fill(relay);
	const before = await look(relay);
	await kill(first);
	const reading = await opensTab(relay, { sends: ({ kind }) => kind !== 'holds' });
	await reading.engine;
	const taker = await opensTab(relay, { mode: 'take' });
	expect(await taker.off).toMatch(/still reading it/);
	await kill(reading);
	await (await opensTab(relay)).engine;
	expect(await look(relay)).toEqual(before);
	expect(await get(relay, '/')).toMatchObject({ journal: { active: true, works: true } });
	expect((await post(relay, '/spawn')).body).toMatchObject({ ok: true });
});

test('a world that is ahead of its journal, whose files were removed while no relay ran, stays with its tab', async () => {
	const first = await startsRelay();
	const tab = await opensTab(first.relay);
	await tab.engine;
	await fill(first.relay);
	const before = await look(first.relay);
	await first.end();
	for (const name of await readdir(join(data, 'world')))
		if (name.startsWith('entries-')) await rm(join(data, 'world', name));
	const { relay } = await startsRelay(first.relay.port);
	await expect.poll(async () => (await fetch(`${relay.url}/`, { headers: ONCE })).status, PATIENT).toBe(200);
	expect(await look(relay)).toEqual(before);
	expect(await get(relay, '/')).toMatchObject({ entity_count: 1, journal: { active: true, works: false } });
	const refused = await post(relay, '/spawn');
	expect(refused).toMatchObject({ status: 503, body: { code: 'not_kept', applied: false } });
	expect(refused.body.error).toContain('some of its files were removed');
	expect(await look(relay)).toEqual(before);
	expect((await post(relay, '/scene/save', { path: 'kept.json' })).body).toMatchObject({ ok: true });
});

/** A relay on the port of a tab that has fallen behind others: that is sent away, and the next one goes on with what they did. */
async function goesOnWithout(
	stale: JournalTab,
	port: number,
	others: { readonly tab: JournalTab; readonly relay: Running; readonly then: unknown },
): Promise<void> {
	others.tab.kill();
	await others.relay.end();
	const { relay } = await startsRelay(port);
	await stale.replaced;
	await (await opensTab(relay)).engine;
	expect(await look(relay)).toEqual(others.then);
	expect((await post(relay, '/spawn', { tags: ['more'] })).body).toMatchObject({ ok: true });
	expect(await get(relay, '/')).toMatchObject({ entity_count: 3, journal: { works: true } });
}

test('a tab that comes back after others have gone on with its world over another relay is sent away, and begins with what they did', async () => {
	const first = await startsRelay();
	const stale = await opensTab(first.relay);
	await stale.engine;
	await fill(first.relay);
	await first.end();
	const second = await startsRelay();
	const tab = await opensTab(second.relay);
	await tab.engine;
	await post(second.relay, '/spawn', { tags: ['two'] });
	await post(second.relay, '/step', { ticks: 5 });
	const then = await look(second.relay);
	await goesOnWithout(stale, first.relay.port, { tab, relay: second, then });
});

test.each([
	['has written the last entry', 1],
	['has only read it', 1],
	['has written more', 3],
])(
	'a tab that %s comes back beside a copy of its journal, to which others have written, and is sent away',
	async (what, writes) => {
		const [folder, copy] = [join(data, 'world'), join(data, 'copy')];
		const first = await startsRelay();
		const writer = await opensTab(first.relay);
		await writer.engine;
		await fill(first.relay);
		const { next } = await get(first.relay, '/journal');
		// Whose lock it is stays behind.
		await cp(folder, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock') });
		for (let i = 0; i < writes; i++)
			expect((await post(first.relay, '/spawn', { tags: ['mine'] })).status).toBe(201);
		let stale = writer;
		if (what === 'has only read it') {
			await kill(writer);
			stale = await opensTab(first.relay);
			await stale.engine;
		}
		expect(await get(first.relay, '/journal')).toMatchObject({ next: Number(next) + writes });
		await first.end();
		await rm(folder, { recursive: true });
		await rename(copy, folder);
		const second = await startsRelay();
		const tab = await opensTab(second.relay);
		await tab.engine;
		expect((await post(second.relay, '/spawn', { tags: ['theirs'] })).status).toBe(201);
		expect(await get(second.relay, '/journal')).toMatchObject({ next: Number(next) + 1 });
		const then = await look(second.relay);
		await goesOnWithout(stale, first.relay.port, { tab, relay: second, then });
	},
);
