/**
 * A journal in a folder: entries, the lease and an index in a SQLite database, states and blobs in files beside it.
 * Owns: the order of what is asked for, which appends make one transaction, and what is cut for the limit on size.
 * Never: looks into an entry or a state.
 *
 * A transaction compares the epoch, so that an owner that was replaced is refused whatever process it is in. Appends of one turn of
 * the event loop make one transaction. It ends before anything else is read or written.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
	cutOff,
	fenced,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
	requireStateAt,
} from '../../shared/transport/journal.ts';
import { isHash } from '../../shared/transport/journal-bytes.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { folderFault, type JournalFolder, openFolder, readFolder, setDurable } from './journal-folder.ts';
import type { JournalTables } from './journal-tables.ts';

export interface DatabaseJournalOptions {
	/** Bytes that it may take; what is older than a state is cut beyond that. No limit unless given. */
	readonly most?: number;
	/** Acknowledged writes survive a loss of power, too, and not only the end of every process. */
	readonly fsync?: boolean;
}

/** Entries that are removed together. */
const CUT_ENTRIES = 1000;

/** An append that waits for its transaction. */
interface WaitingWrite {
	readonly done: () => void;
	readonly failed: (error: JournalError) => void;
}

export class DatabaseJournal implements Journal {
	readonly durable = true;
	readonly #folder: JournalFolder;
	readonly #options: Required<DatabaseJournalOptions>;
	/** Entries from this one on are not shown: a reader sees the journal as it was when it was opened. */
	readonly #end: number;
	readonly #stateTurns = new TaskQueue();
	/** Files of states and blobs are named and removed in order. */
	readonly #fileTurns = new TaskQueue();
	/** Appends of the open transaction; undefined if none is open. */
	#batch: WaitingWrite[] | undefined;
	/** Reason that the last transaction failed: entries that follow it fail like it. */
	#fault: JournalError | undefined;
	/** Blobs that came since something was last cut: nothing may name them yet. */
	#newBlobs = new Set<string>();
	#isClosed = false;

	private constructor(folder: JournalFolder, { most, fsync }: DatabaseJournalOptions) {
		this.#folder = folder;
		this.#options = { most: most ?? Number.POSITIVE_INFINITY, fsync: fsync ?? false };
		this.#end = folder.isReadOnly ? folder.tables.next : Number.POSITIVE_INFINITY;
	}

	/**
	 * Returns the journal of a folder, which is made if it is missing (the folder around it exists). Rejects with
	 * `locked` if another process owns it, and with `damaged` if it is not what was written.
	 */
	static async open(folder: string, options: DatabaseJournalOptions = {}): Promise<DatabaseJournal> {
		return new DatabaseJournal(await openFolder(folder, options.fsync ?? false), options);
	}

	/**
	 * Returns the journal of a folder as it is now, only to be read: nothing is locked, and another process may write
	 * to it.
	 */
	static async look(folder: string): Promise<DatabaseJournal> {
		return new DatabaseJournal(await readFolder(folder), {});
	}

	get folder(): string {
		return this.#folder.path;
	}

	/** Number of the entry after the last. */
	get next(): number {
		return Math.min(this.#folder.tables.next, this.#end);
	}

	async extent(): Promise<JournalExtent> {
		return this.#read('The journal could not be read', ({ first, lease, states, bytes }) => {
			const positions = states.map(({ at }) => at).filter((at) => at <= this.#end);
			const { most } = this.#options;
			const limit = Number.isFinite(most) ? { most } : {};
			return { first, next: this.next, lease, states: positions, bytes, ...limit };
		});
	}

	async acquire(): Promise<number> {
		return this.#write('The lease could not be written', (tables) => {
			const { database } = this.#folder;
			// An epoch is never given twice, not even after a loss of power.
			setDurable(database, true);
			try {
				return tables.transaction(() => {
					tables.run('acquire');
					return tables.lease.epoch;
				});
			} finally {
				setDurable(database, this.#options.fsync);
			}
		});
	}

	async release(epoch: number): Promise<void> {
		this.#write('The lease could not be written', (tables) => tables.run('release', epoch));
	}

	append(epoch: number, at: number, entries: readonly JournalEntry[]): Promise<void> {
		return new Promise((done, failed) => {
			try {
				this.#requireWriter();
				this.#batch ??= this.#begin();
				this.#insert(epoch, at, entries);
				this.#batch.push({ done, failed });
			} catch (error) {
				const fault = this.#faultOf(error, 'The entries could not be written');
				failed(fault);
				// The others of the transaction stay, unless the database itself has failed.
				if (!(error instanceof JournalError)) this.#endBatch(fault);
			}
		});
	}

	#begin(): WaitingWrite[] {
		this.#folder.tables.begin();
		setImmediate(() => this.#commit());
		return [];
	}

	#insert(epoch: number, at: number, entries: readonly JournalEntry[]): void {
		const { tables } = this.#folder;
		if (epoch !== tables.lease.epoch) throw fenced();
		let { next } = tables;
		if (at > next && this.#fault !== undefined) throw this.#fault;
		for (const entry of newEntries(at, next, entries)) tables.append(next++, entry);
	}

	/** Commits the appends that wait. */
	#commit(): void {
		if (this.#batch === undefined) return;
		try {
			this.#folder.tables.commit();
			this.#endBatch(undefined);
		} catch (error) {
			this.#endBatch(this.#faultOf(error, 'The entries could not be written'));
		}
	}

	#endBatch(fault: JournalError | undefined): void {
		if (fault !== undefined) this.#folder.tables.rollBack();
		const batch = this.#batch ?? [];
		this.#batch = undefined;
		if (fault !== undefined || batch.length > 0) this.#fault = fault;
		for (const { done, failed } of batch) {
			if (fault === undefined) done();
			else failed(fault);
		}
	}

	async read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#read('Entries could not be read', (tables) => {
			if (from < tables.first) throw cutOff(from, tables.first);
			const { next } = this;
			const read: JournalEntry[] = [];
			let room = mostBytes;
			for (const entry of tables.entries(from)) {
				room -= entry.bytes.length;
				if (from + read.length >= next || (room < 0 && read.length > 0)) break;
				read.push(entry);
			}
			return read;
		});
	}

	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		const doing = 'The state could not be stored';
		this.#write(doing, () => this.#requireStateAt(epoch, at));
		return this.#inTurn(this.#stateTurns, doing, async () => {
			const { tables, files } = this.#folder;
			const { hash, size, place } = await files.write(pieces);
			await this.#fileTurns.run(async () => {
				await place();
				this.#commit();
				try {
					tables.transaction(() => {
						this.#requireStateAt(epoch, at);
						tables.run('putBlob', hash, size);
						tables.putState({ at, hash, blobs });
					});
				} finally {
					if (!tables.hasBlob(hash)) await files.remove(hash);
				}
			});
			await this.#makeRoom();
		});
	}

	#requireStateAt(epoch: number, at: number): void {
		const { tables } = this.#folder;
		if (epoch !== tables.lease.epoch) throw fenced();
		requireStateAt(at, tables.first, tables.next);
	}

	/** Cuts what is before the oldest states, as long as there is too much. The newest state and what follows it stay. */
	async #makeRoom(): Promise<void> {
		const { tables, files } = this.#folder;
		const before = this.#newBlobs;
		let isCut = false;
		while (tables.bytes > this.#options.most) {
			const { first, states } = tables;
			const [oldest, following] = states;
			// Entries before the oldest state are removed first, then that state.
			const to = oldest !== undefined && oldest.at > first ? oldest : following;
			if (to === undefined) break;
			if (!isCut) this.#newBlobs = new Set();
			isCut = true;
			if (to !== oldest) {
				this.#commit();
				tables.run('cutState', oldest!.at);
			}
			await this.#cutEntries(first, to.at);
			await this.#fileTurns.run(async () => {
				this.#commit();
				const unnamed = tables.transaction(() => {
					const hashes = tables.unnamedBlobs(to.at);
					const old = hashes.filter((hash) => !before.has(hash) && !this.#newBlobs.has(hash));
					for (const hash of old) tables.run('cutBlob', hash);
					return old;
				});
				for (const hash of unnamed) await files.remove(hash);
			});
		}
	}

	/** Removes entries, and gives their room back, some at a time: calls continue in between. */
	async #cutEntries(from: number, to: number): Promise<void> {
		const { tables } = this.#folder;
		for (let at = from; at < to; ) {
			at = Math.min(to, at + CUT_ENTRIES);
			this.#commit();
			tables.run('cutEntries', at);
			tables.shrink();
			await nextTurn();
		}
	}

	state(at = Number.POSITIVE_INFINITY): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#inTurn(this.#stateTurns, 'A state could not be read', async () => {
			const { tables, files } = this.#folder;
			const state = tables.states.findLast((state) => state.at <= Math.min(at, this.#end));
			return state === undefined ? null : { at: state.at, bytes: await files.read(state.hash) };
		});
	}

	async keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		this.#requireWriter();
		if (!isHash(hash))
			throw new JournalError('failed', 'The name of a blob must be its SHA-256 in lowercase hex.');
		this.#newBlobs.add(hash);
		return this.#inTurn(this.#fileTurns, 'The blob could not be stored', async () => {
			const { tables, files } = this.#folder;
			if (tables.hasBlob(hash)) return;
			await files.keep(hash, bytes);
			this.#commit();
			tables.run('putBlob', hash, bytes.length);
		});
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#inTurn(this.#fileTurns, 'A blob could not be read', async () => {
			const { tables, files } = this.#folder;
			return tables.hasBlob(hash) ? files.read(hash) : null;
		});
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		const statesKept = this.#stateTurns.idle();
		const filesKept = this.#fileTurns.idle();
		this.#isClosed = true;
		this.#commit();
		await statesKept;
		await filesKept;
		await this.#fileTurns.idle();
		this.#folder.close();
	}

	/** Reads after all appends that were asked for. */
	#read<T>(doing: string, work: (tables: JournalTables) => T): T {
		this.#requireOpen();
		this.#commit();
		try {
			return work(this.#folder.tables);
		} catch (error) {
			throw this.#faultOf(error, doing);
		}
	}

	#write<T>(doing: string, work: (tables: JournalTables) => T): T {
		this.#requireWriter();
		return this.#read(doing, work);
	}

	#inTurn<T>(turns: TaskQueue, doing: string, work: () => Promise<T>): Promise<T> {
		if (this.#isClosed) return Promise.reject(closed());
		return turns.run(work).catch((error: unknown) => {
			throw this.#faultOf(error, doing);
		});
	}

	#requireOpen(): void {
		if (this.#isClosed) throw closed();
	}

	#requireWriter(): void {
		this.#requireOpen();
		if (this.#folder.isReadOnly) throw new JournalError('failed', 'The journal was opened for reading only.');
	}

	#faultOf(error: unknown, doing: string): JournalError {
		return folderFault(error, this.#folder.path, doing);
	}
}

const closed = (): JournalError => new JournalError('failed', 'The journal is closed.');
