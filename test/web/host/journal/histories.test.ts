/**
 * A journal re-runs any changes of worlds: random histories with a fixed seed.
 * Owns: the checks that a journal gives the world at its end and at every entry.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JournalError } from '../../../../shared/transport/journal.ts';
import { decodeEntry } from '../../../../shared/transport/journal-entry.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { createEngine, type EngineSettings } from '../../../../web/host/engine.ts';
import { dispose } from '../../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../../../web/sim/core/digest.ts';
import type { World } from '../../../../web/sim/core/world.ts';
import { loadWorld } from '../../../../web/sim/create-world.ts';
import { step } from '../../../../web/sim/step.ts';
import { type Command, commands, histories, itemDefinitions, make } from '../../../support/arbitraries.ts';
import { HEAVY, startEngine, type TestEngine } from '../../../support/engine.ts';
import { readAll } from '../../../support/journal-suite.ts';
import { createMemoryFiles } from '../../../support/memory-files.ts';
import { check, claim, SEED } from '../../../support/property.ts';

/** A change of an engine. */
type HistoryStep =
	| { readonly kind: 'call'; readonly world: string; readonly command: Command }
	| { readonly kind: 'post'; readonly path: string; readonly body: object }
	| { readonly kind: 'delete'; readonly path: string }
	| {
			readonly kind: 'batch';
			readonly world: string;
			readonly atomic: boolean;
			readonly list: readonly Command[];
	  }
	| { readonly kind: 'play'; readonly world: string; readonly ms: number };

const world = fc.constantFrom('main', 'main', 'a', 'b');
const fork = fc.constantFrom('a', 'b', 'c');
const label = fc.constantFrom('x', 'y');
const BODY = {
	position: [0, 3, 0],
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 1 },
};
const post = (path: string, body: object = {}): HistoryStep => ({ kind: 'post', path, body });

/** Requests that can put one world in place of another. */
const amongWorlds: fc.Arbitrary<Command> = fc.oneof(
	fc.record({ fork_id: fork, from: world }).map((body) => ({ path: '/fork', body })),
	fc
		.tuple(fork, fc.constantFrom(undefined, 'c'))
		.map(([id, keep_as]) => ({ path: `/fork/${id}/promote`, body: { keep_as } })),
	fork.map((id) => ({ method: 'DELETE' as const, path: `/fork/${id}`, body: undefined })),
	fc.tuple(world, label).map(([id, name]) => ({ path: `/snapshot?world=${id}`, body: { label: name } })),
	fc.tuple(world, label).map(([id, name]) => ({ path: `/snapshot/${name}/restore?world=${id}`, body: {} })),
	world.map((id) => ({ path: `/spawn?world=${id}`, body: { health: 3 } })),
);

const deeds: fc.Arbitrary<HistoryStep> = fc.oneof(
	{
		weight: 10,
		arbitrary: fc.record({ kind: fc.constant('call' as const), world, command: commands }),
	},
	{
		weight: 3,
		arbitrary: fc
			.record({ fork_id: fork, from: world, seed: fc.constantFrom(undefined, 5) })
			.map((body) => post('/fork', body)),
	},
	{ weight: 2, arbitrary: fork.map((id): HistoryStep => ({ kind: 'delete', path: `/fork/${id}` })) },
	{
		weight: 2,
		arbitrary: fc
			.tuple(fork, fc.constantFrom(undefined, 'c'))
			.map(([id, keep_as]) => post(`/fork/${id}/promote`, { keep_as })),
	},
	{
		weight: 2,
		arbitrary: fc.tuple(world, label).map(([id, name]) => post(`/snapshot?world=${id}`, { label: name })),
	},
	{
		weight: 2,
		arbitrary: fc.tuple(world, label).map(([id, name]) => post(`/snapshot/${name}/restore?world=${id}`)),
	},
	{ weight: 1, arbitrary: label.map((name): HistoryStep => ({ kind: 'delete', path: `/snapshot/${name}` })) },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('batch' as const),
			world,
			atomic: fc.boolean(),
			list: fc.array(
				fc.oneof(
					{ weight: 6, arbitrary: commands },
					{ weight: 1, arbitrary: fc.constant({ path: '/fork/none/step', body: {} }) },
					{ weight: 2, arbitrary: amongWorlds },
				),
				{ minLength: 1, maxLength: 6 },
			),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('play' as const),
			world,
			ms: fc.integer({ min: 20, max: 200 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom('/level/save', '/level/load', '/scene/save', '/scene/load'), world)
			.map(([path, id]) => post(`${path}?world=${id}`, { path: `${path.split('/')[1]}.json` })),
	},
	{ weight: 1, arbitrary: fc.constant(post('/reset', { fresh: true, seed: 9 })) },
	{ weight: 2, arbitrary: world.map((id) => post(`/reset?world=${id}`)) },
);

/**
 * Calls that put one world in place of another, with few ticks in between: memory of the one does not hold for
 * the other.
 */
const replacing: fc.Arbitrary<HistoryStep[]> = fc.array(
	fc
		.tuple(
			fc.oneof(
				{ weight: 3, arbitrary: fc.constant(['/spawn', BODY] as const) },
				{ weight: 2, arbitrary: fc.constant(['/step', { ticks: 1 }] as const) },
				{ weight: 2, arbitrary: fc.constant(['/scene/save', { path: 'scene.json' }] as const) },
				{ weight: 3, arbitrary: fc.constant(['/scene/load', { path: 'scene.json' }] as const) },
				{ weight: 3, arbitrary: fc.constant(['/reset', {}] as const) },
				{ weight: 1, arbitrary: fc.constant(['/reset', { fresh: true }] as const) },
				{ weight: 1, arbitrary: fc.constant(['/snapshot', { label: 'x' }] as const) },
				{ weight: 2, arbitrary: fc.constant(['/snapshot/x/restore', {}] as const) },
				{ weight: 1, arbitrary: fc.constant(['/fork', { fork_id: 'a' }] as const) },
				{ weight: 1, arbitrary: fc.constant(['/fork/a/promote', {}] as const) },
				{ weight: 1, arbitrary: fc.constant(['/history/fork', { fork_id: 'b', entry: 4 }] as const) },
				{ weight: 1, arbitrary: fc.constant(['/undo', {}] as const) },
			),
			world,
		)
		.map(([[path, body], id]) => post(`${path}?world=${id}`, body)),
	{ minLength: 15, maxLength: 30, size: 'max' },
);

/** A clock that only a test advances. */
interface Clock {
	now: number;
}

async function act(engine: TestEngine, deed: HistoryStep, clock: Clock): Promise<void> {
	const { call, post: send } = engine;
	switch (deed.kind) {
		case 'call':
			if (engine.engine.worlds.find(deed.world) === undefined) return;
			await make(engine, deed.command, deed.world);
			return;
		case 'post':
			await call('POST', deed.path, deed.body);
			return;
		case 'delete':
			await call('DELETE', deed.path);
			return;
		case 'batch':
			await call('POST', `/batch?world=${deed.world}`, {
				atomic: deed.atomic,
				requests: deed.list.map(({ method = 'POST', path, body }) => ({ method, path, body })),
			});
			return;
		case 'play': {
			if (engine.engine.worlds.find(deed.world) === undefined) return;
			const playing = await send(`/play?world=${deed.world}`);
			if (!playing.ok) return;
			const entry = engine.engine.worlds.find(deed.world)!;
			const { tick } = entry.world;
			const ticked = new Promise<void>((resolve) => {
				// A world that cannot make its next tick stops playing.
				engine.engine.onChange = () => {
					if (entry.world.tick > tick || !entry.playing) resolve();
				};
			});
			clock.now += deed.ms;
			await ticked;
			// Ticks also run between the calls of others.
			await send('/tag', { entity_id: 0, add: ['played'] });
			await send(`/pause?world=${deed.world}`);
		}
	}
}

/** Returns the full state of an engine, and the future of its worlds. */
function everythingOf({ engine }: TestEngine, ticks: number): object {
	const one = (world: World) => {
		const now = [digest(world), futureDigest(world)];
		for (let i = 0; i < ticks; i++) {
			step(world);
			now.push(digest(world));
		}
		return now;
	};
	const all = [...engine.worlds.all()].sort((a, b) => (a.id < b.id ? -1 : 1));
	return all.map(({ id, world: state, playing, speed, origin, snapshots }) => ({
		id,
		bytes: Buffer.from(encodeWorld(state)).toString('base64'),
		playing,
		speed,
		origin,
		snapshots: snapshots.map(({ view, world: then }) => [view, digest(then)]),
		future: one(state),
	}));
}

function end({ engine }: TestEngine): Promise<void> {
	for (const { world: state } of engine.worlds.all()) dispose(state);
	return engine.close();
}

async function journalOf(
	history: readonly Command[],
	list: readonly HistoryStep[],
	settings: EngineSettings,
	work: (engine: TestEngine, memory: JournalMemory) => Promise<void>,
	after: (engine: TestEngine) => Promise<void> | void = () => {},
): Promise<void> {
	const memory = new JournalMemory();
	const clock: Clock = { now: 0 };
	const engine = await startEngine({
		...HEAVY,
		journal: new MemoryJournal(memory),
		now: () => clock.now,
		files: createMemoryFiles().files,
		...settings,
	});
	try {
		for (const command of [...itemDefinitions, ...history]) await make(engine, command);
		for (const deed of list) {
			await act(engine, deed, clock);
			await after(engine);
		}
		await work(engine, memory);
	} finally {
		await end(engine);
	}
}

const lists = (most: number) =>
	fc.array(deeds, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' });

const profile = fc.constantFrom('full' as const, 'bare' as const);
/** Returns settings of an engine. `min` and `max` limit the number of entries between two states. */
const entriesOf = (min: number, max: number): fc.Arbitrary<EngineSettings> =>
	fc.record({ profile, stateEvery: fc.record({ entries: fc.integer({ min, max }) }) });

/** Histories in which worlds replace each other repeatedly. */
const mingled = fc.array(
	fc.oneof(
		amongWorlds.map(
			({ method = 'POST', path, body }): HistoryStep =>
				method === 'POST' ? post(path, body as object) : { kind: 'delete', path },
		),
		fc.record({
			kind: fc.constant('batch' as const),
			world,
			atomic: fc.boolean(),
			list: fc.array(amongWorlds, { minLength: 1, maxLength: 5 }),
		}),
	),
	{ minLength: 10, maxLength: 30, size: 'max' },
);

/** Returns the same journal with other entries or states. */
function cutJournal(
	memory: JournalMemory,
	parts: Partial<Pick<JournalMemory, 'entries' | 'states'>> = {},
): JournalMemory {
	const { first, maxBytes, entries, states, blobs } = memory;
	const cut = new JournalMemory(maxBytes);
	Object.assign(cut, { first, entries: [...entries], states: [...states], ...parts });
	for (const [hash, bytes] of blobs) cut.blobs.set(hash, bytes);
	return cut;
}

/** Checks that every digest of a world is that of its bytes. */
function checkDigests({ engine }: TestEngine): void {
	for (const { world: state } of engine.worlds.all()) {
		const world = loadWorld(encodeWorld(state));
		expect([digest(state), futureDigest(state)]).toEqual([digest(world), futureDigest(world)]);
		dispose(world);
	}
}

describe(`a journal (seed ${SEED})`, () => {
	test('rebuilds every world, from its start and from every state', () => {
		const settingsOf: fc.Arbitrary<EngineSettings> = fc.oneof(fc.record({ profile }), entriesOf(1, 9));
		return check(4, [histories(6), lists(18), settingsOf, fc.nat()], (history, list, settings, where) =>
			journalOf(
				history,
				list,
				settings,
				async (engine, memory) => {
					const again = async (from: JournalMemory) =>
						startEngine({ ...settings, journal: new MemoryJournal(from) });
					const first = await again(cutJournal(memory));
					await engine.engine.close();
					const whole = everythingOf(engine, 4);
					await claim('it makes every world again, with its snapshots and its future', () =>
						expect(everythingOf(first, 4)).toEqual(whole),
					);
					await end(first);
					if (settings.stateEvery === undefined) return;
					await claim('it does so from states in between as well', async () => {
						expect(memory.states.length).toBeGreaterThan(1);
						const { at } = memory.states[where % memory.states.length]!;
						const states = memory.states.filter((state) => state.at <= at);
						const other = await again(cutJournal(memory, { states }));
						expect(everythingOf(other, 4)).toEqual(whole);
						await end(other);
					});
				},
				(engine) =>
					claim('digests of its worlds are those of their bytes, after every call', () =>
						checkDigests(engine),
					),
			),
		);
	});

	test('recognises replaced worlds by their bytes', () =>
		check(4, [replacing, profile], (list, profile) =>
			journalOf([], list, { profile }, async () => {}, checkDigests),
		));

	test('cut after any entry gives the state at that entry', () =>
		check(2, [histories(6), lists(12)], (history, list) =>
			journalOf(history, list, {}, async (_, memory) => {
				const entries = await readAll(new MemoryJournal(memory));
				for (let at = 0; at <= entries.length; at++) {
					const cut = cutJournal(memory, { entries: entries.slice(0, at) });
					// The replay compares every entry, and throws if a result differs.
					const other = await startEngine({ journal: new MemoryJournal(cut) });
					const head = at === 0 ? null : decodeEntry(entries[at - 1]!).head;
					for (const { id, tick } of head?.worlds ?? [])
						expect(other.engine.worlds.find(id)!.world.tick).toBe(tick);
					await end(other);
				}
			}),
		));

	test('rebuilds one world with an equal result to a full rebuild', () =>
		check(4, [mingled, entriesOf(3, 12)], (list, settings) =>
			journalOf([], list, settings, async ({ engine }, memory) => {
				await engine.rest();
				const journal = new MemoryJournal(memory);
				for (let entry = 1; entry <= memory.entries.length; entry++) {
					const all = await createEngine({ ...settings, journal, moment: { entry } });
					for (const { id, world: whole } of all.worlds.all()) {
						const then = await createEngine({ ...settings, journal, moment: { entry, world: id } });
						const alone = then.worlds.find(id)?.world;
						expect(alone && Buffer.from(encodeWorld(alone)).equals(encodeWorld(whole))).toBe(true);
						for (const worldEntry of then.worlds.all()) dispose(worldEntry.world);
					}
					for (const worldEntry of all.worlds.all()) dispose(worldEntry.world);
				}
			}),
		));

	test('with any changed entry that has a digest fails', () =>
		check(3, [histories(10), fc.nat()], (history, where) =>
			journalOf(history, [], {}, async (_, memory) => {
				const at = where % memory.entries.length;
				const bytes = memory.entries[at]!.bytes.slice();
				const text = new TextDecoder('latin1').decode(bytes);
				const found = /"digest":"([0-9a-f]{16})"/.exec(text);
				if (found === null) return;
				const index = found.index + '"digest":"'.length;
				bytes[index] = bytes[index] === 48 ? 49 : 48;
				memory.entries[at] = { bytes, blobs: memory.entries[at]!.blobs };
				await expect(startEngine({ journal: new MemoryJournal(memory) })).rejects.toThrow(JournalError);
			}),
		));
});
