/** A folder of files in memory that a test can look into. */

import { pathError } from '../../shared/contract/file-path.ts';
import { FileError, type Files } from '../../web/store/files.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Files in memory that a test can look into. */
export function testFiles() {
	const kept = new Map<string, Uint8Array>();
	const files: Files = {
		storage: 'test',
		async read(path) {
			const refusal = pathError(path);
			if (refusal !== undefined) throw new FileError('refused', refusal);
			const bytes = kept.get(path);
			if (bytes === undefined) throw new FileError('missing', `There is no file "${path}".`);
			return bytes;
		},
		list: async () => [...kept.keys()].sort(),
		async write(path, bytes) {
			const refusal = pathError(path);
			if (refusal !== undefined) throw new FileError('refused', refusal);
			kept.set(path, bytes.slice());
		},
	};
	return {
		files,
		kept,
		put: (path: string, value: unknown) => void kept.set(path, encoder.encode(JSON.stringify(value))),
		json: (path: string) => JSON.parse(decoder.decode(kept.get(path))),
		text: (path: string) => decoder.decode(kept.get(path)),
	};
}
