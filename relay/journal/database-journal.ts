/**
 * A journal in a folder: entries, the lease and an index in a SQLite database, states and blobs in files beside it.
 * Owns: the order of what is asked for, which appends make one transaction, and what is cut for the limit on size.
 * Never: looks into an entry or a state.
 *
 * A transaction compares the epoch, so that an owner that was replaced is refused whatever process it is in. Appends of one turn of
 * the event loop make one transaction. It ends before anything else is read or written.
 */

import { hash as hashOf } from 'node:crypto';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
	fenced,
	type Journal,
	type JournalEntry,
	JournalError,
	type JournalExtent,
	newEntries,
	type Pieces,
} from '../../shared/contract/journal.ts';
import { isHash } from '../../shared/contract/journal-bytes.ts';
import { codeOf } from '../system-code.ts';
import { Turns } from '../turns.ts';
import { ContentFiles } from './content-files.ts';
import { databaseFault, openDatabase } from './database.ts';
import { JournalTables } from './journal-tables.ts';
import { lockFolder, type OwnerLock } from './owner-lock.ts';
import { faultOf } from './system-fault.ts';

export interface DatabaseJournalOptions {
	/** Bytes that it may take; what is older than a state is cut beyond that. No limit unless given. */
	readonly most?: number;
	/** Acknowledged writes survive a loss of power, too, and not only the end of every process. */
	readonly fsync?: boolean;
}

const JOURNAL_FILE = 'journal.db';
/** Files of versions up to 1.1, which had no database. */
const OLD_FILE = /^(entries|state)-\d+\.journal$/;

/** Whether a file is part of a journal; SQLite's log has what is not in the database yet. */
export const isJournalFile = (name: string): boolean =>
	name === JOURNAL_FILE || name === `${JOURNAL_FILE}-wal` || OLD_FILE.test(name);

/** Milliseconds in which a reader may release a lock of SQLite. */
const BUSY_MS = 200;

/** An append that waits for its transaction. */
interface Waiting {
	readonly done: () => void;
	readonly failed: (error: JournalError) => void;
}

interface Parts {
	readonly folder: string;
	readonly path: string;
	readonly database: DatabaseSync;
	readonly tables: JournalTables;
	readonly files: ContentFiles;
	/** Undefined if the journal is only read. */
	readonly lock: OwnerLock | undefined;
}

export class DatabaseJournal implements Journal {
	readonly durable = true;
	readonly #parts: Parts;
	readonly #options: Required<DatabaseJournalOptions>;
	/** Entries from this one on are not shown: a reader sees the journal as it was when it was opened. */
	readonly #end: number;
	readonly #stateTurns = new Turns();
	/** Files of states and blobs are named and removed one after the other. */
	readonly #fileTurns = new Turns();
	/** Appends of the open transaction; undefined if none is open. */
	#batch: Waiting[] | undefined;
	/** Why the last transaction failed: entries that follow it fail like it. */
	#fault: JournalError | undefined;
	/** Blobs that came since something was last cut: nothing may name them yet. */
	#newBlobs = new Set<string>();
	#isClosed = false;

	private constructor(parts: Parts, { most, fsync }: DatabaseJournalOptions) {
		this.#parts = parts;
		this.#options = { most: most ?? Number.POSITIVE_INFINITY, fsync: fsync ?? false };
		this.#end = parts.lock === undefined ? parts.tables.next : Number.POSITIVE_INFINITY;
	}

	/**
	 * The journal of a folder, which is made if it is missing (the folder around it exists). Rejects with `locked` if another process
	 * owns it, and with `damaged` if it is not what was written.
	 */
	static async open(folder: string, options: DatabaseJournalOptions = {}): Promise<DatabaseJournal> {
		try {
			await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
				if (codeOf(error) !== 'EEXIST') throw error;
			});
			if (!(await lstat(folder)).isDirectory())
				throw new JournalError('failed', `"${folder}" is not a folder.`);
			await refuseOld(folder);
			const lock = await lockFolder(folder);
			try {
				const parts = await partsOf(folder, lock, options.fsync);
				await parts.files.prepare((hash) => parts.tables.hasBlob(hash));
				return new DatabaseJournal(parts, options);
			} catch (error) {
				lock.release();
				throw error;
			}
		} catch (error) {
			throw asFault(error, folder, `The journal in "${folder}" could not be opened`);
		}
	}

	/** The journal of a folder as it is now, only to be read: nothing is locked, and another process may write to it. */
	static async look(folder: string): Promise<DatabaseJournal> {
		try {
			await refuseOld(folder);
			return new DatabaseJournal(await partsOf(folder, undefined), {});
		} catch (error) {
			throw asFault(error, folder, `The journal in "${folder}" could not be read`);
		}
	}

	get folder(): string {
		return this.#parts.folder;
	}

	/** Number of the entry after the last. */
	get next(): number {
		return Math.min(this.#parts.tables.next, this.#end);
	}

	async extent(): Promise<JournalExtent> {
		return this.#read('The journal could not be read', ({ first, lease, states, bytes }) => {
			const shown = states.map(({ at }) => at).filter((at) => at <= this.#end);
			return { first, next: this.next, lease, states: shown, bytes };
		});
	}

	async acquire(): Promise<number> {
		return this.#write('The lease could not be written', (tables) => {
			const { database } = this.#parts;
			// An epoch is never given twice, not even after a loss of power.
			database.exec('PRAGMA synchronous = FULL');
			try {
				return tables.transaction(() => {
					tables.acquire();
					return tables.lease.epoch;
				});
			} finally {
				database.exec(`PRAGMA synchronous = ${synchronousOf(this.#options.fsync)}`);
			}
		});
	}

	async release(epoch: number): Promise<void> {
		this.#write('The lease could not be written', (tables) => tables.release(epoch));
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

	#begin(): Waiting[] {
		this.#parts.tables.begin();
		setImmediate(() => this.#commit());
		return [];
	}

	#insert(epoch: number, at: number, entries: readonly JournalEntry[]): void {
		const { tables } = this.#parts;
		if (epoch !== tables.lease.epoch) throw fenced();
		let { next } = tables;
		if (at > next && this.#fault !== undefined) throw this.#fault;
		for (const entry of newEntries(at, next, entries)) tables.append(next++, entry);
	}

	/** Commits the appends that wait. */
	#commit(): void {
		if (this.#batch === undefined) return;
		try {
			this.#parts.tables.commit();
			this.#endBatch(undefined);
		} catch (error) {
			this.#endBatch(this.#faultOf(error, 'The entries could not be written'));
		}
	}

	#endBatch(fault: JournalError | undefined): void {
		if (fault !== undefined) this.#parts.tables.rollBack();
		this.#fault = fault;
		const batch = this.#batch ?? [];
		this.#batch = undefined;
		for (const { done, failed } of batch) {
			if (fault === undefined) done();
			else failed(fault);
		}
	}

	async read(from: number, mostBytes: number): Promise<readonly JournalEntry[]> {
		return this.#read('Entries could not be read', (tables) => {
			if (from < tables.first) throw this.#cut(from);
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
		const doing = 'The state could not be kept';
		this.#write(doing, () => this.#requireStateAt(epoch, at));
		return this.#inTurn(this.#stateTurns, doing, async () => {
			const { tables, files } = this.#parts;
			const { hash, size, place } = await files.write(pieces);
			await this.#fileTurns.run(async () => {
				await place();
				this.#commit();
				try {
					tables.transaction(() => {
						this.#requireStateAt(epoch, at);
						tables.putBlob(hash, size);
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
		const { tables } = this.#parts;
		if (epoch !== tables.lease.epoch) throw fenced();
		if (at < tables.first) throw this.#cut(at);
		const { next } = tables;
		if (!Number.isSafeInteger(at) || at < 0 || at > next)
			throw new JournalError(
				'failed',
				`There is no state before entry ${at}: the journal goes on at ${next}.`,
			);
	}

	/** Cuts what is before the oldest states, as long as there is too much. The newest state and what follows it stay. */
	async #makeRoom(): Promise<void> {
		const { tables, files } = this.#parts;
		const before = this.#newBlobs;
		let isCut = false;
		while (tables.bytes > this.#options.most) {
			const { first, states } = tables;
			const [oldest, following] = states;
			// What is before the oldest state goes first, then that state itself.
			const to = oldest !== undefined && oldest.at > first ? oldest : following;
			if (to === undefined) break;
			if (!isCut) this.#newBlobs = new Set();
			isCut = true;
			await this.#fileTurns.run(async () => {
				this.#commit();
				const unnamed = tables.transaction(() => {
					if (to !== oldest) tables.cutState(oldest!.at);
					tables.cutEntries(to.at);
					const unnamed = tables
						.unnamedBlobs(to.at)
						.filter((hash) => !before.has(hash) && !this.#newBlobs.has(hash));
					for (const hash of unnamed) tables.cutBlob(hash);
					return unnamed;
				});
				for (const hash of unnamed) await files.remove(hash);
			});
		}
	}

	state(at = Number.POSITIVE_INFINITY): Promise<{ readonly at: number; readonly bytes: Uint8Array } | null> {
		return this.#inTurn(this.#stateTurns, 'A state could not be read', async () => {
			const { tables, files } = this.#parts;
			const state = tables.states.findLast((state) => state.at <= Math.min(at, this.#end));
			return state === undefined ? null : { at: state.at, bytes: await files.read(state.hash) };
		});
	}

	async keepBlob(hash: string, bytes: Uint8Array): Promise<void> {
		this.#requireWriter();
		if (!isHash(hash) || hashOf('sha256', bytes) !== hash)
			throw new JournalError(
				'failed',
				'A blob is named by its SHA-256 in lowercase hex, and this is not its own.',
			);
		this.#newBlobs.add(hash);
		return this.#inTurn(this.#fileTurns, 'The blob could not be kept', async () => {
			const { tables, files } = this.#parts;
			if (tables.hasBlob(hash)) return;
			await (await files.write([bytes])).place();
			this.#commit();
			tables.putBlob(hash, bytes.length);
		});
	}

	blob(hash: string): Promise<Uint8Array | null> {
		return this.#inTurn(this.#fileTurns, 'A blob could not be read', async () => {
			const { tables, files } = this.#parts;
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
		const { database, lock } = this.#parts;
		if (lock !== undefined) foldLog(database);
		database.close();
		lock?.release();
	}

	/** Reads after all appends that were asked for. */
	#read<T>(doing: string, work: (tables: JournalTables) => T): T {
		this.#requireOpen();
		this.#commit();
		try {
			return work(this.#parts.tables);
		} catch (error) {
			throw this.#faultOf(error, doing);
		}
	}

	#write<T>(doing: string, work: (tables: JournalTables) => T): T {
		this.#requireWriter();
		return this.#read(doing, work);
	}

	#inTurn<T>(turns: Turns, doing: string, work: () => Promise<T>): Promise<T> {
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
		if (this.#parts.lock === undefined)
			throw new JournalError('failed', 'The journal was opened to be read only.');
	}

	#cut(entry: number): JournalError {
		return new JournalError(
			'cut',
			`Entry ${entry} is not kept any more; the oldest that is kept is ${this.#parts.tables.first}.`,
		);
	}

	#faultOf(error: unknown, doing: string): JournalError {
		return asFault(error, this.#parts.folder, doing);
	}
}

async function partsOf(folder: string, lock: OwnerLock | undefined, fsync = false): Promise<Parts> {
	const path = join(folder, JOURNAL_FILE);
	const readOnly = lock === undefined;
	const database = await openDatabase(path, readOnly);
	try {
		database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA synchronous = ${synchronousOf(fsync)}`);
		const tables = new JournalTables(database, path, readOnly);
		if (!readOnly) database.exec('PRAGMA journal_mode = WAL');
		return { folder, path, database, tables, files: new ContentFiles(join(folder, 'blobs')), lock };
	} catch (error) {
		database.close();
		throw error;
	}
}

/** How SQLite writes: with NORMAL, a loss of power costs the last transactions and damages nothing. */
const synchronousOf = (fsync: boolean): string => (fsync ? 'FULL' : 'NORMAL');

/** Leaves one file, which can be copied, and read where nothing may be written. */
function foldLog(database: DatabaseSync): void {
	try {
		database.exec('PRAGMA journal_mode = DELETE');
	} catch {
		// Another process reads it, or the disk is full. The log is part of the journal, and stays.
	}
}

/** Rejects for a folder of an older version: it is left as it is. */
async function refuseOld(folder: string): Promise<void> {
	const names = await readdir(folder);
	if (!names.includes(JOURNAL_FILE) && names.some((name) => OLD_FILE.test(name)))
		throw new JournalError(
			'damaged',
			`The journal in "${folder}" is of Orrery 1.1 or earlier, which this version does not read: start it with that version, save its world with /scene/save, and load the file here.`,
		);
}

const asFault = (error: unknown, folder: string, doing: string): JournalError =>
	databaseFault(error, join(folder, JOURNAL_FILE), doing) ?? faultOf(error, doing);

const closed = (): JournalError => new JournalError('failed', 'The journal is closed.');
