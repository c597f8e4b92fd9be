/**
 * A journal in memory, for worlds without a folder and for tests. It ends with the process.
 * Owns: the entries, states and blobs. Several owners may open them; only the newest lease may write.
 */

import { joinBytes } from '../contract/joined-bytes.ts';
import {
	cutError,
	fencedError,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
	requireStateAt,
} from './journal.ts';

interface StoredState {
	readonly at: number;
	readonly bytes: Uint8Array;
	readonly blobs: readonly string[];
}

/**
 * Storage that all owners of one journal share. `maxBytes`: above this size, the entries before an old state are
 * removed.
 */
export class JournalMemory {
	readonly maxBytes: number;
	/** Stored entries. The oldest has the sequence number `first`. */
	entries: JournalEntry[] = [];
	first = 0;
	lease = { epoch: 0, isTaken: false };
	/** States in ascending order. */
	states: StoredState[] = [];
	readonly blobs = new Map<string, Uint8Array>();
	/** Blobs since the last cut. They stay although no entry names them yet. */
	readonly newBlobs = new Set<string>();

	constructor(maxBytes = Number.POSITIVE_INFINITY) {
		this.maxBytes = maxBytes;
	}

	get next(): number {
		return this.first + this.entries.length;
	}

	get bytes(): number {
		let sum = 0;
		for (const { bytes } of this.entries) sum += bytes.length;
		for (const { bytes } of this.states) sum += bytes.length;
		for (const bytes of this.blobs.values()) sum += bytes.length;
		return sum;
	}

	/**
	 * Removes the oldest entries and states while the size is above the limit. The newest state and the entries after it
	 * stay.
	 */
	cut(): void {
		let hasCut = false;
		while (this.bytes > this.maxBytes && this.states.length > 0) {
			const oldest = this.states[0]!;
			// Entries before the oldest state are removed first, then that state.
			const from = oldest.at > this.first ? oldest : this.states[1];
			if (from === undefined) break;
			if (from !== oldest) this.states.shift();
			this.entries.splice(0, from.at - this.first);
			this.first = from.at;
			this.#dropBlobs();
			hasCut = true;
		}
		if (hasCut) this.newBlobs.clear();
	}

	#dropBlobs(): void {
		const named = new Set([...this.entries, ...this.states].flatMap(({ blobs }) => blobs));
		for (const hash of this.blobs.keys())
			if (!named.has(hash) && !this.newBlobs.has(hash)) this.blobs.delete(hash);
	}
}

const copyEntry = ({ bytes, blobs }: JournalEntry): JournalEntry => ({
	bytes: bytes.slice(),
	blobs: [...blobs],
});

export class MemoryJournal implements Journal {
	readonly durable = false;
	readonly #memory: JournalMemory;
	#closed = false;

	constructor(memory = new JournalMemory()) {
		this.#memory = memory;
	}

	#open(): JournalMemory {
		if (this.#closed) throw new JournalError('failed', 'The journal is closed.');
		return this.#memory;
	}

	async extent(): Promise<JournalExtent> {
		const { first, next, states, bytes, lease } = this.#open();
		return { first, next, lease, states: states.map(({ at }) => at), bytes };
	}

	async acquire(): Promise<number> {
		const memory = this.#open();
		const epoch = memory.lease.epoch + 1;
		memory.lease = { epoch, isTaken: true };
		return epoch;
	}

	async release(epoch: number): Promise<void> {
		const memory = this.#open();
		if (epoch === memory.lease.epoch) memory.lease = { epoch, isTaken: false };
	}

	/** Returns the memory. Throws `fenced` for an owner with an old epoch. */
	#requireOwner(epoch: number): JournalMemory {
		const memory = this.#open();
		if (epoch !== memory.lease.epoch) throw fencedError();
		return memory;
	}

	async append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		const memory = this.#requireOwner(epoch);
		for (const entry of newEntries(at, memory.next, entries)) memory.entries.push(copyEntry(entry));
	}

	async read(from: number, maxBytes: number): Promise<readonly JournalEntry[]> {
		const { first, entries } = this.#open();
		if (from < first) throw cutError(from, first);
		const read: JournalEntry[] = [];
		let room = maxBytes;
		for (let at = from - first; at < entries.length; at++) {
			const entry = entries[at]!;
			room -= entry.bytes.length;
			if (room < 0 && read.length > 0) break;
			read.push(copyEntry(entry));
		}
		return read;
	}

	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		this.#requireOwner(epoch);
		const copies: Uint8Array[] = [];
		for await (const piece of pieces) copies.push(piece.slice());
		const memory = this.#requireOwner(epoch);
		const { first, next, states } = memory;
		requireStateAt(at, first, next);
		const bytes = joinBytes(copies);
		const others = states.filter((state) => state.at !== at);
		memory.states = [...others, { at, bytes, blobs: [...blobs] }].sort((a, b) => a.at - b.at);
		memory.cut();
	}

	async state(
		at = Number.POSITIVE_INFINITY,
	): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		const found = this.#open().states.findLast((state) => state.at <= at);
		return found === undefined ? null : { at: found.at, bytes: found.bytes.slice() };
	}

	async keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		const { blobs, newBlobs } = this.#open();
		if (!blobs.has(hash)) blobs.set(hash, bytes.slice());
		newBlobs.add(hash);
	}

	async blob(hash: string): Promise<Uint8Array | null> {
		return this.#open().blobs.get(hash)?.slice() ?? null;
	}

	async close(): Promise<void> {
		this.#open();
		this.#closed = true;
	}
}
