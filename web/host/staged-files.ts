/**
 * Files as a transaction sees them: what it writes stays in memory until it is committed.
 * Owns: that memory.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { pathError } from '../../shared/contract/file-path.ts';
import { FileError, type Files, type HostFiles, readIfThere } from './files.ts';

export interface StagedFiles {
	readonly files: Files;
	/** What was written, in the order of the first time. */
	paths(): readonly string[];
	/** Writes everything for good. Rejects with `file_refused` or `file_failed`; files that were there are then as before. */
	commit(): Promise<void>;
}

export function stagedFiles(base: HostFiles): StagedFiles {
	const written = new Map<string, Uint8Array>();
	return {
		files: {
			get storage() {
				return base.storage;
			},
			async read(path) {
				return written.get(path) ?? base.read(path);
			},
			async write(path, bytes) {
				const refusal = pathError(path);
				if (refusal !== undefined) throw new FileError('refused', refusal);
				written.set(path, bytes.slice());
			},
		},
		paths: () => [...written.keys()],
		async commit() {
			const before = new Map<string, Uint8Array | null>();
			for (const path of written.keys()) before.set(path, await readIfThere(base, path));
			const done: string[] = [];
			try {
				for (const [path, bytes] of written) {
					await base.write(path, bytes);
					done.push(path);
				}
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				const added = done.filter((path) => before.get(path) === null);
				for (const path of done) {
					const bytes = before.get(path);
					if (bytes != null) await base.write(path, bytes);
				}
				if (added.length === 0) throw error;
				// Files cannot be removed, so the caller has to be told of those that are new.
				throw new ApiError(error.code, `${error.message} New files that remain: ${added.join(', ')}.`, {
					fix: error.fix,
				});
			}
		},
	};
}
