/**
 * Batches of random calls: an atomic batch changes all or nothing, and a dry run predicts the real run.
 * Owns: random worlds, forks, snapshots, files and lists of calls, with a fixed seed.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import type { World } from '../../../web/sim/core/world.ts';
import { diffWorlds } from '../../../web/sim/diff/diff-worlds.ts';
import { type Command, commands, histories, relive } from '../../support/arbitraries.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { check, SEED } from '../../support/property.ts';

interface Request {
	readonly method?: string;
	readonly path: string;
	readonly body?: unknown;
	readonly as?: string;
}

const post = (path: string, body: unknown = {}): Request => ({ path, body });
const remove = (path: string): Request => ({ method: 'DELETE', path });

/** Calls that affect other worlds, snapshots or files. */
const otherCalls: fc.Arbitrary<Request> = fc.constantFrom(
	post('/fork', { fork_id: 'x' }),
	post('/fork', { fork_id: 'y', from: 'twin', seed: 3 }),
	remove('/fork/twin'),
	post('/fork/twin/step', { ticks: 3 }),
	post('/fork/twin/probe', { ticks: 2 }),
	post('/fork/twin/promote', { keep_as: 'was' }),
	post('/fork/x/promote'),
	post('/fork/twin/scenario', { entities: [{ health: 3 }] }),
	post('/spawn?world=twin', { team: 1, health: 9 }),
	post('/snapshot', { label: 'new' }),
	post('/snapshot?world=twin', { label: 'kept' }),
	remove('/snapshot/kept'),
	remove('/snapshot/kept?world=twin'),
	post('/snapshot/kept/restore'),
	post('/snapshot/kept/restore?world=twin'),
	post('/scene/save', { path: 'new/scene.json' }),
	post('/scene/save', { path: 'old.json' }),
	post('/scene/load', { path: 'old.json' }),
	post('/level/save', { path: 'level.json' }),
	post('/level/load', { path: 'level.json' }),
	post('/scenario', { entities: [{ health: 4, team: 1 }], templates: { t: { health: 1 } } }),
	post('/probe', { ticks: 5, until: 'count min=1' }),
	post('/manifest', { name: 'm', genre: '', description: '', features: [] }),
	post('/reset'),
);

const worldCalls = commands.map(({ method, path, body }: Command): Request => {
	const whole = path === '/despawn' ? { entity_generation: 0, ...(body as object) } : body;
	return { method: method ?? 'POST', path, body: whole };
});

const requests = fc.array(fc.oneof(worldCalls, worldCalls, otherCalls), { minLength: 2, maxLength: 14 });

const failingCalls: fc.Arbitrary<Request> = fc.constantFrom(
	post('/entity/damage', { entity_id: 999_999, amount: 1 }),
	post('/spawn', { healt: 1 }),
	post('/spwan'),
	post('/step?world=nowhere'),
	post('/tag', { entity_id: '$nobody.id' }),
	post('/scene/load', { path: 'none.json' }),
	{ method: 'GET', path: '/screenshot' },
);

const encoded = (world: World) => Buffer.from(encodeWorld(world)).toString('base64');

interface BatchPlace {
	readonly engine: TestEngine;
	readonly disk: ReturnType<typeof createMemoryFiles>;
}

/** Returns the whole state of an engine and its disk, to compare. */
function stateOf({ engine, disk }: BatchPlace) {
	return {
		worlds: engine.engine.worlds.all().map(({ id, playing, origin, world, snapshots }) => ({
			id,
			playing,
			origin,
			bytes: encoded(world),
			snapshots: snapshots.map(({ view, world }) => ({ view, bytes: encoded(world) })),
		})),
		files: Object.fromEntries(
			[...disk.bytesByPath].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
		),
	};
}

/** Runs `work` in an engine with a history, a fork, a snapshot and a file. */
async function withEngine(
	history: readonly Command[],
	work: (place: BatchPlace) => Promise<void>,
): Promise<void> {
	const disk = createMemoryFiles();
	const engine = await startEngine({ seed: 2, files: disk.files });
	try {
		await relive(engine, history);
		await engine.must('POST', '/snapshot', { label: 'kept' });
		await engine.must('POST', '/scene/save', { path: 'old.json' });
		await engine.must('POST', '/fork', { fork_id: 'twin' });
		await engine.must('POST', '/step', { ticks: 2 });
		await work({ engine, disk });
	} finally {
		for (const { world, snapshots } of engine.engine.worlds.all()) {
			dispose(world);
			for (const snapshot of snapshots) dispose(snapshot.world);
		}
		engine.engine.close();
	}
}

describe(`any batch, anywhere (seed ${SEED})`, () => {
	test('a batch that fails in the middle leaves worlds, forks, snapshots and files unchanged, byte for byte', () =>
		check(3, [histories(12), requests, failingCalls, fc.nat()], (history, list, bad, at) =>
			withEngine(history, async (place) => {
				const before = stateOf(place);
				const all = [...list, post('/play')].toSpliced(at % list.length, 0, bad);
				const { body } = await place.engine.call('POST', '/batch', { atomic: true, requests: all });
				expect(body).toMatchObject({ ok: false, code: 'batch_failed', committed: false });
				expect(body.failed_at).toBeLessThanOrEqual(at % list.length);
				expect(stateOf(place)).toEqual(before);
			}),
		));

	test('a dry run changes nothing, and reports what the real run brings: answers, digests, differences, files', () =>
		check(3, [histories(12), requests], (history, list) =>
			withEngine(history, async (place) => {
				const { engine, disk } = place;
				const before = stateOf(place);
				const worldsBefore = new Map(engine.engine.worlds.all().map(({ id, world }) => [id, clone(world)]));
				const dry = await engine.must('POST', '/batch', { dry_run: true, requests: list, limit: 10_000 });
				expect(stateOf(place)).toEqual(before);
				const done = await engine.must('POST', '/batch', { requests: list });
				for (const key of ['results', 'world', 'tick', 'state_digest']) expect(dry[key]).toEqual(done[key]);

				const { worlds } = engine.engine;
				const { main } = worlds;
				expect(dry.state_digest).toBe(digest(main.world));
				const changes = diffWorlds(worldsBefore.get('main')!, main.world, 10_000);
				expect(dry.changes).toEqual(JSON.parse(JSON.stringify(changes)));
				expect(dry.changes).toMatchObject({
					equal: digest(worldsBefore.get('main')!) === digest(main.world),
				});
				expectReported(changes, worldsBefore.get('main')!, main.world);

				const ids = [...new Set([...worldsBefore.keys(), ...worlds.all().map(({ id }) => id)])].sort();
				const others = ids.flatMap((id): Json[] => {
					const [from, to] = [worldsBefore.get(id), worlds.find(id)?.world];
					if (id === 'main') return [];
					if (from === undefined) return [{ world: id, change: 'created', state_digest: digest(to!) }];
					if (to === undefined) return [{ world: id, change: 'deleted', state_digest: null }];
					if (digest(from) === digest(to)) return [];
					return [{ world: id, change: 'changed', state_digest: digest(to) }];
				});
				expect(dry.other_worlds).toEqual(others);
				for (const { world, labels } of dry.snapshots as { world: string; labels: string[] }[])
					expect(worlds.find(world)!.snapshots.map(({ view }) => view.label)).toEqual(labels);
				const files = stateOf(place).files;
				const written = (dry.files as string[]).filter((path) => disk.bytesByPath.has(path));
				expect(written).toEqual(dry.files);
				for (const path of Object.keys(files))
					if (!written.includes(path)) expect(files[path]).toBe(before.files[path]);
				for (const world of worldsBefore.values()) dispose(world);
			}),
		));
});

/** Expects that different worlds have a reported difference, or another tick or seed. */
function expectReported(changes: ReturnType<typeof diffWorlds>, from: World, to: World): void {
	const { spawned, despawned, changed, resources, parts } = changes;
	const isReported = [spawned, despawned, changed, resources, parts].some(({ length }) => length > 0);
	if (!changes.equal) expect(isReported || from.tick !== to.tick || from.seed !== to.seed).toBe(true);
}
