/**
 * Replacing a file whole: whoever reads it finds what was there before or all of the new, also after a loss of power.
 * Owns: the draft beside it, of which nothing is left when it fails.
 */

import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { randomToken } from './tokens.ts';

/** What a file is to hold: in pieces, where it is more than is wanted in memory at once. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

const DRAFT = '.part';

/** Whether a file of this name is a draft, which only a process that was killed leaves behind. */
export const isDraft = (name: string): boolean => name.startsWith(OWN_FILES) && name.endsWith(DRAFT);

/** A name for the draft of a file that only one process at a time writes to. */
export const draftOf = (path: string): string => join(dirname(path), `${OWN_FILES}${basename(path)}${DRAFT}`);

/**
 * Replaces or makes a file in a folder that is there. `mode`: the rights of the new file. Not `synced`, a loss of power may leave
 * anything in it. Rejects with the system's error.
 */
export async function replaceFile(
	path: string,
	content: Content,
	mode = 0o666,
	synced = true,
): Promise<void> {
	const place = await draftFile(path, content, mode, synced);
	await (await place()).close();
}

/**
 * As `replaceFile`, in two steps: all is written, and what is returned, which must be called, gives it the name. The new file stays
 * open to be read, whatever has its name later.
 */
export async function draftFile(
	path: string,
	content: Content,
	mode: number,
	synced = true,
): Promise<() => Promise<FileHandle>> {
	const folder = dirname(path);
	const draft = join(folder, `${OWN_FILES}${randomToken()}${DRAFT}`);
	// One that is there already is never written into: it could be a link.
	const file = await open(draft, 'wx+', mode);
	const orNothing = async (work: () => Promise<void>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			await file.close().finally(() => rm(draft, { force: true }));
			throw error;
		}
	};
	await orNothing(async () => {
		await file.writeFile(content);
		// The name passes to the new file only when all of it has reached the disk.
		if (synced) await file.sync();
	});
	return async () => {
		await orNothing(async () => {
			await rename(draft, path);
			if (synced) await syncFolder(folder);
		});
		return file;
	};
}

/** Sees to it that a changed name outlives a loss of power, where the system has a way to say so. */
export async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await open(path, constants.O_RDONLY);
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}
