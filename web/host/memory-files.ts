/** Files in memory, which end with the engine. They are the default without a disk, as in tests. */

import { FileError, type Files, MAX_LISTED } from '../store/files.ts';

/** Creates an empty folder of files. */
export function memoryFiles(): Files {
	const files = new Map<string, Uint8Array>();
	const checkPath = (path: string) => {
		const parts = path.split('/');
		if (
			path === '' ||
			path.includes('\\') ||
			parts.some((part) => part === '' || part === '.' || part === '..')
		)
			throw new FileError('refused', `"${path}" is not a relative path below the data folder.`);
		return path;
	};
	return {
		storage: 'memory',
		async read(path) {
			const bytes = files.get(checkPath(path));
			if (bytes === undefined) throw new FileError('missing', `There is no file "${path}".`);
			return bytes;
		},
		list: async () => [...files.keys()].sort().slice(0, MAX_LISTED),
		async write(path, bytes) {
			files.set(checkPath(path), bytes.slice());
		},
	};
}
