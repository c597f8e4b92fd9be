/**
 * Tables of a journal: entries, states, blobs and the lease.
 * Owns: their layout and version, and every SQL statement.
 * Never: touches the files of states and blobs.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type JournalEntry, JournalError, type JournalExtent } from '../../shared/transport/journal.ts';

/** "ORRY": distinguishes a journal from another program's database. */
const APPLICATION_ID = 0x4f525259;
const VERSION = 1;

/** Starts a transaction during which no other connection can write. */
const BEGIN = 'BEGIN IMMEDIATE';

/** Layout. `checksum` covers the names of the blobs and the bytes. `last` is the newest entry that names a blob, or -1. */
const LAYOUT = `
	CREATE TABLE lease (id INTEGER PRIMARY KEY CHECK (id = 0), epoch INTEGER NOT NULL, taken INTEGER NOT NULL) STRICT;
	INSERT INTO lease VALUES (0, 0, 0);
	CREATE TABLE entries (at INTEGER PRIMARY KEY, blobs TEXT NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
	CREATE TABLE states (at INTEGER PRIMARY KEY, hash TEXT NOT NULL, blobs TEXT NOT NULL) STRICT;
	CREATE TABLE blobs (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
	PRAGMA application_id = ${APPLICATION_ID};
	PRAGMA user_version = ${VERSION};`;

const SQL = {
	lease: 'SELECT epoch, taken FROM lease',
	acquire: 'UPDATE lease SET epoch = epoch + 1, taken = 1',
	release: 'UPDATE lease SET taken = 0 WHERE epoch = ?',
	// Without entries the journal continues at its newest state, because entries are removed up to a state.
	next: 'SELECT coalesce((SELECT max(at) + 1 FROM entries), (SELECT max(at) FROM states), 0) AS value',
	firstEntry: 'SELECT min(at) AS value FROM entries',
	putEntry: 'INSERT INTO entries VALUES (?, ?, ?, ?)',
	entries: 'SELECT at, blobs, checksum, bytes FROM entries WHERE at >= ? ORDER BY at',
	cutEntries: 'DELETE FROM entries WHERE at < ?',
	putState: 'INSERT OR REPLACE INTO states VALUES (?, ?, ?)',
	states: 'SELECT at, hash, blobs FROM states ORDER BY at',
	cutState: 'DELETE FROM states WHERE at = ?',
	putBlob: 'INSERT OR IGNORE INTO blobs VALUES (?, ?, -1)',
	hasBlob: 'SELECT count(*) AS value FROM blobs WHERE hash = ?',
	nameBlob: 'UPDATE blobs SET last = ? WHERE hash = ?',
	oldBlobs: 'SELECT hash FROM blobs WHERE last < ?',
	cutBlob: 'DELETE FROM blobs WHERE hash = ?',
	blobBytes: 'SELECT sum(size) AS value FROM blobs',
	pages:
		'SELECT (page_count - freelist_count) * page_size AS value FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
} as const;

type StatementName = keyof typeof SQL;

export interface StateRow {
	readonly at: number;
	readonly hash: string;
	readonly blobs: readonly string[];
}

export class JournalTables {
	readonly #database: DatabaseSync;
	readonly #path: string;
	readonly #statements: Readonly<Record<StatementName, StatementSync>>;

	/** Creates the tables if the database is empty and may be written. Throws `damaged` if it is not a journal. */
	constructor(database: DatabaseSync, path: string, readOnly: boolean) {
		this.#database = database;
		this.#path = path;
		const readPragma = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0];
		const isEmpty = database.prepare('SELECT count(*) AS value FROM sqlite_schema').get()!.value === 0;
		if (isEmpty && !readOnly) {
			database.exec('PRAGMA auto_vacuum = INCREMENTAL');
			this.transaction(() => database.exec(LAYOUT));
		}
		if (isEmpty && readOnly) throw new JournalError('failed', `"${path}" is empty.`);
		if (readPragma('application_id') !== APPLICATION_ID)
			throw new JournalError('damaged', `"${path}" is not a journal.`);
		const version = readPragma('user_version');
		if (version !== VERSION)
			throw new JournalError(
				'damaged',
				`"${path}" is a journal of version ${version}, but this Orrery reads version ${VERSION}.`,
			);
		const statements = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
		this.#statements = Object.fromEntries(statements) as Record<StatementName, StatementSync>;
	}

	/** Runs work as one transaction: all of its changes are stored, or none. */
	transaction<T>(work: () => T): T {
		this.#database.exec(BEGIN);
		try {
			const result = work();
			this.#database.exec('COMMIT');
			return result;
		} catch (error) {
			this.rollBack();
			throw error;
		}
	}

	begin(): void {
		this.#database.exec(BEGIN);
	}

	commit(): void {
		this.#database.exec('COMMIT');
	}

	rollBack(): void {
		try {
			this.#database.exec('ROLLBACK');
		} catch {
			// SQLite has already rolled back.
		}
	}

	/** Runs a statement that writes. */
	run(name: StatementName, ...parameters: SQLInputValue[]): void {
		this.#statements[name].run(...parameters);
	}

	/** Returns the number that a statement reads, or `fallback` if it is null. */
	#number(name: StatementName, parameters: readonly SQLInputValue[] = [], fallback = 0): number {
		return (this.#statements[name].get(...parameters)!.value as number | null) ?? fallback;
	}

	get lease(): JournalExtent['lease'] {
		const { epoch, taken } = this.#statements.lease.get()!;
		return { epoch: epoch as number, isTaken: taken === 1 };
	}

	get next(): number {
		return this.#number('next');
	}

	get first(): number {
		return this.#number('firstEntry', [], this.next);
	}

	append(at: number, { bytes, blobs }: JournalEntry): void {
		const names = blobs.join(' ');
		this.run('putEntry', at, names, checksumOf(names, bytes), bytes);
		for (const hash of blobs) this.run('nameBlob', at, hash);
	}

	/** Yields the entries from `from` on. Throws `damaged` if one is missing or was changed. */
	*entries(from: number): Generator<JournalEntry> {
		let next = from;
		for (const row of this.#statements.entries.iterate(from)) {
			const names = row.blobs as string;
			const bytes = row.bytes as Uint8Array;
			if (row.at !== next || row.checksum !== checksumOf(names, bytes))
				throw new JournalError('damaged', `"${this.#path}" is damaged at entry ${next}.`);
			yield { bytes, blobs: namesIn(names) };
			next++;
		}
	}

	/** States by ascending entry number. */
	get states(): StateRow[] {
		return this.#statements.states.all().map(({ at, hash, blobs }) => ({
			at: at as number,
			hash: hash as string,
			blobs: namesIn(blobs as string),
		}));
	}

	putState({ at, hash, blobs }: StateRow): void {
		this.run('putState', at, hash, blobs.join(' '));
	}

	hasBlob(hash: string): boolean {
		return this.#number('hasBlob', [hash]) > 0;
	}

	/** Returns the hashes of blobs that no state and no entry from `first` on names. */
	unnamedBlobs(first: number): string[] {
		const namedHashes = new Set(this.states.flatMap(({ hash, blobs }) => [hash, ...blobs]));
		const unusedHashes = this.#statements.oldBlobs.all(first).map(({ hash }) => hash as string);
		return unusedHashes.filter((hash) => !namedHashes.has(hash));
	}

	/** Returns free pages to the disk. */
	shrink(): void {
		this.#database.exec('PRAGMA incremental_vacuum');
	}

	/** Bytes of all stored data, without free pages. */
	get bytes(): number {
		return this.#number('pages') + this.#number('blobBytes');
	}
}

const checksumOf = (names: string, bytes: Uint8Array): number => crc32(bytes, crc32(names));

const namesIn = (text: string): string[] => (text === '' ? [] : text.split(' '));
