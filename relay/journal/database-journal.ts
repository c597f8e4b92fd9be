/**
 * Journal in a folder. A SQLite database has the entries, the lease and an index. Files have the states and blobs.
 * Owns: the order of requests, the transactions of appends, and the removal of old entries at the limit on size.
 * Never: reads the content of an entry or a state.
 *
 * A transaction compares the epoch, so a replaced owner is refused in any process. Appends of one turn of the event loop
 * form one transaction. It ends before anything else is read or written.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
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
} from '../../shared/transport/journal.ts';
import { isHash } from '../../shared/transport/journal-bytes.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { folderFault, type JournalFolder, openFolder, readFolder, setDurable } from './journal-folder.ts';
import type { JournalTables } from './journal-tables.ts';

export interface DatabaseJournalOptions {
	/** Maximum bytes. Beyond it, entries before the oldest state are removed. The default is no limit. */
	readonly maxBytes?: number;
	/** If true, acknowledged writes survive a power loss. Otherwise they survive only the end of processes. */
	readonly fsync?: boolean;
}

/** Number of entries that are removed together. */
const CUT_ENTRIES = 1000;

/** An append that waits for its transaction. */
interface WaitingWrite {
	readonly resolve: () => void;
	readonly reject: (error: JournalError) => void;
}

export class DatabaseJournal implements Journal {
	readonly durable = true;
	readonly #folder: JournalFolder;
	readonly #options: Required<DatabaseJournalOptions>;
	/** First entry that a reader does not see, because it was appended after the journal was opened. */
	readonly #end: number;
	/** Stores and reads states in order. */
	readonly #stateQueue = new TaskQueue();
	/** Names and removes files of states and blobs in order. */
	readonly #fileQueue = new TaskQueue();
	/** Appends of the open transaction; undefined if none is open. */
	#batch: WaitingWrite[] | undefined;
	/** Error of the last transaction. Entries that follow it fail with the same error. */
	#fault: JournalError | undefined;
	/** Blobs that were stored since the last removal. Their entries may not be appended yet. */
	#newBlobs = new Set<string>();
	#isClosed = false;

	private constructor(folder: JournalFolder, { maxBytes, fsync }: DatabaseJournalOptions) {
		this.#folder = folder;
		this.#options = { maxBytes: maxBytes ?? Number.POSITIVE_INFINITY, fsync: fsync ?? false };
		this.#end = folder.isReadOnly ? folder.tables.next : Number.POSITIVE_INFINITY;
	}

	/**
	 * Opens the journal of a folder for writing. Creates the folder if it is missing; its parent must exist. Rejects with
	 * `locked` if another process owns it, and with `damaged` if its content was changed.
	 */
	static async open(folder: string, options: DatabaseJournalOptions = {}): Promise<DatabaseJournal> {
		return new DatabaseJournal(await openFolder(folder, options.fsync ?? false), options);
	}

	/**
	 * Opens the current journal of a folder for reading only. It takes no lock, and another process may write to the
	 * journal meanwhile.
	 */
	static async openReadOnly(folder: string): Promise<DatabaseJournal> {
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
			const { maxBytes } = this.#options;
			const limit = Number.isFinite(maxBytes) ? { most: maxBytes } : {};
			return { first, next: this.next, lease, states: positions, bytes, ...limit };
		});
	}

	async acquire(): Promise<number> {
		return this.#write('The lease could not be written', (tables) => {
			const { database } = this.#folder;
			// No epoch may be issued twice, even after a power loss.
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
		return new Promise((resolve, reject) => {
			try {
				this.#requireWriter();
				this.#batch ??= this.#begin();
				this.#insert(epoch, at, entries);
				this.#batch.push({ resolve, reject });
			} catch (error) {
				const fault = this.#faultOf(error, 'The entries could not be written');
				reject(fault);
				// Other appends of the transaction stay in it, unless the database itself has failed.
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
		if (epoch !== tables.lease.epoch) throw fencedError();
		let { next } = tables;
		if (at > next && this.#fault !== undefined) throw this.#fault;
		for (const entry of newEntries(at, next, entries)) tables.append(next++, entry);
	}

	/** Commits the waiting appends. */
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
		for (const { resolve, reject } of batch) {
			if (fault === undefined) resolve();
			else reject(fault);
		}
	}

	async read(from: number, maxBytes: number): Promise<readonly JournalEntry[]> {
		return this.#read('Entries could not be read', (tables) => {
			if (from < tables.first) throw cutError(from, tables.first);
			const { next } = this;
			const entries: JournalEntry[] = [];
			let room = maxBytes;
			for (const entry of tables.entries(from)) {
				room -= entry.bytes.length;
				if (from + entries.length >= next || (room < 0 && entries.length > 0)) break;
				entries.push(entry);
			}
			return entries;
		});
	}

	async keepState(epoch: number, at: number, pieces: Pieces, blobs: readonly string[]): Promise<void> {
		const failure = 'The state could not be stored';
		this.#write(failure, () => this.#requireStateAt(epoch, at));
		return this.#runInOrder(this.#stateQueue, failure, async () => {
			const { tables, files } = this.#folder;
			const { hash, size, place } = await files.write(pieces);
			await this.#fileQueue.run(async () => {
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
		if (epoch !== tables.lease.epoch) throw fencedError();
		requireStateAt(at, tables.first, tables.next);
	}

	/** Removes the oldest entries and states until the limit is met. The newest state and the entries after it stay. */
	async #makeRoom(): Promise<void> {
		const { tables, files } = this.#folder;
		const earlierNewBlobs = this.#newBlobs;
		let isCut = false;
		while (tables.bytes > this.#options.maxBytes) {
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
			await this.#fileQueue.run(async () => {
				this.#commit();
				const unnamed = tables.transaction(() => {
					const hashes = tables.unnamedBlobs(to.at);
					const removable = hashes.filter((hash) => !earlierNewBlobs.has(hash) && !this.#newBlobs.has(hash));
					for (const hash of removable) tables.run('cutBlob', hash);
					return removable;
				});
				for (const hash of unnamed) await files.remove(hash);
			});
		}
	}

	/** Removes entries and frees their space, a few at a time, so that calls can run in between. */
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
		return this.#runInOrder(this.#stateQueue, 'A state could not be read', async () => {
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
		return this.#runInOrder(this.#fileQueue, 'The blob could not be stored', async () => {
			const { tables, files } = this.#folder;
			if (tables.hasBlob(hash)) return;
			await files.store(hash, bytes);
			this.#commit();
			tables.run('putBlob', hash, bytes.length);
		});
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#runInOrder(this.#fileQueue, 'A blob could not be read', async () => {
			const { tables, files } = this.#folder;
			return tables.hasBlob(hash) ? files.read(hash) : null;
		});
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		const statesDone = this.#stateQueue.idle();
		const filesDone = this.#fileQueue.idle();
		this.#isClosed = true;
		this.#commit();
		await statesDone;
		await filesDone;
		await this.#fileQueue.idle();
		this.#folder.close();
	}

	/** Reads after all earlier appends. `failure`: start of the error text, such as "Entries could not be read". */
	#read<T>(failure: string, work: (tables: JournalTables) => T): T {
		this.#requireOpen();
		this.#commit();
		try {
			return work(this.#folder.tables);
		} catch (error) {
			throw this.#faultOf(error, failure);
		}
	}

	#write<T>(failure: string, work: (tables: JournalTables) => T): T {
		this.#requireWriter();
		return this.#read(failure, work);
	}

	#runInOrder<T>(queue: TaskQueue, failure: string, work: () => Promise<T>): Promise<T> {
		if (this.#isClosed) return Promise.reject(closedError());
		return queue.run(work).catch((error: unknown) => {
			throw this.#faultOf(error, failure);
		});
	}

	#requireOpen(): void {
		if (this.#isClosed) throw closedError();
	}

	#requireWriter(): void {
		this.#requireOpen();
		if (this.#folder.isReadOnly) throw new JournalError('failed', 'The journal was opened for reading only.');
	}

	#faultOf(error: unknown, failure: string): JournalError {
		return folderFault(error, this.#folder.path, failure);
	}
}

const closedError = (): JournalError => new JournalError('failed', 'The journal is closed.');
