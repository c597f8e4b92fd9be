/** A piece of a journal is a journal by itself. */

import { expect, test } from 'vitest';
import { joinBytes } from '../../../../shared/contract/joined-bytes.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { encodePackets } from '../../../../shared/transport/packet.ts';
import { cutPiece, hasPieceMagic, readPiece } from '../../../../web/host/journal/piece.ts';
import { replayJournal } from '../../../../web/host/journal/verify.ts';
import { startEngine } from '../../../support/engine.ts';
import { createMemoryFiles } from '../../../support/memory-files.ts';

/** Returns a journal with states, a read file and a fork. */
async function keptJournal() {
	const memory = new JournalMemory();
	const { files } = createMemoryFiles();
	const engine = await startEngine({
		journal: new MemoryJournal(memory),
		files,
		stateEvery: { entries: 3 },
		// A state that takes long to save on a slow machine delays the next one.
		now: () => 0,
	});
	const digests: string[] = [];
	for (let i = 0; i < 5; i++) {
		await engine.spawn({ gold: i, position: [i, 3, 0], physics_body: 'Dynamic' });
		digests.push((await engine.step(3)).state_digest);
		await engine.engine.rest();
	}
	await engine.must('POST', '/scene/save', { path: 'a.json' });
	await engine.must('POST', '/scene/load', { path: 'a.json' });
	await engine.must('POST', '/fork', { fork_id: 'plan' });
	await engine.must('POST', '/step?world=plan', { ticks: 2 });
	const last = [await engine.digest(), await engine.digest('plan')];
	await engine.engine.close();
	return { memory, digests, last };
}

test('a piece gives the same result as the whole, from any state', async () => {
	const { memory, last } = await keptJournal();
	const journal = new MemoryJournal(memory);
	const { next, states } = await journal.extent();
	expect(states.length).toBeGreaterThan(3);
	for (const from of states.filter((at) => at < next)) {
		const piece = await cutPiece(journal, from, next - 1);
		const { first, entries, worlds, difference } = await replayJournal(
			new MemoryJournal(await readPiece(piece)),
		);
		expect({ first, entries, difference }).toEqual({ first: from, entries: next - from, difference: null });
		expect(worlds.map(({ state_digest }) => state_digest)).toEqual(last);
	}
});

test('it ends with the named entry, and is smaller', async () => {
	const { memory, digests } = await keptJournal();
	const journal = new MemoryJournal(memory);
	const { next } = await journal.extent();
	const all = await cutPiece(journal, 0, next - 1);
	const piece = await cutPiece(journal, 4, 5);
	expect(piece.length).toBeLessThan(all.length);
	const { worlds } = await replayJournal(new MemoryJournal(await readPiece(piece)));
	expect(worlds).toEqual([{ world: 'main', tick: 9, state_digest: digests[2] }]);
	await expect(cutPiece(journal, 4, next)).rejects.toThrow(`from 4 to ${next - 1}, got ${next}`);
});

test('a file that is not a piece, or is cut off or changed, is refused with a clear error', async () => {
	const { memory } = await keptJournal();
	const piece = await cutPiece(new MemoryJournal(memory), 0, 3);
	expect(hasPieceMagic(piece)).toBe(true);
	await expect(readPiece(new TextEncoder().encode('{}'))).rejects.toThrow('not a piece of a journal');
	await expect(readPiece(piece.subarray(0, piece.length - 1))).rejects.toThrow('cut off or was changed');
	for (const at of [14, piece.length >> 1, piece.length - 1]) {
		const other = piece.slice();
		other[at] = other[at]! ^ 1;
		await expect(readPiece(other)).rejects.toThrow('cut off or was changed');
	}
	const other = encodePackets([{ head: { version: 2, sha256: '' }, bytes: new Uint8Array(0) }]);
	const newer = joinBytes([piece.subarray(0, 13), other]);
	await expect(readPiece(newer)).rejects.toThrow('format 2');
});
