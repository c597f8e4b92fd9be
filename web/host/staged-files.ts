/**
 * Files as a transaction sees them. Written files stay in memory until the commit.
 * Owns: this memory, and its limit.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { pathError } from '../../shared/contract/file-path.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { beforeWrite, FileError, type Files, type HostFiles } from '../store/files.ts';

/** Maximum number of bytes of all files of one transaction. */
const MAX_STAGED = 4 * MAX_DOCUMENT_BYTES;

function tooMuch(does: 'writes' | 'replaces', path: string, bytes: number, most: number): ApiError {
	return new ApiError(
		'out_of_room',
		`With "${path}", the files that this call ${does} would have ${bytes} bytes; the limit for one call is ${most}.`,
		{ fix: 'Write the files with several calls, or in a batch that is neither atomic nor a dry run.' },
	);
}

export class StagedFiles implements Files {
	readonly #base: HostFiles;
	readonly #most: number;
	/** Null until a file is written, because most calls write none. */
	#stagedFiles: Map<string, Uint8Array> | null = null;
	#staged = 0;

	/** `most`: limit of the bytes of all written files, and of all files that they replace. */
	constructor(base: HostFiles, most = MAX_STAGED) {
		this.#base = base;
		this.#most = most;
	}

	get storage(): string {
		return this.#base.storage;
	}

	async read(path: string): Promise<Uint8Array> {
		return this.#stagedFiles?.get(path) ?? this.#base.read(path);
	}

	async list(): Promise<readonly string[]> {
		return [...new Set([...((await this.#base.list?.()) ?? []), ...this.paths()])].sort();
	}

	async before(path: string): Promise<Uint8Array | null> {
		return this.#stagedFiles?.get(path) ?? beforeWrite(this.#base, path);
	}

	async write(path: string, bytes: Uint8Array): Promise<void> {
		const refusal = pathError(path);
		if (refusal !== undefined) throw new FileError('refused', refusal);
		this.#stagedFiles ??= new Map();
		const staged = this.#staged - (this.#stagedFiles.get(path)?.length ?? 0) + bytes.length;
		if (staged > this.#most) throw tooMuch('writes', path, staged, this.#most);
		this.#staged = staged;
		this.#stagedFiles.set(path, bytes.slice());
	}

	/** Returns the paths of written files, in the order of their first write. */
	paths(): readonly string[] {
		return [...(this.#stagedFiles?.keys() ?? [])];
	}

	/** True if anything was written. */
	get any(): boolean {
		return this.#stagedFiles !== null;
	}

	/** Writes all files. If it rejects with `file_refused`, `file_failed` or `out_of_room`, replaced files are restored. */
	async commit(): Promise<void> {
		const base = this.#base;
		const written = this.#stagedFiles ?? new Map<string, Uint8Array>();
		const before = new Map<string, Uint8Array | null>();
		let total = 0;
		for (const path of written.keys()) {
			const bytes = await beforeWrite(base, path);
			total += bytes?.length ?? 0;
			if (total > this.#most) throw tooMuch('replaces', path, total, this.#most);
			before.set(path, bytes);
		}
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
			// Files cannot be removed, so the refusal lists the new ones.
			throw new ApiError(error.code, `${error.message} These new files remain: ${added.join(', ')}.`, {
				fix: error.fix,
			});
		}
	}
}
