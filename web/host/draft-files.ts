/**
 * Files as a draft sees them: what it writes stays in memory until it is kept.
 * Owns: that memory.
 */

import { pathFault } from '../../shared/contract/file-path.ts';
import { FileError, type Files } from './files.ts';

export interface DraftFiles {
	readonly files: Files;
	/** Writes everything for good. Rejects with `file_refused` or `file_failed`. */
	keep(): Promise<void>;
}

export function draftFiles(base: Files): DraftFiles {
	const written = new Map<string, Uint8Array>();
	return {
		files: {
			place: base.place,
			async read(path) {
				return written.get(path) ?? base.read(path);
			},
			async write(path, bytes) {
				const fault = pathFault(path);
				if (fault !== undefined) throw new FileError('refused', fault);
				written.set(path, bytes.slice());
			},
		},
		async keep() {
			for (const [path, bytes] of written) await base.write(path, bytes);
		},
	};
}
