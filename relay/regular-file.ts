/**
 * Regular files, opened for reading.
 * Owns: the refusal of pipes, devices and folders, which another process may have put there. It never waits for them.
 */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Without O_NONBLOCK, opening a pipe without a writer would block one of Node's few file threads for ever. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reports that a path is not a regular file. */
export class NotRegularError extends Error {}

/**
 * Opens a file. Returns it and its size in bytes. `links`: the treatment of a link as the last name of the path.
 * Rejects with `NotRegularError`, or with the system's error.
 */
export async function openRegular(
	path: string,
	links: 'followed' | 'refused',
): Promise<{ readonly file: FileHandle; readonly size: number }> {
	const file = await open(path, links === 'refused' ? READ_FLAGS | (constants.O_NOFOLLOW ?? 0) : READ_FLAGS);
	try {
		const stats = await file.stat();
		if (stats.isFile()) return { file, size: stats.size };
		throw new NotRegularError(`"${path}" is not a regular file.`);
	} catch (error) {
		await file.close();
		throw error;
	}
}
