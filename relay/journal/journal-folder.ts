/**
 * Folder of a journal: `journal.db`, `blobs`, and the lock of its owner.
 * Owns: opening and closing it, the refusal of folders of older versions, and the meaning of its errors.
 */

import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../../shared/transport/journal.ts';
import { codeOf } from '../system-code.ts';
import { ContentFiles } from './content-files.ts';
import { databaseFault, openDatabase } from './database.ts';
import { JournalTables } from './journal-tables.ts';
import { lockFolder, type OwnerLock } from './owner-lock.ts';
import { faultOf } from './system-fault.ts';

const DATABASE = 'journal.db';
/** Files of versions up to 1.1, which had no database. */
const OLD_FILE = /^(entries|state)-\d+\.journal$/;
/** Milliseconds for which SQLite waits until a reader releases its lock. */
const BUSY_MS = 200;
/**
 * Number of pages (16 MiB) that SQLite's log may have before they are copied to the database. A page that changed
 * several times in between is copied once.
 */
const CHECKPOINT_PAGES = 4000;

/** Returns true if a file contains journal data. SQLite's log has the newest data. */
export const isJournalFile = (name: string): boolean =>
	name === DATABASE || name === `${DATABASE}-wal` || OLD_FILE.test(name);

export interface JournalFolder {
	readonly path: string;
	readonly isReadOnly: boolean;
	readonly database: DatabaseSync;
	readonly tables: JournalTables;
	readonly files: ContentFiles;
	close(): void;
}

/** Opens a folder for writing. Creates it if it is missing; its parent must exist. */
export async function openFolder(path: string, fsync: boolean): Promise<JournalFolder> {
	try {
		await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
			if (codeOf(error) !== 'EEXIST') throw error;
		});
		if (!(await lstat(path)).isDirectory()) throw new JournalError('failed', `"${path}" is not a folder.`);
		await refuseOldFolder(path);
		const lock = await lockFolder(path);
		try {
			return await openParts(path, fsync, lock);
		} catch (error) {
			lock.release();
			throw error;
		}
	} catch (error) {
		throw folderFault(error, path, `The journal in "${path}" could not be opened`);
	}
}

/** Opens a folder for reading. Another process may write to it. */
export async function readFolder(path: string): Promise<JournalFolder> {
	try {
		await refuseOldFolder(path);
		return await openParts(path, false);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') throw new JournalError('failed', `There is no journal in "${path}".`);
		throw folderFault(error, path, `The journal in "${path}" could not be read`);
	}
}

async function openParts(path: string, fsync: boolean, lock?: OwnerLock): Promise<JournalFolder> {
	const isReadOnly = lock === undefined;
	const file = join(path, DATABASE);
	const database = await openDatabase(file, isReadOnly);
	try {
		database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
		const tables = new JournalTables(database, file, isReadOnly);
		const files = new ContentFiles(join(path, 'blobs'));
		if (!isReadOnly) {
			database.exec('PRAGMA journal_mode = WAL');
			setDurable(database, fsync);
			await files.prepare((hash) => tables.hasBlob(hash));
		}
		const close = (): void => {
			if (!isReadOnly) mergeLog(database);
			database.close();
			lock?.release();
		};
		return { path, isReadOnly, database, tables, files, close };
	} catch (error) {
		database.close();
		throw error;
	}
}

/** Sets whether committed transactions survive a power loss. If not, it may lose the last ones, but damages nothing. */
export function setDurable(database: DatabaseSync, isDurable: boolean): void {
	database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
}

/** Merges the log into the database. The single file can be copied, and read in a folder without write permission. */
function mergeLog(database: DatabaseSync): void {
	try {
		database.exec('PRAGMA journal_mode = DELETE');
	} catch {
		// Another process reads the database, or the disk is full. The log stays as a part of the journal.
	}
}

/** Rejects if the folder was written by an older version. Such a folder is not changed. */
async function refuseOldFolder(path: string): Promise<void> {
	const names = await readdir(path);
	if (!names.includes(DATABASE) && names.some((name) => OLD_FILE.test(name)))
		throw new JournalError(
			'damaged',
			`The journal in "${path}" was written by Orrery 1.1 or earlier, which this version cannot read. Start that version, save the world with /scene/save and GET /scenario, and load one of the files here, as the guide describes in "Upgrade".`,
		);
}

/**
 * Returns the journal error for an error of the system or of SQLite. `failure`: start of the text, such as "The lease
 * could not be written".
 */
export const folderFault = (error: unknown, path: string, failure: string): JournalError =>
	databaseFault(error, join(path, DATABASE), failure) ?? faultOf(error, failure);
