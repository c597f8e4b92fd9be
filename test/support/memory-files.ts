/** Files in memory for tests. */

import { pathError } from '../../shared/contract/file-path.ts';
import { FileError, type Files } from '../../web/store/files.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns a file storage and direct access to its content. */
export function createMemoryFiles() {
	const bytesByPath = new Map<string, Uint8Array>();
	const files: Files = {
		storage: 'test',
		async read(path) {
			const refusal = pathError(path);
			if (refusal !== undefined) throw new FileError('refused', refusal);
			const bytes = bytesByPath.get(path);
			if (bytes === undefined) throw new FileError('missing', `There is no file "${path}".`);
			return bytes;
		},
		list: async () => [...bytesByPath.keys()].sort(),
		async write(path, bytes) {
			const refusal = pathError(path);
			if (refusal !== undefined) throw new FileError('refused', refusal);
			bytesByPath.set(path, bytes.slice());
		},
	};
	return {
		files,
		bytesByPath,
		writeJson: (path: string, value: unknown) =>
			void bytesByPath.set(path, encoder.encode(JSON.stringify(value))),
		readJson: (path: string) => JSON.parse(decoder.decode(bytesByPath.get(path))),
		readText: (path: string) => decoder.decode(bytesByPath.get(path)),
	};
}
