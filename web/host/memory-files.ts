/** Files in memory, which end with the engine. They are for tests and for hosts without a disk. */

import { FileError, type Files, MAX_LISTED } from '../store/files.ts';

export function memoryFiles(): Files {
	const files = new Map<string, Uint8Array>();
	const checked = (path: string) => {
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
			const bytes = files.get(checked(path));
			if (bytes === undefined) throw new FileError('missing', `There is no file "${path}".`);
			return bytes;
		},
		list: async () => [...files.keys()].sort().slice(0, MAX_LISTED),
		async write(path, bytes) {
			files.set(checked(path), bytes.slice());
		},
	};
}
