/**
 * Ensures that only one process owns a folder.
 * Owns: a lock of the system on an empty database. The system releases it when the process ends. A file beside it names
 * the process, for messages only.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/transport/journal.ts';
import { isBusy, openDatabase } from './database.ts';

export interface OwnerLock {
	release(): void;
}

/** Locks an existing folder. Rejects with `locked` if any process, also this one, has the lock. */
export async function lockFolder(folder: string): Promise<OwnerLock> {
	const database = await openDatabase(join(folder, 'owner.db'));
	const name = join(folder, 'owner.txt');
	try {
		// Nothing is ever written, so there is nothing to recover.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
	} catch (error) {
		database.close();
		throw isBusy(error) ? lockedError(folder, await readFile(name, 'utf8').catch(() => '')) : error;
	}
	// On a full disk the name is missing, but the lock is valid.
	await writeFile(name, String(process.pid), { mode: 0o600 }).catch(() => {});
	return { release: () => database.close() };
}

function lockedError(folder: string, name: string): JournalError {
	const owner = /^\d+$/.test(name) ? `The process ${name}` : 'Another process';
	return new JournalError(
		'locked',
		`${owner} writes to "${folder}". End it first, or choose another data folder with --data.`,
	);
}
