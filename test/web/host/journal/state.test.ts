/** States of a journal: their moment, their blobs, and the reading of older formats. */

import { describe, expect, test } from 'vitest';
import { joinBytes } from '../../../../shared/contract/joined-bytes.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { packetPieces } from '../../../../shared/transport/packet.ts';
import { createEngine } from '../../../../web/host/engine.ts';
import { disposeWorlds, inflateState, packState, unpackState } from '../../../../web/host/journal/state.ts';
import { copyWorlds } from '../../../../web/host/saved-worlds.ts';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { startEngine, type TestEngine, testEngine } from '../../../support/engine.ts';

const now = () => performance.now();
const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });
const ball = (x: number) => ({
	position: [x, 5, 0],
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
});

/** A journal that counts what is written to it. */
class CountedJournal extends MemoryJournal {
	readonly kept: string[] = [];
	override keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		this.kept.push(hash);
		return super.keepBlob(hash, bytes);
	}
}

describe('a state', () => {
	test('has the worlds of its moment, without later changes', async () => {
		const { engine, must } = await startEngine();
		for (let x = 0; x < 8; x++) await must('POST', '/spawn', ball(x * 0.9));
		await must('POST', '/step', { ticks: 5 });
		await must('POST', '/fork', { fork_id: 'plan' });
		await must('POST', '/step?world=plan', { ticks: 3 });
		await must('POST', '/snapshot', { label: 'then' });
		await must('POST', '/snapshot?world=plan', { label: 'of the fork alone' });
		const heldWorlds = copyWorlds(engine.worlds, engine.identity);
		const then = {
			worlds: heldWorlds.worlds.map(({ world, ...one }) => ({ ...one, bytes: encodeWorld(world) })),
			snapshots: heldWorlds.snapshots.map(({ view, world }) => ({
				label: view.label,
				bytes: encodeWorld(world),
			})),
		};
		const held = copyWorlds(engine.worlds, engine.identity);
		await must('POST', '/step', { ticks: 7 });
		await must('POST', '/step?world=plan', { ticks: 7 });
		await must('POST', '/spawn', ball(30));
		await must('DELETE', '/fork/plan');
		const journal = new MemoryJournal(new JournalMemory());
		const { pieces } = await packState(held, { journal, knownBlobs: new Set(), now });
		const read = await unpackState(joinBytes(pieces), journal);
		const whole = async (bytes: Uint8Array) => Buffer.from(await inflateState(bytes));
		for (const kind of ['worlds', 'snapshots'] as const)
			for (const [i, { bytes, ...one }] of read[kind].entries()) {
				const { bytes: expected, ...other } = then[kind][i]!;
				expect(one).toEqual(other);
				expect(Buffer.compare(await whole(bytes), expected)).toBe(0);
			}
		expect([read.worlds.length, read.snapshots.length]).toEqual([2, 2]);
		await engine.close();
	});

	test('that is never packed leaves the worlds unchanged', async () => {
		const { engine, must, digest } = await startEngine();
		await must('POST', '/spawn', ball(0));
		await must('POST', '/step', { ticks: 5 });
		const before = await digest();
		disposeWorlds({ ...copyWorlds(engine.worlds, engine.identity) });
		expect(await digest()).toBe(before);
		await must('POST', '/step', { ticks: 5 });
		await engine.close();
	});

	test('stores a snapshot once, and has the keys of calls', async () => {
		const memory = new JournalMemory();
		const journal = new CountedJournal(memory);
		// On a stopped clock no state takes long enough to delay the next one.
		const engine = testEngine(await createEngine({ journal, stateEvery: { entries: 20 }, now: () => 0 }));
		await engine.must('POST', '/snapshot', { label: 'then' });
		for (let i = 0; i < 300; i++) {
			await engine.call('POST', '/spawn', {}, keyed(`key-${i}`));
			if (i % 25 === 0) await engine.engine.rest();
		}
		await engine.engine.rest();
		const { states } = await journal.extent();
		expect(states.length).toBeGreaterThan(10);
		expect(journal.kept.length).toBe(1);
		const other = testEngine(await createEngine({ journal: new MemoryJournal(memory) }));
		for (const i of [0, 100, 299]) {
			const reply = await other.call('POST', '/spawn', {}, keyed(`key-${i}`));
			expect([reply.headers['idempotency-replayed'], reply.body.id]).toEqual(['true', i]);
		}
		await other.engine.close();
		await engine.engine.close();
	});

	test('of another version is refused with a clear error', async () => {
		const memory = new JournalMemory();
		const journal = new MemoryJournal(memory);
		await journal.keepState(await journal.acquire(), 0, packetPieces({ version: 3, tree: 0 }, []), []);
		await expect(createEngine({ journal })).rejects.toThrow(
			'A state has format 3, but this version reads format 10. Use the version of Orrery that wrote it.',
		);
	});

	test('worlds that were equal share their memory again', async () => {
		const memory = new JournalMemory();
		const first = await startEngine({
			journal: new MemoryJournal(memory),
			stateEvery: { entries: 14 },
			now: () => 0,
		});
		const entities = Array.from({ length: 2000 }, (_, x) => ball(x * 2));
		await first.must('POST', '/scenario', { entities });
		await first.must('POST', '/step', { ticks: 2 });
		for (let i = 0; i < 10; i++) await first.must('POST', '/fork', { fork_id: `f${i}` });
		await first.must('POST', '/fork/f9/step', { ticks: 1 });
		await first.must('POST', '/snapshot', { label: 'a' });
		await first.engine.rest();
		expect((await first.get('/journal')).states.at(-1)).toBe(14);
		const bytes = async ({ get }: TestEngine): Promise<number> => (await get('/')).memory.bytes;
		const [before, expected] = [await bytes(first), await first.digest('f3')];
		await first.engine.close();
		const second = await startEngine({ journal: new MemoryJournal(memory) });
		expect(await bytes(second)).toBeLessThan(1.5 * before);
		expect(await second.digest('f3')).toBe(expected);
		const [main, fork] = [await second.future(3), await second.future(3, 'f3')];
		expect(fork).toEqual(main);
		await second.engine.close();
	});

	test('is stored in time, for any number of restarts', async () => {
		const memory = new JournalMemory();
		const states: number[] = [];
		for (let run = 0; run < 4; run++) {
			const { engine, must, get } = await startEngine({
				journal: new MemoryJournal(memory),
				stateEvery: { entries: 10 },
				now: () => 0,
			});
			for (let i = 0; i < 4; i++) await must('POST', '/spawn', {});
			await engine.rest();
			states.push((await get('/journal')).states.at(-1));
			await engine.close();
		}
		expect(states.at(-1)).toBeGreaterThanOrEqual(10);
	});
});
