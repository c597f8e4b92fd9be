/**
 * The folder of a journal: `journal.db`, `blobs`, and the lock of its owner.
 * Owns: opening and closing it, refusing folders of older versions, and what its errors mean.
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
/** Milliseconds in which a reader may release a lock of SQLite. */
const BUSY_MS = 200;
/** Pages of SQLite's log (16 MiB) that are copied to the database together: a page that changed often is copied once. */
const CHECKPOINT_PAGES = 4000;

/** Returns true if a file is part of a journal. SQLite's log contains what is not in the database yet. */
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

/** Opens a folder to write to it, and makes it if it is missing (the folder around it exists). */
export async function openFolder(path: string, fsync: boolean): Promise<JournalFolder> {
	try {
		await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
			if (codeOf(error) !== 'EEXIST') throw error;
		});
		if (!(await lstat(path)).isDirectory()) throw new JournalError('failed', `"${path}" is not a folder.`);
		await refuseOld(path);
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

/** Opens a folder to read it, whatever process writes to it. */
export async function readFolder(path: string): Promise<JournalFolder> {
	try {
		await refuseOld(path);
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
			if (!isReadOnly) foldLog(database);
			database.close();
			lock?.release();
		};
		return { path, isReadOnly, database, tables, files, close };
	} catch (error) {
		database.close();
		throw error;
	}
}

/** True: committed transactions survive a loss of power. Otherwise the last ones may be lost, and nothing is damaged. */
export function setDurable(database: DatabaseSync, isDurable: boolean): void {
	database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
}

/** Leaves one file, which can be copied, and read where nothing may be written. */
function foldLog(database: DatabaseSync): void {
	try {
		database.exec('PRAGMA journal_mode = DELETE');
	} catch {
		// Another process reads it, or the disk is full. The log is part of the journal, and stays.
	}
}

/** Rejects for a folder of an older version: it is left as it is. */
async function refuseOld(path: string): Promise<void> {
	const names = await readdir(path);
	if (!names.includes(DATABASE) && names.some((name) => OLD_FILE.test(name)))
		throw new JournalError(
			'damaged',
			`The journal in "${path}" was written by Orrery 1.1 or earlier, which this version cannot read. Start that version, save the world with /scene/save and GET /scenario, and load one of the files here, as the guide describes in "Upgrade".`,
		);
}

/**
 * Returns an error of the system or of SQLite as a fault of the journal. `doing` such as "The lease could not be
 * written".
 */
export const folderFault = (error: unknown, path: string, doing: string): JournalError =>
	databaseFault(error, join(path, DATABASE), doing) ?? faultOf(error, doing);
