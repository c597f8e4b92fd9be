/**
 * Files that the engine reads and writes by name.
 * Owns: the interface that the relay's data folder, the browser's private storage and tests implement.
 * Never: touches the disk itself.
 */

import { ApiError, tooLargeToSave } from '../../shared/contract/errors.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { shippedSuggestion } from '../../shared/documents/shipped.ts';
import type { FileOutcome } from '../../shared/transport/link.ts';

/**
 * A folder of files. Paths are relative, with `/` between names.
 * Every implementation refuses empty paths, absolute paths, `..`, backslashes and links that lead out of the folder.
 */
export interface Files {
	/** Readable name of the place of the files: a folder's path, or a text such as "this browser's private storage". */
	readonly storage: string;
	/** Returns the bytes of a file. Rejects with a `FileError`. */
	read(path: string): Promise<Uint8Array>;
	/** Creates or replaces a file, and creates missing folders. `agent`: id of the agent that writes. Rejects with a `FileError`. */
	write(path: string, bytes: Uint8Array, agent?: string): Promise<void>;
	/** Returns the sorted paths of at most `MAX_LISTED` files. Without this method, no paths are known. */
	list?(): Promise<readonly string[]>;
	/** Returns the content that a write would replace, for a rollback; null for a new file. Without this method, `read` is used. */
	before?(path: string): Promise<Uint8Array | null>;
}

export type FileReason = Exclude<FileOutcome, 'done'>;

/** Maximum number of paths of a list of files. */
export const MAX_LISTED = 2000;

/** Error of reading or writing a file. */
export class FileError extends Error {
	readonly reason: FileReason;

	constructor(reason: FileReason, message: string) {
		super(message);
		this.name = 'FileError';
		this.reason = reason;
	}
}

const CODES = {
	missing: 'file_missing',
	refused: 'file_refused',
	failed: 'file_failed',
	full: 'out_of_room',
	not_owner: 'not_owner',
	agent_limit: 'agent_limit',
} as const;

const MAKE_ROOM =
	'Replace a file that is no longer needed with a smaller one, or ask the operator to remove files or to raise the limit.';
const OTHER_PATH = 'Write to a path of your own, or ask its owner. An operator may write to all.';

/** Turns the `FileError` of some work into an `ApiError`. `path`: the file to read, for suggestions. */
async function asApiError<T>(work: Promise<T>, path?: string): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (!(error instanceof FileError)) throw error;
		const shipped = error.reason === 'missing' && path !== undefined ? shippedSuggestion(path) : undefined;
		const fixes: Partial<Record<FileReason, string>> = { full: MAKE_ROOM, not_owner: OTHER_PATH };
		const fix = fixes[error.reason] ?? shipped;
		throw new ApiError(CODES[error.reason], error.message, fix === undefined ? {} : { fix });
	}
}

/** Files for callers. */
export interface HostFiles extends Files {
	/** Maximum size of a file in bytes. */
	readonly most: number;
}

class CallerFiles implements HostFiles {
	readonly most: number;
	readonly #files: Files;

	constructor(files: Files, most: number) {
		this.most = most;
		this.#files = files;
	}

	// The place of the files may be known only later, so it is not copied.
	get storage(): string {
		return this.#files.storage;
	}

	async read(path: string): Promise<Uint8Array> {
		const bytes = await asApiError(this.#files.read(path), path);
		if (bytes.length <= this.most) return bytes;
		const message = `"${path}" has ${bytes.length} bytes; the limit is ${this.most}.`;
		throw new ApiError('file_failed', message, { fix: 'Split the file into smaller ones.' });
	}

	async write(path: string, bytes: Uint8Array, agent?: string): Promise<void> {
		if (bytes.length > this.most) throw tooLargeToSave(path, this.most);
		await asApiError(this.#files.write(path, bytes, agent));
	}

	async list(): Promise<readonly string[]> {
		return asApiError(this.#files.list?.() ?? Promise.resolve([]));
	}

	before(path: string): Promise<Uint8Array | null> {
		const { before } = this.#files;
		return before === undefined ? readIfThere(this, path) : asApiError(before.call(this.#files, path));
	}
}

/**
 * Returns the same files for callers. They reject with `file_missing`, `file_refused` or `file_failed`, and with `too_large_to_save` before
 * they write a file that is too large to be read again.
 */
export function withApiErrors(files: Files, most = MAX_DOCUMENT_BYTES): HostFiles {
	return new CallerFiles(files, most);
}

/** Returns the bytes of a file; null if it does not exist. `files` reject with `ApiError`. */
export async function readIfThere(files: Files, path: string): Promise<Uint8Array | null> {
	try {
		return await files.read(path);
	} catch (error) {
		if (error instanceof ApiError && error.code === 'file_missing') return null;
		throw error;
	}
}

/** Returns the content that a write to a file would replace; null for a new file. `files` reject with `ApiError`. */
export function beforeWrite(files: Files, path: string): Promise<Uint8Array | null> {
	return files.before?.(path) ?? readIfThere(files, path);
}
