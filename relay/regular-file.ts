/**
 * Opening a file to read it, if another process may have replaced it.
 * Owns: the refusal of pipes, devices and folders, without waiting.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a pipe without a writer would hold one of the few threads that read files for ever. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The path is not that of a readable file. */
export class NotRegular extends Error {}

/**
 * Returns the file and its size in bytes. Rejects with `NotRegular`, or with the system's error. `links`: whether the
 * last name may be one.
 */
export async function openRegular(
	path: string,
	links: 'followed' | 'refused',
): Promise<{ readonly file: FileHandle; readonly size: number }> {
	const file = await open(path, links === 'refused' ? READ | (constants.O_NOFOLLOW ?? 0) : READ);
	try {
		const at = await file.stat();
		if (at.isFile()) return { file, size: at.size };
		throw new NotRegular(`"${path}" is not a regular file.`);
	} catch (error) {
		await file.close();
		throw error;
	}
}
