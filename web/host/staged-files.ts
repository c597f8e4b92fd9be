/**
 * Files as a transaction sees them. Written files stay in memory until the commit.
 * Owns: the written files until the commit, and the limit of their bytes.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { pathError } from '../../shared/contract/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { beforeWrite, FileError, type Files, type HostFiles } from '../store/files.ts';

/** Maximum number of bytes of all files of one transaction. */
const MAX_STAGED_BYTES = 4 * MAX_DOCUMENT_BYTES;

function tooManyBytes(verb: 'writes' | 'replaces', path: string, bytes: number, maxBytes: number): ApiError {
	return new ApiError(
		'out_of_room',
		`With "${path}", the files that this call ${verb} would have ${bytes} bytes; the limit for one call is ${maxBytes}.`,
		{ fix: 'Write the files with several calls, or in a batch that is neither atomic nor a dry run.' },
	);
}

export class StagedFiles implements Files {
	readonly #base: HostFiles;
	readonly #maxBytes: number;
	/** Written files by path; null until a file is written, because most calls write none. */
	#files: Map<string, Uint8Array> | null = null;
	#bytes = 0;

	/** `maxBytes`: limit for all written files together, and for all files that they replace. */
	constructor(base: HostFiles, maxBytes = MAX_STAGED_BYTES) {
		this.#base = base;
		this.#maxBytes = maxBytes;
	}

	get storage(): string {
		return this.#base.storage;
	}

	async read(path: string): Promise<Uint8Array> {
		return this.#files?.get(path) ?? this.#base.read(path);
	}

	async list(): Promise<readonly string[]> {
		return [...new Set([...((await this.#base.list?.()) ?? []), ...this.paths()])].sort();
	}

	async before(path: string): Promise<Uint8Array | null> {
		return this.#files?.get(path) ?? beforeWrite(this.#base, path);
	}

	async write(path: string, bytes: Uint8Array): Promise<void> {
		const fault = pathError(path);
		if (fault !== undefined) throw new FileError('refused', fault);
		this.#files ??= new Map();
		const total = this.#bytes - (this.#files.get(path)?.length ?? 0) + bytes.length;
		if (total > this.#maxBytes) throw tooManyBytes('writes', path, total, this.#maxBytes);
		this.#bytes = total;
		this.#files.set(path, bytes.slice());
	}

	/** Returns the paths of written files, in the order of their first write. */
	paths(): readonly string[] {
		return [...(this.#files?.keys() ?? [])];
	}

	/** True if a file was written. */
	get hasWrites(): boolean {
		return this.#files !== null;
	}

	/** Writes all files. If it rejects with `file_refused`, `file_failed` or `out_of_room`, replaced files are restored. */
	async commit(): Promise<void> {
		const base = this.#base;
		const files = this.#files ?? new Map<string, Uint8Array>();
		const replaced = new Map<string, Uint8Array | null>();
		let total = 0;
		for (const path of files.keys()) {
			const bytes = await beforeWrite(base, path);
			total += bytes?.length ?? 0;
			if (total > this.#maxBytes) throw tooManyBytes('replaces', path, total, this.#maxBytes);
			replaced.set(path, bytes);
		}
		const writtenPaths: string[] = [];
		try {
			for (const [path, bytes] of files) {
				await base.write(path, bytes);
				writtenPaths.push(path);
			}
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const newPaths = writtenPaths.filter((path) => replaced.get(path) === null);
			for (const path of writtenPaths) {
				const bytes = replaced.get(path);
				if (bytes != null) await base.write(path, bytes);
			}
			if (newPaths.length === 0) throw error;
			// Files cannot be removed, so the refusal lists the new ones.
			throw new ApiError(error.code, `${error.message} These new files remain: ${newPaths.join(', ')}.`, {
				fix: error.fix,
			});
		}
	}
}
