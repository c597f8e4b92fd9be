/**
 * Where the engine reads and writes named files.
 * Owns: the interface that the relay's data folder, the browser's private storage and tests implement.
 * Never: touches the disk itself.
 */

import { Fault } from '../../shared/contract/errors.ts';

/**
 * A folder of files. Paths are relative, with `/` between names.
 * Every implementation refuses empty paths, absolute paths, `..`, backslashes and links that lead out of the folder.
 */
export interface Files {
	/** Where the files live, for people: a folder's path, or words such as "this browser's private storage". */
	readonly place: string;
	/** The bytes of a file. Rejects with a `FileError`. */
	read(path: string): Promise<Uint8Array>;
	/** Creates or replaces a file, making folders on the way. Rejects with a `FileError`. */
	write(path: string, bytes: Uint8Array): Promise<void>;
}

/** Why a file could not be read or written. */
export class FileError extends Error {
	readonly reason: 'missing' | 'refused' | 'failed';

	constructor(reason: 'missing' | 'refused' | 'failed', message: string) {
		super(message);
		this.name = 'FileError';
		this.reason = reason;
	}
}

const CODES = { missing: 'file_missing', refused: 'file_refused', failed: 'file_failed' } as const;

async function asFault<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof FileError) throw new Fault(CODES[error.reason], error.message);
		throw error;
	}
}

/** The same files for callers: they reject with `file_missing`, `file_refused` or `file_failed`. */
export function withFaults(files: Files): Files {
	return {
		place: files.place,
		read: (path) => asFault(files.read(path)),
		write: (path, bytes) => asFault(files.write(path, bytes)),
	};
}
