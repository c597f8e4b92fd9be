/**
 * Requirements of every journal, on any storage.
 * Owns: the suite, which each implementation runs on its own storage.
 */

import { describe, expect, it } from 'vitest';
import {
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalFault,
} from '../../shared/transport/journal.ts';
import { encodeEntry } from '../../shared/transport/journal-entry.ts';
import { acquireJournal } from './owned-journal.ts';

/** Storage that outlives the journals opened on it. */
export interface JournalStorage {
	/** Opens a journal on the storage. Rejects with `locked` if only one may be open. */
	open(): Promise<Journal>;
	/** Frees the storage. */
	dispose?(): Promise<void>;
}

/** Creates empty storage. `maxBytes` is its approximate limit; without it there is none. */
export type CreateStorage = (maxBytes?: number) => Promise<JournalStorage>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const entryOf = (text: string, ...blobs: string[]): JournalEntry => ({
	bytes: encoder.encode(text),
	blobs,
});

/** Returns an entry that records the name and tick of the main world. */
export const worldEntry = (name: string, tick: number): JournalEntry => {
	const worlds = [{ id: 'main', name, tick, ticks: 0 }];
	const head = { kind: 'between', at: 0, worlds } as const;
	return encodeEntry({ head, body: new Uint8Array(0), answer: new Uint8Array(0) });
};

const textOf = (entry: JournalEntry): string => decoder.decode(entry.bytes);

/** Returns all entries from `from` on, read in pages. */
export async function readAll(
	journal: Pick<Journal, 'read'>,
	from = 0,
	pageBytes = 1 << 20,
): Promise<JournalEntry[]> {
	const entries: JournalEntry[] = [];
	for (;;) {
		const page = await journal.read(from + entries.length, pageBytes);
		if (page.length === 0) return entries;
		entries.push(...page);
	}
}

/** Returns the fault of a refused operation, or `done`. */
async function faultOf(work: Promise<unknown>): Promise<JournalFault | 'done'> {
	try {
		await work;
		return 'done';
	} catch (error) {
		if (!(error instanceof JournalError)) throw error;
		expect(error.message).toMatch(/^[A-Z"].*\.$/s);
		return error.fault;
	}
}

async function hashOf(bytes: Uint8Array): Promise<string> {
	const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
	return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function keepText(journal: Pick<Journal, 'keepBlob'>, text: string): Promise<string> {
	const bytes = encoder.encode(text);
	const hash = await hashOf(bytes);
	await journal.keepBlob(hash, bytes);
	return hash;
}

/** Returns random bytes, which compression cannot make shorter. */
function noise(length: number, seed: number): Uint8Array {
	const bytes = new Uint8Array(length);
	let state = seed * 2 + 1;
	for (let i = 0; i < length; i++) {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		bytes[i] = state >>> 16;
	}
	return bytes;
}

/** Declares the tests that every journal must pass. `name` is the storage in their titles. */
export function journalSuite(name: string, create: CreateStorage): void {
	/** Declares a test on storage that is disposed afterwards. */
	const testOn = (title: string, test: (storage: JournalStorage) => Promise<void>, maxBytes?: number) =>
		it(title, async () => {
			const storage = await create(maxBytes);
			try {
				await test(storage);
			} finally {
				await storage.dispose?.();
			}
		});

	describe(`a journal in ${name}`, () => {
		testOn('is empty at first', async ({ open }) => {
			const journal = await acquireJournal(open());
			const { first, next, states } = await journal.extent();
			expect({ first, next, states }).toEqual({ first: 0, next: 0, states: [] });
			expect(await journal.read(0, 1000)).toEqual([]);
			expect(await journal.state()).toBeNull();
			expect(await journal.blob('0'.repeat(64))).toBeNull();
			await journal.close();
		});

		testOn('keeps entries in the order in which they were appended, with their blobs', async ({ open }) => {
			const journal = await acquireJournal(open());
			const hash = await keepText(journal, 'a file');
			await journal.append(0, [entryOf('a'), entryOf('b', hash)]);
			await journal.append(2, [entryOf('')]);
			await journal.append(3, []);
			expect((await journal.extent()).next).toBe(3);
			const read = await readAll(journal);
			expect(read.map(textOf)).toEqual(['a', 'b', '']);
			expect(read.map(({ blobs }) => blobs)).toEqual([[], [hash], []]);
			await journal.close();
		});

		testOn('skips entries that it has, and refuses those that leave a gap', async ({ open }) => {
			const journal = await acquireJournal(open());
			await journal.append(0, [entryOf('a')]);
			// The answer was lost, so the owner sends the entry again with a newer one.
			await journal.append(0, [entryOf('a'), entryOf('b')]);
			await journal.append(0, [entryOf('a')]);
			expect(await faultOf(journal.append(3, [entryOf('d')]))).toBe('failed');
			expect((await readAll(journal)).map(textOf)).toEqual(['a', 'b']);
			await journal.append(2, [entryOf('c')]);
			expect((await readAll(journal)).map(textOf)).toEqual(['a', 'b', 'c']);
			await journal.close();
		});

		testOn('applies concurrent calls in the order in which they were made', async ({ open }) => {
			const journal = await open();
			const epoch = await journal.acquire();
			const appended = Array.from({ length: 50 }, (_, at) => journal.append(epoch, at, [entryOf(`${at}`)]));
			const journalEntries = journal.read(0, 1 << 20);
			const next = journal.acquire();
			const late = faultOf(journal.append(epoch, 50, [entryOf('late')]));
			await Promise.all(appended);
			expect(await next).toBe(epoch + 1);
			expect(await late).toBe('fenced');
			expect((await journalEntries).length).toBe(50);
			expect((await readAll(journal)).map(textOf)).toEqual(Array.from({ length: 50 }, (_, at) => `${at}`));
			await journal.close();
		});

		testOn('fences the last owner when the next one acquires the lease', async ({ open }) => {
			const journal = await open();
			expect((await journal.extent()).lease).toEqual({ epoch: 0, isTaken: false });
			const old = await journal.acquire();
			await journal.append(old, 0, [entryOf('old')]);
			const next = await journal.acquire();
			expect(next).toBeGreaterThan(old);
			expect(await faultOf(journal.append(old, 1, [entryOf('late')]))).toBe('fenced');
			expect(await faultOf(journal.append(old, 0, [entryOf('old')]))).toBe('fenced');
			expect(await faultOf(journal.keepState(old, 1, [entryOf('late').bytes], []))).toBe('fenced');
			await journal.release(old);
			expect((await journal.extent()).lease).toEqual({ epoch: next, isTaken: true });
			await journal.append(next, 1, [entryOf('next')]);
			await journal.release(next);
			expect((await journal.extent()).lease).toEqual({ epoch: next, isTaken: false });
			expect((await readAll(journal)).map(textOf)).toEqual(['old', 'next']);
			await journal.close();
		});

		testOn('knows its newest lease when it is opened again', async ({ open }) => {
			const before = await open();
			const epoch = await before.acquire();
			await before.append(epoch, 0, [entryOf('a')]);
			await before.close();
			const after = await open();
			expect((await after.extent()).lease).toEqual({ epoch, isTaken: true });
			// The same owner continues after a restart of the server.
			await after.append(epoch, 1, [entryOf('b')]);
			expect(await after.acquire()).toBe(epoch + 1);
			expect(await faultOf(after.append(epoch, 2, [entryOf('c')]))).toBe('fenced');
			await after.close();
		});

		testOn('keeps everything for the next owner', async ({ open }) => {
			const before = await acquireJournal(open());
			const hash = await keepText(before, 'kept');
			await before.append(0, [entryOf('a', hash), entryOf('b')]);
			await before.keepState(1, [encoder.encode('st'), encoder.encode('ate')], [hash]);
			const extent = await before.extent();
			await before.close();
			const after = await acquireJournal(open());
			const { lease, ...kept } = await after.extent();
			expect(lease.epoch).toBe(extent.lease.epoch + 1);
			expect({ ...kept, bytes: 0 }).toEqual({ ...extent, lease: undefined, bytes: 0 });
			const read = await readAll(after);
			expect(read.map(textOf)).toEqual(['a', 'b']);
			expect(read[0]!.blobs).toEqual([hash]);
			const state = await after.state();
			expect({ at: state!.at, text: decoder.decode(state!.bytes) }).toEqual({ at: 1, text: 'state' });
			expect(decoder.decode((await after.blob(hash))!)).toBe('kept');
			await after.append(2, [entryOf('c')]);
			expect((await readAll(after)).map(textOf)).toEqual(['a', 'b', 'c']);
			await after.close();
		});

		testOn('is open for one owner, or fences all but the newest', async ({ open }) => {
			const journal = await open();
			const first = await journal.acquire();
			let other: Journal;
			try {
				other = await open();
			} catch (error) {
				expect((error as JournalError).fault).toBe('locked');
				await journal.close();
				await (await open()).close();
				return;
			}
			await journal.append(first, 0, [entryOf('one')]);
			const second = await other.acquire();
			expect(await faultOf(journal.append(first, 1, [entryOf('one')]))).toBe('fenced');
			await other.append(second, 1, [entryOf('other')]);
			expect((await readAll(journal)).map(textOf)).toEqual(['one', 'other']);
			await journal.close();
			await other.close();
		});

		testOn('is read in pages, each of at least one entry', async ({ open }) => {
			const journal = await acquireJournal(open());
			await journal.append(
				0,
				Array.from({ length: 10 }, (_, at) => entryOf(`${at}`.repeat(100))),
			);
			expect((await journal.read(0, 250)).length).toBe(2);
			expect((await journal.read(4, 1)).map(textOf)).toEqual(['4'.repeat(100)]);
			expect((await journal.read(9, 1000)).length).toBe(1);
			expect(await journal.read(10, 1000)).toEqual([]);
			expect((await readAll(journal, 0, 150)).map(textOf)).toEqual((await readAll(journal)).map(textOf));
			await journal.close();
		});

		testOn('copies the bytes that are appended or read', async ({ open }) => {
			const journal = await acquireJournal(open());
			const [entry, state] = [encoder.encode('entry'), encoder.encode('state')];
			await journal.append(0, [{ bytes: entry, blobs: [] }]);
			await journal.keepState(1, [state], []);
			for (const bytes of [
				entry,
				state,
				(await journal.read(0, 10))[0]!.bytes,
				(await journal.state())!.bytes,
			])
				bytes.fill(0);
			expect((await readAll(journal)).map(textOf)).toEqual(['entry']);
			expect(decoder.decode((await journal.state())!.bytes)).toBe('state');
			await journal.close();
		});

		testOn('finds the newest state at or before an entry', async ({ open }) => {
			const journal = await acquireJournal(open());
			await journal.keepState(0, [encoder.encode('at 0')], []);
			await journal.append(
				0,
				['a', 'b', 'c', 'd', 'e'].map((text) => entryOf(text)),
			);
			await journal.keepState(4, [encoder.encode('at 4')], []);
			await journal.keepState(2, [encoder.encode('at 2')], []);
			expect((await journal.extent()).states).toEqual([0, 2, 4]);
			const stateAt = async (at?: number) => {
				const state = await journal.state(at);
				return state === null ? null : [state.at, decoder.decode(state.bytes)];
			};
			expect(await stateAt()).toEqual([4, 'at 4']);
			expect(await stateAt(4)).toEqual([4, 'at 4']);
			expect(await stateAt(3)).toEqual([2, 'at 2']);
			expect(await stateAt(0)).toEqual([0, 'at 0']);
			await journal.keepState(4, [encoder.encode('again')], []);
			expect(await stateAt(5)).toEqual([4, 'again']);
			expect((await journal.extent()).states).toEqual([0, 2, 4]);
			expect(await faultOf(journal.keepState(6, [encoder.encode('ahead')], []))).toBe('failed');
			await journal.close();
		});

		testOn('cuts nothing without a limit', async ({ open }) => {
			const journal = await acquireJournal(open());
			for (let at = 0; at < 20; at++) {
				await journal.append(at, [{ bytes: noise(1000, at), blobs: [] }]);
				await journal.keepState(at + 1, [noise(1000, at)], []);
			}
			const { first, states, bytes } = await journal.extent();
			expect([first, states.length]).toEqual([0, 20]);
			expect(bytes).toBeGreaterThanOrEqual(40_000);
			await journal.close();
		});

		testOn(
			'cuts entries before the oldest state that has room, and reports it',
			async ({ open }) => {
				const journal = await acquireJournal(open());
				for (let at = 0; at < 100; at++) {
					await journal.append(at, [{ bytes: noise(1000, at), blobs: [] }]);
					if (at % 10 === 9) await journal.keepState(at + 1, [noise(2000, at)], []);
				}
				const { first, next, states, bytes } = await journal.extent();
				expect(next).toBe(100);
				expect(first).toBeGreaterThan(0);
				expect(first).toBeLessThan(100);
				expect(states.at(-1)).toBe(100);
				expect(states[0]).toBeLessThanOrEqual(first + 10);
				expect(bytes).toBeLessThan(80_000);
				expect(await faultOf(journal.read(first - 1, 1000))).toBe('cut');
				expect(await faultOf(journal.keepState(first - 1, [noise(1, 1)], []))).toBe('cut');
				const kept = await readAll(journal, first);
				expect(kept.length).toBe(100 - first);
				expect([...kept[0]!.bytes]).toEqual([...noise(1000, first)]);
				await journal.close();
				const after = await acquireJournal(open());
				expect((await after.extent()).first).toBe(first);
				expect((await readAll(after, first)).length).toBe(100 - first);
				await after.close();
			},
			60_000,
		);

		testOn(
			'keeps the newest state and all later entries, whatever their size',
			async ({ open }) => {
				const journal = await acquireJournal(open());
				await journal.keepState(0, [noise(5000, 1)], []);
				for (let at = 0; at < 20; at++) await journal.append(at, [{ bytes: noise(1000, at), blobs: [] }]);
				expect((await journal.extent()).first).toBe(0);
				await journal.keepState(3, [noise(5000, 2)], []);
				const { first, states } = await journal.extent();
				expect(first).toBeLessThanOrEqual(3);
				expect(states).toContain(3);
				expect((await readAll(journal, 3)).length).toBe(17);
				expect((await journal.state())!.bytes.length).toBe(5000);
				await journal.close();
			},
			2000,
		);

		testOn(
			'keeps blobs while an entry or a state refers to them',
			async ({ open }) => {
				const journal = await acquireJournal(open());
				const [early, shared, stated] = [
					await keepText(journal, 'early'),
					await keepText(journal, 'shared'),
					await keepText(journal, 'stated'),
				];
				const entry = (seed: number, ...blobs: string[]) => ({ bytes: noise(3000, seed), blobs });
				await journal.append(0, [entry(0, early, shared)]);
				await journal.keepState(1, [noise(3000, 1)], [stated]);
				await journal.append(1, [entry(2, shared)]);
				const fresh = await keepText(journal, 'fresh');
				await journal.keepState(2, [noise(3000, 3)], []);
				await journal.append(2, [entry(4, fresh)]);
				await journal.keepState(3, [noise(3000, 5)], []);
				// New blobs are kept for a while, because an entry may refer to them soon. More cuts delete the unused ones.
				for (let at = 3; at < 7; at++) {
					await keepText(journal, 'fresh');
					await journal.append(at, [entry(at + 10, fresh)]);
					if (at < 6) await journal.keepState(at + 1, [noise(3000, at + 20)], []);
				}
				expect((await journal.extent()).first).toBeGreaterThan(2);
				expect(await journal.blob(early)).toBeNull();
				expect(await journal.blob(shared)).toBeNull();
				expect(await journal.blob(stated)).toBeNull();
				expect(decoder.decode((await journal.blob(fresh))!)).toBe('fresh');
				await journal.close();
			},
			4000,
		);

		testOn(
			'keeps a new blob until an entry refers to it',
			async ({ open }) => {
				const journal = await acquireJournal(open());
				await journal.append(0, [{ bytes: noise(3000, 0), blobs: [] }]);
				const hash = await keepText(journal, 'soon');
				await journal.keepState(1, [noise(1000, 1)], []);
				await journal.append(1, [entryOf('names it', hash)]);
				expect((await journal.extent()).first).toBe(1);
				expect(decoder.decode((await journal.blob(hash))!)).toBe('soon');
				await journal.close();
			},
			2000,
		);

		testOn('keeps the same blob once', async ({ open }) => {
			const journal = await acquireJournal(open());
			const bytes = noise(10_000, 7);
			const hash = await hashOf(bytes);
			await journal.keepBlob(hash, bytes);
			const before = (await journal.extent()).bytes;
			await journal.keepBlob(hash, bytes);
			expect((await journal.extent()).bytes).toBe(before);
			expect([...(await journal.blob(hash))!]).toEqual([...bytes]);
			await journal.close();
		});

		testOn('completes all calls from before it closes, and refuses later ones', async ({ open }) => {
			const journal = await acquireJournal(open());
			const appended = [journal.append(0, [entryOf('a')]), journal.append(1, [entryOf('b')])];
			const closed = journal.close();
			await Promise.all([...appended, closed]);
			expect(await faultOf(journal.append(2, [entryOf('c')]))).toBe('failed');
			expect(await faultOf(journal.extent())).toBe('failed');
			const after = await acquireJournal(open());
			expect((await readAll(after)).map(textOf)).toEqual(['a', 'b']);
			await after.close();
		});
	});
}
