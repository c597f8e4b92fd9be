/**
 * Ensures that only one process owns a folder.
 * Owns: a lock of the system on an empty database. The system releases it when the process ends. Another file names the
 * process, only for error messages.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/transport/journal.ts';
import { isBusy, openDatabase } from './database.ts';

export interface OwnerLock {
	release(): void;
}

/** Locks an existing folder. Rejects with `locked` if any process, even this one, has the lock. */
export async function lockFolder(folder: string): Promise<OwnerLock> {
	const database = await openDatabase(join(folder, 'owner.db'));
	const processIdFile = join(folder, 'owner.txt');
	try {
		// Nothing is ever written to it, so there is nothing to recover.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
	} catch (error) {
		database.close();
		throw isBusy(error) ? lockedError(folder, await readFile(processIdFile, 'utf8').catch(() => '')) : error;
	}
	// On a full disk the name is missing, but the lock is valid.
	await writeFile(processIdFile, String(process.pid), { mode: 0o600 }).catch(() => {});
	return { release: () => database.close() };
}

function lockedError(folder: string, processId: string): JournalError {
	const owner = /^\d+$/.test(processId) ? `The process ${processId}` : 'Another process';
	return new JournalError(
		'locked',
		`${owner} writes to "${folder}". End it first, or choose another data folder with --data.`,
	);
}
