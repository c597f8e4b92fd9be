/** States of a journal: what they are of, what they write, and that those of formats before are read. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { joinedBytes } from '../../../../shared/contract/joined-bytes.ts';
import { createEngine } from '../../../../web/host/engine.ts';
import { JournalMemory, MemoryJournal } from '../../../../web/host/journal/memory-journal.ts';
import { readPiece } from '../../../../web/host/journal/piece.ts';
import { drop, packState, unpackState } from '../../../../web/host/journal/state.ts';
import { verifyJournal } from '../../../../web/host/journal/verify.ts';
import { holdWorlds, saveWorlds } from '../../../../web/host/saved-worlds.ts';
import { startEngine, testEngine } from '../../../support/engine.ts';

const now = () => performance.now();
const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });
const ball = (x: number) => ({
	position: [x, 5, 0],
	physics_body: 'Dynamic',
	collider: { shape: 'Sphere', radius: 0.5 },
});

/** A journal that counts what is written to it. */
class Counted extends MemoryJournal {
	readonly kept: string[] = [];
	override keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		this.kept.push(hash);
		return super.keepBlob(hash, bytes);
	}
}

describe('a state', () => {
	test('is of the moment at which the worlds were held, whatever comes of them until it is packed', async () => {
		const { engine, must } = await startEngine();
		for (let x = 0; x < 8; x++) await must('POST', '/spawn', ball(x * 0.9));
		await must('POST', '/step', { ticks: 5 });
		await must('POST', '/fork', { fork_id: 'plan' });
		await must('POST', '/step?world=plan', { ticks: 3 });
		await must('POST', '/snapshot', { label: 'then' });
		await must('POST', '/snapshot?world=plan', { label: 'of the fork alone' });
		const then = saveWorlds(engine.worlds, engine.identity);
		const held = holdWorlds(engine.worlds, engine.identity);
		await must('POST', '/step', { ticks: 7 });
		await must('POST', '/step?world=plan', { ticks: 7 });
		await must('POST', '/spawn', ball(30));
		await must('DELETE', '/fork/plan');
		const journal = new MemoryJournal(new JournalMemory());
		const { pieces } = await packState(held, { journal, known: new Set(), now });
		const read = await unpackState(joinedBytes(pieces), journal);
		expect(read.worlds).toEqual(then.worlds);
		expect(read.snapshots).toEqual(then.snapshots);
		await engine.close();
	});

	test('that is not packed after all leaves the worlds as they were', async () => {
		const { engine, must, digest } = await startEngine();
		await must('POST', '/spawn', ball(0));
		await must('POST', '/step', { ticks: 5 });
		const before = await digest();
		drop({ ...holdWorlds(engine.worlds, engine.identity) });
		expect(await digest()).toBe(before);
		await must('POST', '/step', { ticks: 5 });
		await engine.close();
	});

	test('writes what never changes once: snapshots, and all answers but the last ones', async () => {
		const memory = new JournalMemory();
		const journal = new Counted(memory);
		// By a clock that stands still no state takes long enough to be put off.
		const engine = testEngine(await createEngine({ journal, stateEvery: { entries: 100 }, now: () => 0 }));
		await engine.must('POST', '/snapshot', { label: 'then' });
		for (let i = 0; i < 2100; i++) {
			await engine.call('POST', '/spawn', {}, keyed(`key-${i}`));
			if (i % 150 === 0) await engine.engine.rest();
		}
		await engine.engine.rest();
		const { states } = await journal.extent();
		expect(states.length).toBeGreaterThan(10);
		expect(journal.kept.length).toBeGreaterThan(2);
		expect(new Set(journal.kept).size).toBe(journal.kept.length);
		const other = testEngine(await createEngine({ journal: new MemoryJournal(memory) }));
		for (const i of [0, 1000, 2099]) {
			const again = await other.call('POST', '/spawn', {}, keyed(`key-${i}`));
			expect([again.headers['idempotency-replayed'], again.body.id]).toEqual(['true', i]);
		}
		await other.engine.close();
		await engine.engine.close();
	});

	test('of the format before is read: worlds, snapshots, and answers to calls with a key', async () => {
		const file = new URL('./kept/state-2.orrery', import.meta.url);
		const memory = await readPiece(new Uint8Array(readFileSync(file)));
		expect((await verifyJournal(new MemoryJournal(memory))).difference).toBeNull();
		const clock = () => 1_700_000_000_000;
		const engine = testEngine(await createEngine({ journal: new MemoryJournal(memory), clock }));
		for (let i = 0; i < 6; i++) {
			const body = { tags: [`one-${i}`], ...ball(i) };
			const sent = {
				tags: body.tags,
				physics_body: 'Dynamic',
				collider: body.collider,
				position: body.position,
			};
			const again = await engine.call('POST', '/spawn', sent, keyed(`key-${i}`));
			expect([again.headers['idempotency-replayed'], again.body.id]).toEqual(['true', i]);
		}
		expect(await engine.get('/')).toMatchObject({ entity_count: 6, tick: 10 });
		expect(await engine.must('POST', '/snapshot/then/restore', {})).toMatchObject({ tick: 0 });
		expect((await engine.get('/')).entity_count).toBe(3);
		await engine.engine.close();
	});
});
