/**
 * The tables of a journal: entries, states, blobs and the lease.
 * Owns: their layout and version, and every statement.
 * Never: touches the files that hold states and blobs.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type JournalEntry, JournalError, type JournalExtent } from '../../shared/transport/journal.ts';

/** "ORRY": distinguishes a journal from another program's database. */
const APPLICATION = 0x4f525259;
const VERSION = 1;

/** From here on no other connection writes. */
const BEGIN = 'BEGIN IMMEDIATE';

/** `checksum`: of the names of the blobs and the bytes. `last`: the newest entry that names a blob, -1 for none. */
const LAYOUT = `
	CREATE TABLE lease (id INTEGER PRIMARY KEY CHECK (id = 0), epoch INTEGER NOT NULL, taken INTEGER NOT NULL) STRICT;
	INSERT INTO lease VALUES (0, 0, 0);
	CREATE TABLE entries (at INTEGER PRIMARY KEY, blobs TEXT NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
	CREATE TABLE states (at INTEGER PRIMARY KEY, hash TEXT NOT NULL, blobs TEXT NOT NULL) STRICT;
	CREATE TABLE blobs (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
	PRAGMA application_id = ${APPLICATION};
	PRAGMA user_version = ${VERSION};`;

const SQL = {
	lease: 'SELECT epoch, taken FROM lease',
	acquire: 'UPDATE lease SET epoch = epoch + 1, taken = 1',
	release: 'UPDATE lease SET taken = 0 WHERE epoch = ?',
	// Without entries the journal continues at its newest state, for entries are cut up to a state.
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

	/** Creates the tables in an empty database that may be written. Throws `damaged` for a database of anything else. */
	constructor(database: DatabaseSync, path: string, readOnly: boolean) {
		this.#database = database;
		this.#path = path;
		const read = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0];
		const isEmpty = database.prepare('SELECT count(*) AS value FROM sqlite_schema').get()!.value === 0;
		if (isEmpty && !readOnly) {
			database.exec('PRAGMA auto_vacuum = INCREMENTAL');
			this.transaction(() => database.exec(LAYOUT));
		}
		if (isEmpty && readOnly) throw new JournalError('failed', `"${path}" is empty.`);
		if (read('application_id') !== APPLICATION)
			throw new JournalError('damaged', `"${path}" is not a journal.`);
		const version = read('user_version');
		if (version !== VERSION)
			throw new JournalError(
				'damaged',
				`"${path}" is a journal of version ${version}, but this Orrery reads version ${VERSION}.`,
			);
		const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
		this.#statements = Object.fromEntries(prepared) as Record<StatementName, StatementSync>;
	}

	/** Does work that is written whole or not at all. */
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
			// SQLite has done it by itself.
		}
	}

	/** Runs a statement that writes. */
	run(name: StatementName, ...given: SQLInputValue[]): void {
		this.#statements[name].run(...given);
	}

	/** Runs a statement that reads one value; null is read as `otherwise`. */
	#number(name: StatementName, given: readonly SQLInputValue[] = [], otherwise = 0): number {
		return (this.#statements[name].get(...given)!.value as number | null) ?? otherwise;
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

	/** Entries from `from` on. Throws `damaged` for one that is not what was written, or missing. */
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

	/** Ascending. */
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

	/** Blobs that no entry from `first` on and no state names. */
	unnamedBlobs(first: number): string[] {
		const named = new Set(this.states.flatMap(({ hash, blobs }) => [hash, ...blobs]));
		const old = this.#statements.oldBlobs.all(first).map(({ hash }) => hash as string);
		return old.filter((hash) => !named.has(hash));
	}

	/** Gives room that is free back to the disk. */
	shrink(): void {
		this.#database.exec('PRAGMA incremental_vacuum');
	}

	/** Bytes of all that is stored, without pages that are free. */
	get bytes(): number {
		return this.#number('pages') + this.#number('blobBytes');
	}
}

const checksumOf = (names: string, bytes: Uint8Array): number => crc32(bytes, crc32(names));

const namesIn = (text: string): string[] => (text === '' ? [] : text.split(' '));
