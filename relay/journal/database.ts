/**
 * SQLite databases of a world's folder, through Node's own `node:sqlite`.
 * Owns: opening them, their rights, and what SQLite's errors mean. Never: follows a link.
 */

import { lstat, open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../../shared/transport/journal.ts';
import { codeOf } from '../system-code.ts';

/** Primary codes of SQLite's errors. */
const [BUSY, CORRUPT, FULL, NOT_A_DATABASE] = [5, 11, 13, 26] as const;
/** The shared memory of the log has no room on the disk. */
const NO_ROOM_FOR_SHARED_MEMORY = 4874;

/** Opens a database; creates it for this user alone if it is missing and may be written. */
export async function openDatabase(path: string, readOnly = false): Promise<DatabaseSync> {
	// The file is looked at by its name: to open and close it again would drop the locks that this process has on it.
	const stats = await lstat(path).catch((error: unknown) => {
		if (readOnly || codeOf(error) !== 'ENOENT') throw error;
	});
	if (stats === undefined) await (await open(path, 'wx', 0o600)).close();
	else if (!stats.isFile()) throw new JournalError('damaged', `"${path}" is not a regular file.`);
	return new (sqlite().DatabaseSync)(path, { readOnly });
}

/** Loads the module. Before Node 24.15 it prints a warning, which is left out. */
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

/** Returns an error of SQLite as a fault of the journal; undefined for any other error. `path`: the database. */
export function databaseFault(error: unknown, path: string, doing: string): JournalError | undefined {
	const code = errcodeOf(error);
	if (code === 0) return undefined;
	const primary = code & 0xff;
	if (primary === FULL || code === NO_ROOM_FOR_SHARED_MEMORY)
		return new JournalError('full', `${doing}: the disk is full.`);
	const { message } = error as Error;
	if (primary === BUSY) return new JournalError('locked', `${doing}: another process uses "${path}".`);
	if (primary === CORRUPT || primary === NOT_A_DATABASE)
		return new JournalError('damaged', `"${path}" is damaged: ${message}.`);
	return new JournalError('failed', `${doing}: "${path}": ${message}.`);
}

/** SQLite's extended code; 0 for another error. */
function errcodeOf(error: unknown): number {
	return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode
		: 0;
}
