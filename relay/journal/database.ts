/**
 * SQLite databases of a world's folder, through Node's own `node:sqlite`.
 * Owns: opening them, their permissions, and the meaning of SQLite's errors. Never: follows a link.
 */

import { lstat, open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../../shared/transport/journal.ts';
import { codeOf } from '../system-code.ts';

/** Primary codes of SQLite's errors. */
const [BUSY, CORRUPT, FULL, NOT_A_DATABASE] = [5, 11, 13, 26] as const;
/** Extended code for a disk that has no room for the shared memory of the log. */
const NO_ROOM_FOR_SHARED_MEMORY = 4874;

/** Opens a database. Creates it, readable only by this user, if it is missing and not `readOnly`. */
export async function openDatabase(path: string, readOnly = false): Promise<DatabaseSync> {
	// `lstat` does not open the file. Opening and closing it would drop the locks that this process has on it.
	const stats = await lstat(path).catch((error: unknown) => {
		if (readOnly || codeOf(error) !== 'ENOENT') throw error;
	});
	if (stats === undefined) await (await open(path, 'wx', 0o600)).close();
	else if (!stats.isFile()) throw new JournalError('damaged', `"${path}" is not a regular file.`);
	return new (sqlite().DatabaseSync)(path, { readOnly });
}

/** Loads the module of SQLite. Suppresses the warning that Node prints before version 24.15. */
function sqlite(): typeof import('node:sqlite') {
	const { emitWarning } = process;
	process.emitWarning = () => {};
	try {
		const module = process.getBuiltinModule('node:sqlite');
		if (module === undefined)
			throw new JournalError('failed', `A journal needs Node 22.13 or later; this is ${process.version}.`);
		return module;
	} finally {
		process.emitWarning = emitWarning;
	}
}

/** Returns true if another connection has the lock. */
export const isBusy = (error: unknown): boolean => (errcodeOf(error) & 0xff) === BUSY;

/**
 * Returns the journal error for an error of SQLite; undefined for any other error. `path`: the database. `failure`:
 * start of the text, such as "Entries could not be read".
 */
export function databaseFault(error: unknown, path: string, failure: string): JournalError | undefined {
	const code = errcodeOf(error);
	if (code === 0) return undefined;
	const primaryCode = code & 0xff;
	if (primaryCode === FULL || code === NO_ROOM_FOR_SHARED_MEMORY)
		return new JournalError('full', `${failure}: the disk is full.`);
	const { message } = error as Error;
	if (primaryCode === BUSY) return new JournalError('locked', `${failure}: another process uses "${path}".`);
	if (primaryCode === CORRUPT || primaryCode === NOT_A_DATABASE)
		return new JournalError('damaged', `"${path}" is damaged: ${message}.`);
	return new JournalError('failed', `${failure}: "${path}": ${message}.`);
}

/** Returns SQLite's extended code; 0 for another error. */
function errcodeOf(error: unknown): number {
	return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode
		: 0;
}
