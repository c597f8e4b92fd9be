/** If a replay differs from its journal, the difference and its cause are reported. */

import { describe, expect, test } from 'vitest';
import { Gold } from '../../../../shared/components/gold.ts';
import { JournalError } from '../../../../shared/transport/journal.ts';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { replayJournal, verifyJournal } from '../../../../web/host/journal/verify.ts';
import { read } from '../../../../web/sim/core/world.ts';
import { startEngine } from '../../../support/engine.ts';
import { faulty } from '../../../support/faulty-system.ts';

/** A journal that reports when it has stored a state. */
class ReportingJournal extends MemoryJournal {
	kept: () => void = () => {};

	override async keepState(...state: Parameters<MemoryJournal['keepState']>): Promise<void> {
		await super.keepState(...state);
		this.kept();
	}
}

/** Returns a journal of twelve calls, with a state after every four. They spawn entities with gold, and step. */
async function recordJournal(): Promise<JournalMemory> {
	const memory = new JournalMemory();
	const journal = new ReportingJournal(memory);
	const engine = await startEngine({ journal, stateEvery: { entries: 4 }, now: () => 0 });
	for (let i = 0; i < 6; i += 2) {
		const stateKept = new Promise<void>((resolve) => {
			journal.kept = resolve;
		});
		for (const more of [0, 1]) {
			await engine.spawn({ gold: 10 + i + more, position: [i, 1, 0] });
			await engine.step(2);
		}
		await stateKept;
	}
	await engine.engine.close();
	return memory;
}

/** Replaces a text in an entry by a text of equal length. */
function replaceInEntry(memory: JournalMemory, at: number, from: string, to: string): void {
	const { bytes, blobs } = memory.entries[at]!;
	const text = new TextDecoder('latin1').decode(bytes);
	expect(text).toContain(from);
	const other = text.replaceAll(from, to);
	memory.entries[at] = { bytes: Uint8Array.from(other, (char) => char.charCodeAt(0)), blobs };
}

test('an unchanged journal gives the same result', async () => {
	const memory = await recordJournal();
	const { length } = memory.entries;
	expect(memory.states.length).toBeGreaterThan(2);
	const report = { first: 0, entries: length, difference: null };
	const verified = await verifyJournal(new MemoryJournal(memory));
	expect(verified).toMatchObject({ ...report, states: memory.states.length - 1 });
	const replayed = await replayJournal(new MemoryJournal(memory));
	expect(replayed).toMatchObject({ ...report, states: 0, worlds: [{ world: 'main', tick: 12 }] });
	expect(replayed.worlds).toEqual(verified.worlds);
	const part = await replayJournal(new MemoryJournal(memory), { to: 3 });
	expect(part).toMatchObject({ entries: 4, worlds: [{ tick: 4 }] });
	await expect(verifyJournal(new MemoryJournal(memory), { to: length })).rejects.toThrow(
		`The last one is ${length - 1}`,
	);
});

test('the first different entry is named, with entity and field at the next state', async () => {
	const memory = await recordJournal();
	replaceInEntry(memory, 4, '"gold":12', '"gold":99');
	const { difference } = await verifyJournal(new MemoryJournal(memory));
	expect(difference).toMatchObject({ entry: 5, world: 'main', state: 8 });
	expect(difference!.message).toContain('POST /step');
	expect(difference!.differs!.changed).toMatchObject([
		{ id: 2, fields: [{ field: 'gold.amount', from: 12, to: 99 }] },
	]);
	expect(difference!.written_by['gold.amount']).toEqual(['pay-gold']);
	// The change is not a fault of the engine, so its re-run ticks are equal.
	expect(difference!.again).toEqual({ ticks: 2, diverged: null });
});

describe('a tick that depends on unsaved data', () => {
	const key = 'remembered by the test';
	let isFaulty = false;
	faulty((world) => {
		if (!isFaulty) return read(world, Gold, 'amount')[0]!;
		const count = (world.processedVersions.get(key) ?? 0) + 1;
		world.processedVersions.set(key, count);
		return count;
	});

	test('is named with its system, if the journal gives another result', async () => {
		isFaulty = true;
		const memory = await recordJournal();
		// The replay starts from the state after the first calls, so data outside the state is lost.
		memory.states.splice(0, 1);
		const { difference } = await verifyJournal(new MemoryJournal(memory));
		isFaulty = false;
		expect(difference).toMatchObject({ entry: 5, world: 'main' });
		expect(difference!.written_by['gold.amount']).toContain('count-in-secret');
		expect(difference!.again.diverged).toMatchObject({
			world: 'main',
			way: 'save',
			system: 'count-in-secret',
			written_by: { 'gold.amount': ['pay-gold', 'count-in-secret'] },
		});
		expect(difference!.again.diverged!.message).toContain(
			'after the system count-in-secret: entity 0, gold.amount',
		);
	});
});

test('a state that does not follow from the entries is reported', async () => {
	const memory = await recordJournal();
	memory.states[1] = { ...memory.states[2]!, at: memory.states[1]!.at };
	const { difference } = await verifyJournal(new MemoryJournal(memory));
	expect(difference).toMatchObject({ entry: memory.states[1]!.at - 1, world: 'main' });
	expect(difference!.differs!.totals.spawned).toBe(0);
	expect(difference!.differs!.totals.despawned).toBeGreaterThan(0);
});

test('an engine does not start on a journal without room for its first state', async () => {
	class Full extends MemoryJournal {
		override keepState(): Promise<void> {
			return Promise.reject(new JournalError('full', 'The disk is full.'));
		}
	}
	await expect(startEngine({ journal: new Full(), report: () => {} })).rejects.toThrow('The disk is full.');
});
