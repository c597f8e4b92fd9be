/**
 * Owners of files in the data folder, in a separate database.
 * Owns: the first writer of each file, for all spellings of its path. Never: touches the files.
 */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { OWN_FILES } from '../../shared/contract/file-path.ts';
import { openDatabase } from '../journal/database.ts';
import { makeFolder } from '../make-folder.ts';

/** "OWNR": distinguishes it from another program's database. */
const APPLICATION_ID = 0x4f574e52;

const LAYOUT = `
	CREATE TABLE IF NOT EXISTS owners (path TEXT PRIMARY KEY, agent TEXT NOT NULL) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS by_agent ON owners (agent);
	PRAGMA application_id = ${APPLICATION_ID};`;

/** Milliseconds that a write waits for another server of the same folder. */
const MAX_BUSY_MS = 5000;

export class FileOwners {
	readonly path: string;
	readonly #folder: string;
	#database: Promise<DatabaseSync> | undefined;

	constructor(folder: string) {
		this.#folder = folder;
		this.path = join(folder, `${OWN_FILES}owners.db`);
	}

	/** Returns the agent that owns a file; undefined for none. Rejects with the system's or SQLite's error. */
	async ownerOf(path: string): Promise<string | undefined> {
		const row = (await this.#open()).prepare('SELECT agent FROM owners WHERE path = ?').get(keyOf(path));
		return row?.agent as string | undefined;
	}

	/** Returns the number of files that an agent owns. Rejects as `ownerOf` does. */
	async count(agent: string): Promise<number> {
		const row = (await this.#open())
			.prepare('SELECT count(*) AS files FROM owners WHERE agent = ?')
			.get(agent);
		return row!.files as number;
	}

	/** Makes an agent the owner of a file that has none. Rejects as `ownerOf` does. */
	async add(path: string, agent: string): Promise<void> {
		(await this.#open()).prepare('INSERT OR IGNORE INTO owners VALUES (?, ?)').run(keyOf(path), agent);
	}

	/** Rejects with an error for the operator if the database cannot be used. */
	async check(): Promise<void> {
		try {
			await this.#open();
		} catch (error) {
			const { message } = error as Error;
			const hint = 'Move it away; the server then creates a new one, and all files belong to the operators.';
			throw new Error(`"${this.path}" cannot be used: ${message} ${hint}`, { cause: error });
		}
	}

	async close(): Promise<void> {
		// If it could not be opened, the call that tried has reported it.
		const database = await this.#database?.catch(() => undefined);
		this.#database = undefined;
		database?.close();
	}

	#open(): Promise<DatabaseSync> {
		this.#database ??= this.#load().catch((error: unknown) => {
			// The next call tries again, because the operator may have repaired the file.
			this.#database = undefined;
			throw error;
		});
		return this.#database;
	}

	async #load(): Promise<DatabaseSync> {
		await makeFolder(this.#folder);
		const database = await openDatabase(this.path);
		try {
			database.exec(`PRAGMA busy_timeout = ${MAX_BUSY_MS}`);
			const tables = database.prepare('SELECT count(*) AS value FROM sqlite_schema').get()!.value;
			const { application_id } = database.prepare('PRAGMA application_id').get()!;
			if (tables !== 0 && application_id !== APPLICATION_ID) throw new Error('It is not a list of owners.');
			database.exec(LAYOUT);
			return database;
		} catch (error) {
			database.close();
			throw error;
		}
	}
}

/** Returns the stored form of a path. Disks differ in which spellings name the same file, so it has no case. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();
