/**
 * Makes sure that one process at a time owns a folder.
 * Owns: a lock of the system on an empty database, which the system releases when the process ends. The file beside it names the
 * process, for messages only.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/transport/journal.ts';
import { isBusy, openDatabase } from './database.ts';

export interface OwnerLock {
	release(): void;
}

/** Takes the lock of an existing folder. Rejects with `locked` if another process, or this one, has it. */
export async function lockFolder(folder: string): Promise<OwnerLock> {
	const database = await openDatabase(join(folder, 'owner.db'));
	const name = join(folder, 'owner.txt');
	try {
		// Nothing is ever written, so nothing is left to recover.
		database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
	} catch (error) {
		database.close();
		throw isBusy(error) ? ownedBy(folder, await readFile(name, 'utf8').catch(() => '')) : error;
	}
	// On a full disk the name is missing, and the lock holds.
	await writeFile(name, String(process.pid), { mode: 0o600 }).catch(() => {});
	return { release: () => database.close() };
}

function ownedBy(folder: string, name: string): JournalError {
	const owner = /^\d+$/.test(name) ? `The process ${name}` : 'Another process';
	return new JournalError(
		'locked',
		`${owner} writes to "${folder}". End it first, or choose another data folder with --data.`,
	);
}
