/**
 * Folders on the path of a file.
 * Owns: the system's own error if a folder cannot be created. The recursive `mkdir` of Node reports ENOENT for a
 * read-only file system, and never ends in other cases.
 */

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a folder and its parents if they are missing. Rejects with the system's error. */
export async function makeFolder(path: string): Promise<void> {
	if (await isFolder(path)) return;
	const parent = dirname(path);
	if (parent !== path) await makeFolder(parent);
	try {
		await mkdir(path);
	} catch (error) {
		// Another process may have created it meanwhile.
		if (!(await isFolder(path))) throw error;
	}
}

const isFolder = (path: string): Promise<boolean> =>
	stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
