/**
 * Opens the journal at a path of the command line, for reading.
 * Owns: the kinds of path: a file with a piece, the folder of a journal, or a data folder, which means its current world.
 * Never: locks or changes anything. A running server may write to the journal meanwhile.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Journal, JournalError } from '../../shared/transport/journal.ts';
import { MemoryJournal } from '../../shared/transport/memory-journal.ts';
import { readPiece } from '../../web/host/journal/piece.ts';
import { DatabaseJournal } from '../journal/database-journal.ts';
import { isJournalFile } from '../journal/journal-folder.ts';
import { WorldFolders } from '../journal/world-folders.ts';
import { codeOf } from '../system-code.ts';

/** Opens the journal at a path. Rejects with a `JournalError`. */
export async function openJournalAt(path: string): Promise<Journal> {
	const stats = await stat(path).catch((error: unknown) => {
		if (codeOf(error) === 'ENOENT') throw new JournalError('failed', `There is no file or folder "${path}".`);
		throw error;
	});
	if (stats.isFile()) return new MemoryJournal(await readPiece(new Uint8Array(await readFile(path))));
	return DatabaseJournal.openReadOnly(await folderAt(path));
}

async function folderAt(path: string): Promise<string> {
	if ((await readdir(path)).some(isJournalFile)) return path;
	const folders = new WorldFolders(path);
	const current = (await folders.list()).find((world) => world.current);
	if (current !== undefined) return join(folders.folder, current.id);
	throw new JournalError(
		'failed',
		`"${path}" contains no world. Name a file from "orrery record", a data folder, or a folder in its .orrery-worlds.`,
	);
}
