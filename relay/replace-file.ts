/**
 * Replacing a file whole: any reader finds the old content or all of the new, also after a loss of power.
 * Owns: the draft beside it, of which nothing is left when it fails.
 */

import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { randomToken } from './tokens.ts';

/** New content of a file: in pieces if it is too large for memory. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

const DRAFT = '.part';

/** Returns true if a file of this name is a draft, which only a process that was killed leaves behind. */
export const isDraft = (name: string): boolean => name.startsWith(OWN_FILES) && name.endsWith(DRAFT);

/**
 * Replaces or makes a file in a folder that is there. `mode`: the rights of the new file. Not `synced`, a loss of power may leave
 * anything in it. Rejects with the system's error.
 */
export async function replaceFile(
	path: string,
	content: FileContent,
	mode = 0o666,
	synced = true,
): Promise<void> {
	const place = await draftFile(dirname(path), content, mode, synced);
	await place(basename(path));
}

/**
 * As `replaceFile`, in two steps: all is written, and what is returned gives it its name in the folder. If that fails, nothing is left.
 */
export async function draftFile(
	folder: string,
	content: FileContent,
	mode: number,
	synced = true,
): Promise<(name: string) => Promise<void>> {
	const draft = join(folder, `${OWN_FILES}${randomToken()}${DRAFT}`);
	const orNothing = async (work: () => Promise<void>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			await rm(draft, { force: true });
			throw error;
		}
	};
	// One that is there already is never written into: it could be a link.
	const file = await open(draft, 'wx', mode);
	await orNothing(async () => {
		try {
			await file.writeFile(content);
			// The name passes to the new file only when all of it has reached the disk.
			if (synced) await file.sync();
		} finally {
			await file.close();
		}
	});
	return (name) =>
		orNothing(async () => {
			await rename(draft, join(folder, name));
			if (synced) await syncFolder(folder);
		});
}

/** Sees to it that a changed name outlives a loss of power, where the system has a way to say so. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await open(path, constants.O_RDONLY);
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}
