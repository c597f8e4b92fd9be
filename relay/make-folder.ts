/**
 * Folders on the way to a file.
 * Owns: that the system's own word is heard where one cannot be made: Node's own way says ENOENT of a file system that is read only,
 * and never ends in others.
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
