/**
 * Folders on the way to a file.
 * Owns: the system's own error if a folder cannot be made. Node reports ENOENT for a read-only file system, and never
 * ends in other cases.
 */

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder, and those that it lies in, where they are not there. Rejects with the system's error. */
export async function makeFolder(path: string): Promise<void> {
	if (await isFolder(path)) return;
	const parent = dirname(path);
	if (parent !== path) await makeFolder(parent);
	try {
		await mkdir(path);
	} catch (error) {
		// Another process may have made it meanwhile.
		if (!(await isFolder(path))) throw error;
	}
}

const isFolder = (path: string): Promise<boolean> =>
	stat(path).then(
		(at) => at.isDirectory(),
		() => false,
	);
