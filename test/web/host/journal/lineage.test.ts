/** Lineage of a world: the entries of a journal that rebuild it. */

import { describe, expect, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { lineageOf } from '../../../../web/host/journal/lineage.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { PIXEL } from '../../../support/pixel.ts';

/** Returns an engine with forks `a` and `b`, and the lineage of a world from the state after the forks on. */
async function lineageAfter(
	world: string,
	work: (engine: TestEngine) => Promise<unknown>,
	settings: Parameters<typeof startEngine>[0] = {},
) {
	const memory = new JournalMemory();
	const engine = await startEngine({ ...settings, journal: new MemoryJournal(memory) });
	for (const fork_id of ['a', 'b']) await engine.post('/fork', { fork_id });
	await work(engine);
	const end = memory.entries.length;
	await engine.engine.close();
	const lineage = await lineageOf(new MemoryJournal(memory), world, 2, end);
	return (
		lineage && {
			begins: [...lineage.initialWorlds].sort(),
			made: [...lineage.entries.keys()].map((entry) => entry - 2).sort(),
			snapshots: lineage.snapshots,
		}
	);
}

describe('the lineage of a world', () => {
	test('has no call about other worlds', async () => {
		const lineage = await lineageAfter('a', async ({ post }) => {
			await post('/spawn');
			await post('/fork/b/step');
			await post('/fork/a/step');
			await post('/spawn?world=a');
		});
		expect(lineage).toEqual({ begins: ['a'], made: [2, 3], snapshots: false });
	});

	test('leads back to its source, and no further', async () => {
		const lineage = await lineageAfter('c', async ({ post }) => {
			await post('/spawn?world=b');
			await post('/spawn');
			await post('/fork', { fork_id: 'c', from: 'b' });
			await post('/spawn?world=b');
			await post('/fork/c/step');
		});
		expect(lineage).toEqual({ begins: ['b', 'c'], made: [0, 2, 4], snapshots: false });
	});

	test('has a call that stepped many forks, with the sources of those', async () => {
		const lineage = await lineageAfter('a', async ({ post }) => {
			await post('/spawn?world=b');
			await post('/fork/step', { steps: [{ fork_id: 'a', from: 'b' }] });
			await post('/fork/step', { steps: [{ fork_id: 'c', from: 'main' }] });
			await post('/fork/step', { steps: [{ fork_id: 'c' }, { fork_id: 'a' }] });
		});
		expect(lineage).toEqual({ begins: ['a', 'b', 'c', 'main'], made: [0, 1, 2, 3], snapshots: false });
	});

	test('of main includes promoted forks, and not clones of main', async () => {
		const lineage = await lineageAfter('main', async ({ post }) => {
			await post('/fork/a/step');
			await post('/fork/b/step');
			await post('/fork', { fork_id: 'c' });
			await post('/fork/a/promote');
		});
		expect(lineage).toEqual({ begins: ['a', 'main'], made: [0, 3], snapshots: false });
	});

	test('has the snapshots that existed at a restore', async () => {
		const list = [{ path: '/snapshot/x/restore?world=b', body: {} }];
		const lineages = [
			await lineageAfter('a', async ({ post }) => {
				await post('/snapshot?world=a', { label: 'x' });
				await post('/snapshot?world=b', { label: 'x' });
			}),
			await lineageAfter('a', async ({ post }) => {
				await post('/snapshot?world=a', { label: 'x' });
				await post('/snapshot/x/restore?world=a');
			}),
			await lineageAfter('b', async ({ post }) => {
				await post('/snapshot?world=b', { label: 'x' });
				await post('/batch?world=a', { requests: list });
			}),
		];
		expect(lineages).toEqual([
			{ begins: ['a'], made: [0], snapshots: false },
			{ begins: ['a'], made: [0, 1], snapshots: true },
			{ begins: ['a', 'b'], made: [0, 1], snapshots: true },
		]);
	});

	test('has batches by the worlds of their requests, and excludes an ambiguous batch', async () => {
		const one = (...requests: object[]) =>
			lineageAfter('a', async ({ post }) => {
				await post('/batch', { requests });
				await post('/spawn?world=a');
			});
		const spawned = { path: '/spawn', body: {}, as: 'made' };
		const none = { begins: ['a'], made: [1], snapshots: false };
		expect(await one(spawned, { method: 'GET', path: '/entities/$made.id' })).toEqual(none);
		expect(await one(spawned, { path: '/spawn?world=b', body: {} })).toEqual(none);
		expect(await one(spawned, { path: '/nowhere', body: {} })).toEqual(none);
		expect(await one({ path: '/spawn?world=a', body: {} })).toMatchObject({ made: [0, 1] });
		expect(await one({ path: '/fork/a/step', body: {} })).toMatchObject({ made: [0, 1] });
		expect(await one(spawned, { method: 'GET', path: '/fork/list' })).toBeNull();
		expect(await one(spawned, { method: 'GET', path: '/fork/b/diff' })).toBeNull();
		const forkRequest = { path: '/fork', body: { fork_id: 'c' }, as: 'fork' };
		expect(await one(forkRequest, { path: '/spawn?world=$fork.fork_id', body: {} })).toBeNull();
		expect(await one(forkRequest, { path: '/fork/$fork.fork_id/step', body: {} })).toBeNull();
	});

	test("has calls about all worlds, and excludes one that imports another world's data", async () => {
		const upload = (engine: TestEngine) =>
			engine.post('/asset/upload?name=textures/pixel.png', { data: PIXEL });
		expect(await lineageAfter('a', upload)).toEqual({
			begins: ['a'],
			made: [0],
			snapshots: false,
		});
		const readPublic = async () => new Uint8Array(Buffer.from(PIXEL, 'base64'));
		const drawn = { mesh: 'cube', material: { texture: 'textures/pixel.png' } };
		const brings = (world: string) =>
			lineageAfter(world, ({ post }) => post('/spawn', drawn), { readPublic });
		expect(await brings('a')).toBeNull();
		expect(await brings('main')).toEqual({ begins: ['main'], made: [0], snapshots: false });
	});
});
