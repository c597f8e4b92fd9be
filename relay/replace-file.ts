/**
 * Replacement of a whole file: a reader finds the old content or all of the new, even after a power loss.
 * Owns: the draft in the same folder, which is removed after a failure.
 */

import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OWN_FILES } from '../shared/contract/file-path.ts';
import { randomToken } from './tokens.ts';

/** New content of a file. It comes in pieces if it is too large for memory. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

const DRAFT_SUFFIX = '.part';

/** Returns true if a file of this name is a draft. Only a killed process leaves a draft behind. */
export const isDraft = (name: string): boolean => name.startsWith(OWN_FILES) && name.endsWith(DRAFT_SUFFIX);

/**
 * Replaces or creates a file in an existing folder. `mode`: permissions of the new file. Without `shouldSync`, the file
 * may have any content after a power loss. Rejects with the system's error.
 */
export async function replaceFile(
	path: string,
	content: FileContent,
	mode = 0o666,
	shouldSync = true,
): Promise<void> {
	const giveName = await draftFile(dirname(path), content, mode, shouldSync);
	await giveName(basename(path));
}

/**
 * First step of `replaceFile`: writes the content into a draft. Returns a function that gives the draft its name in the
 * folder. If a step fails, the draft is removed.
 */
export async function draftFile(
	folder: string,
	content: FileContent,
	mode: number,
	shouldSync = true,
): Promise<(name: string) => Promise<void>> {
	const draft = join(folder, `${OWN_FILES}${randomToken()}${DRAFT_SUFFIX}`);
	const removeOnError = async (work: () => Promise<void>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			await rm(draft, { force: true });
			throw error;
		}
	};
	// `wx` never writes into an existing file, which could be a link.
	const file = await open(draft, 'wx', mode);
	await removeOnError(async () => {
		try {
			await file.writeFile(content);
			// The draft gets the name only after its content has reached the disk.
			if (shouldSync) await file.sync();
		} finally {
			await file.close();
		}
	});
	return (name) =>
		removeOnError(async () => {
			await rename(draft, join(folder, name));
			if (shouldSync) await syncFolder(folder);
		});
}

/** Writes the names of a folder to the disk, so that a renamed file survives a power loss. Windows has no call for that. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === 'win32') return;
	const folder = await open(path, constants.O_RDONLY);
	try {
		await folder.sync();
	} finally {
		await folder.close();
	}
}
