/** A failed write leaves the worlds unchanged, regardless of what it had changed before. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import { commands, histories, perform, relive } from '../../support/arbitraries.ts';
import { caller, HEAVY, requestOf, startEngine, type TestEngine } from '../../support/engine.ts';
import { inEngine } from '../../support/futures.ts';
import { boxModel } from '../../support/glb.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { PIXEL } from '../../support/pixel.ts';
import { check, SEED } from '../../support/property.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns all worlds of an engine, byte for byte. */
function everything({ engine }: TestEngine) {
	return engine.worlds
		.all()
		.map(({ id, playing, origin, world, snapshots }) => ({
			id,
			playing,
			origin,
			digest: digest(world),
			bytes: createHash('sha256').update(encodeWorld(world)).digest('hex'),
			snapshots: snapshots.map(({ view }) => view),
		}))
		.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Makes every later write fail at its end, after all its changes. */
function failWrites({ engine }: TestEngine): void {
	const { worlds } = engine;
	const savepoint = worlds.savepoint.bind(worlds);
	vi.spyOn(worlds, 'savepoint').mockImplementation(() => {
		const savepointNow = savepoint();
		savepointNow.release = () => savepointNow.rollBack();
		return savepointNow;
	});
}

const withEngine = (work: (engine: TestEngine) => Promise<void>): Promise<void> =>
	inEngine(work, { ...HEAVY, seed: 4 });

describe(`writes that fail at their end (seed ${SEED})`, () => {
	test('leave any world unchanged, byte for byte, with the same future as its twin', () =>
		check(4, [histories(20), fc.array(commands, { minLength: 1, maxLength: 12 })], (history, list) =>
			withEngine(async (engine) => {
				await relive(engine, history);
				await engine.must('POST', '/fork', { fork_id: 'twin' });
				const before = everything(engine);
				failWrites(engine);
				for (const command of list) {
					// These routes keep their changes step by step, or by themselves.
					const paths = [command, ...(command.given ?? [])].map(({ path }) => path).join();
					if (/step|probe|batch/.test(paths)) continue;
					await perform(engine, command);
					expect(everything(engine), command.path).toEqual(before);
				}
				vi.restoreAllMocks();
				const { state_digest } = await engine.must('POST', '/step', { ticks: 3 });
				expect((await engine.must('POST', '/fork/twin/step', { ticks: 3 })).state_digest).toBe(state_digest);
			}),
		));

	test('to forks and snapshots leave all of them unchanged', () =>
		withEngine(async (engine) => {
			await engine.must('POST', '/spawn', { health: 9, physics_body: 'Dynamic', position: [0, 4, 0] });
			await engine.must('POST', '/snapshot', { label: 'start' });
			await engine.must('POST', '/step', { ticks: 4 });
			await engine.must('POST', '/fork', { fork_id: 'plan' });
			await engine.must('POST', '/fork', { fork_id: 'deep', from: 'plan' });
			const before = everything(engine);
			failWrites(engine);
			for (const [method, path, body] of [
				['POST', '/fork', { fork_id: 'more' }],
				['DELETE', '/fork/plan', undefined],
				['POST', '/fork/plan/promote', {}],
				['POST', '/fork/plan/promote', { keep_as: 'was' }],
				['POST', '/snapshot', { label: 'more' }],
				['DELETE', '/snapshot/start', undefined],
				['POST', '/snapshot/start/restore', {}],
				['POST', '/scenario', { entities: [{ health: 3 }] }],
				['POST', '/fork/plan/scenario', { entities: [{ health: 3 }] }],
				['POST', '/reset', {}],
			] as const) {
				expect((await engine.call(method, path, body)).body.ok, path).not.toBe(false);
				expect(everything(engine), path).toEqual(before);
			}
		}));

	test('a thousand entities of a document are undone too', () =>
		withEngine(async (engine) => {
			for (let i = 0; i < 40; i++) await engine.must('POST', '/spawn', { health: i + 1, tags: [`t${i}`] });
			const before = everything(engine);
			failWrites(engine);
			const entities = Array.from({ length: 1000 }, (_, i) => ({ health: 5, team: i % 3, tags: ['new'] }));
			await engine.must('POST', '/level/load', { level: { entities } });
			expect(everything(engine)).toEqual(before);
		}));

	test('changes that copy columns are undone, and so are replaced entities', () =>
		withEngine(async (engine) => {
			const entities = Array.from({ length: 1500 }, (_, i) => ({ health: i + 1, tags: [`t${i}`] }));
			await engine.must('POST', '/level/load', { level: { entities } });
			for (let i = 0; i < 1500; i += 3) await engine.must('POST', '/despawn', { entity_id: i });
			const before = everything(engine);
			failWrites(engine);
			for (const count of [1, 40, 500, 1000]) {
				const more = Array.from({ length: count }, (_, i) => ({ health: 5, team: i % 3, tags: ['new'] }));
				await engine.must('POST', '/level/load', { level: { entities: more } });
				expect(everything(engine), `${count}`).toEqual(before);
				expect(await engine.must('GET', '/')).toMatchObject({ entity_count: 1000 });
			}
		}));
});

/** Resolves when a call of this path has run ticks. */
async function underWay({ must }: TestEngine, path: string): Promise<number> {
	for (;;) {
		const { calls } = (await must('GET', '/calls')) as {
			calls: { id: number; path: string; ticks: number }[];
		};
		const found = calls.find((call) => call.path === path && call.ticks > 0);
		if (found !== undefined) return found.id;
		await new Promise((resolve) => setImmediate(resolve));
	}
}

describe('assets of a call', () => {
	const load = { path: '/scene/load', body: { path: 'there.json' } };
	const refused = { path: '/despawn', body: { entity_id: 99 } };
	const assetList = async ({ must }: TestEngine) => (await must('GET', '/asset/list')).assets as unknown[];

	/** Calls `work` with an engine without assets, whose data folder has a scene with a picture, and a model. */
	async function withFolder(
		work: (engine: TestEngine, folder: ReturnType<typeof createMemoryFiles>) => Promise<void>,
	): Promise<void> {
		const folder = createMemoryFiles();
		const started = await startEngine({ files: folder.files });
		const { must, engine } = started;
		const { hash } = await must('POST', '/asset/upload', { data: PIXEL });
		await must('POST', '/material/define', { name: 'm', texture: hash });
		await must('POST', '/scene/save', { path: 'there.json' });
		await must('POST', '/reset', { fresh: true });
		await must('DELETE', `/asset/${hash}`);
		folder.bytesByPath.set('models/fox.glb', boxModel([1, 0.4, 0]));
		await work(started, folder);
		engine.close();
	}

	test('are not kept by a dry run or a failed batch', () =>
		withFolder(async (engine) => {
			const fox = { path: '/spawn', body: { mesh: 'models/fox.glb' } };
			for (const [batch, ok] of [
				[{ dry_run: true, requests: [load, fox] }, true],
				[{ dry_run: true, requests: [load, refused] }, true],
				[{ atomic: true, requests: [load, fox, refused] }, false],
			] as const) {
				expect((await engine.post('/batch', batch)).ok).toBe(ok);
				expect(await assetList(engine)).toEqual([]);
			}
		}));

	test('are not kept by a refused call, alone or within a batch that continues', () =>
		withFolder(async (engine, folder) => {
			folder.writeJson('there.json', {
				assets: folder.readJson('there.json').exact.assets,
				entities: 'none',
			});
			expect((await engine.post(load.path, load.body)).code).toBe('invalid_scene');
			expect(await assetList(engine)).toEqual([]);
			expect((await engine.post('/batch', { requests: [load] })).failed).toBe(1);
			expect(await assetList(engine)).toEqual([]);
		}));

	test('are kept by a finished call, and existing ones stay after any undo', () =>
		withFolder(async (engine) => {
			await engine.must('POST', '/batch', { atomic: true, requests: [load] });
			expect(await assetList(engine)).toHaveLength(1);
			await engine.post('/batch', { dry_run: true, requests: [load] });
			await engine.post('/batch', { atomic: true, requests: [load, refused] });
			expect(await assetList(engine)).toHaveLength(1);
			expect((await engine.get('/material/list')).count).toBe(1);
		}));
});

describe('cancelling', () => {
	const LONG = 10_000;

	test('DELETE /calls/{id} ends a batch of long steps, and finished requests stay and are reported', () =>
		withEngine(async (engine) => {
			const requests = Array.from({ length: 1000 }, () => ({ path: '/step', body: { ticks: LONG } }));
			const batch = engine.call('POST', '/batch', { requests });
			const id = await underWay(engine, '/batch');
			expect(await engine.must('DELETE', `/calls/${id}`)).toMatchObject({ id, cancelled: true });
			const { status, body } = await batch;
			expect(status).toBe(409);
			expect(body).toMatchObject({ ok: false, code: 'cancelled', committed: true });
			const results = body.results as { body: { ticks_advanced: number } }[];
			const ticks = results.reduce((sum, result) => sum + result.body.ticks_advanced, 0);
			const { tick } = await engine.must('GET', '/');
			expect(tick).toBe(ticks);
			expect(tick).toBeLessThan(1000 * LONG);
			expect((await engine.must('DELETE', `/calls/${id}`)).cancelled).toBe(false);
			expect((await engine.call('DELETE', '/calls/99999')).body.code).toBe('no_such_call');
			expect(await engine.must('GET', '/calls')).toMatchObject({ calls: [], count: 0 });
		}));

	test('a cancelled atomic batch leaves no trace', () =>
		withEngine(async (engine) => {
			const before = everything(engine);
			const requests = Array.from({ length: 1000 }, () => ({ path: '/step', body: { ticks: LONG } }));
			const batch = engine.call('POST', '/batch', { atomic: true, requests });
			await engine.must('DELETE', `/calls/${await underWay(engine, '/batch')}`);
			expect((await batch).body).toMatchObject({ code: 'cancelled', committed: false });
			expect(everything(engine)).toEqual(before);
		}));

	test('a caller that leaves ends its step, and a waiting call never starts', () =>
		withEngine(async (engine) => {
			const abort = new AbortController();
			const step = engine.engine.handle(
				requestOf('POST', '/batch', {
					requests: [
						{ path: '/step', body: { ticks: LONG } },
						{ path: '/step', body: { ticks: LONG } },
					],
				}),
				abort.signal,
			);
			await underWay(engine, '/batch');
			const never = new AbortController();
			const waiting = engine.engine.handle(requestOf('POST', '/spawn', {}), never.signal);
			expect((await engine.must('GET', '/calls')).calls).toMatchObject([
				{ state: 'running' },
				{ state: 'waiting' },
			]);
			never.abort();
			expect((await waiting).status).toBe(409);
			abort.abort();
			expect((await step).status).toBe(409);
			expect(await engine.must('GET', '/')).toMatchObject({ entity_count: 0 });
			expect((await engine.must('GET', '/')).tick).toBeLessThan(2 * LONG);
		}));

	test('POST /pause overtakes a long step, which answers with its finished ticks', () =>
		withEngine(async (engine) => {
			const done: string[] = [];
			const step = engine.must('POST', '/step', { ticks: LONG }).finally(() => done.push('step'));
			await underWay(engine, '/step');
			expect(await engine.must('POST', '/pause')).toMatchObject({ playing: false });
			done.push('pause');
			const { ticks_advanced, new_tick, stopped } = await step;
			expect(done).toEqual(['pause', 'step']);
			expect(stopped).toBe('paused');
			expect(ticks_advanced).toBe(new_tick);
			expect(new_tick).toBeLessThan(LONG);
			expect((await engine.must('POST', '/step', { ticks: 2 })).ticks_advanced).toBe(2);
		}));
});

describe('pausing a batch', () => {
	test('of steps ends it at any place, and finished requests are reported', () =>
		withEngine(async (engine) => {
			const requests = Array.from({ length: 1000 }, () => ({ path: '/step', body: { ticks: 300 } }));
			const batch = engine.must('POST', '/batch', { requests });
			await underWay(engine, '/batch');
			await engine.must('POST', '/pause');
			const { stopped, count, tick } = await batch;
			expect(stopped).toBe('paused');
			expect(count).toBeLessThan(1000);
			expect((await engine.must('GET', '/')).tick).toBe(tick);
		}));

	test.each([{ atomic: true }, { dry_run: true }])(
		'that is atomic (%o) refuses it, and nothing is applied',
		(kind) =>
			withEngine(async (engine) => {
				const before = everything(engine);
				const requests = Array.from({ length: 1000 }, () => ({ path: '/step', body: { ticks: 300 } }));
				const batch = engine.call('POST', '/batch', { ...kind, requests });
				await underWay(engine, '/batch');
				await engine.must('POST', '/pause');
				expect(await batch).toMatchObject({ status: 409, body: { code: 'cancelled' } });
				expect(everything(engine)).toEqual(before);
			}),
	);

	test('by one of its own requests does not end it', () =>
		withEngine(async (engine) => {
			const step = { path: '/step', body: { ticks: 2 } };
			const { count, tick, stopped } = await engine.must('POST', '/batch', {
				requests: [step, { path: '/pause' }, step],
			});
			expect({ count, tick, stopped }).toEqual({ count: 3, tick: 4, stopped: undefined });
		}));
});

describe('large answers', () => {
	test('a batch of many observations is refused by its size, and lets other calls in between', () =>
		withEngine(async (engine) => {
			for (let i = 0; i < 2000; i++)
				await engine.must('POST', '/spawn', { health: 100, tags: ['x'.repeat(100)] });
			const requests = Array.from({ length: 250 }, () => ({ path: '/observe', body: {} }));
			const batch = engine.engine.handle(requestOf('POST', '/batch', { requests }));
			let between = 0;
			let running = true;
			const ended = batch.finally(() => {
				running = false;
			});
			while (running) {
				await caller(engine.engine.handle)('GET', '/digest');
				between++;
				await new Promise((resolve) => setImmediate(resolve));
			}
			const { body } = await ended;
			expect(between).toBeGreaterThan(5);
			expect(body.length).toBeLessThanOrEqual(64 * 1024 * 1024);
			const { results, count, succeeded, stopped } = JSON.parse(new TextDecoder().decode(body));
			expect(succeeded).toBeGreaterThan(10);
			expect(succeeded).toBeLessThan(250);
			expect(results.at(-1).body.code).toBe('answer_too_large');
			// Later requests do not run.
			expect({ count, stopped }).toEqual({ count: succeeded + 1, stopped: 'full' });
		}));
});
