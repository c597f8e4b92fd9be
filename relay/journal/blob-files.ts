/**
 * Bytes that entries and states name by their SHA-256, each in a file of that name.
 * Owns: that folder, and that what is read is what the name says.
 */

import { hash as hashOf } from 'node:crypto';
import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/contract/journal.ts';
import { isHash } from '../../shared/contract/journal-bytes.ts';
import { isDraft, replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { openToRead } from './disk.ts';

export class BlobFiles {
	readonly #folder: string;
	/** hash -> bytes of its file */
	readonly #sizes = new Map<string, number>();
	#bytes = 0;

	private constructor(folder: string) {
		this.#folder = folder;
	}

	/** Those in the folder `blobs` of a journal's folder. What was not written to its end goes, unless it is only read. */
	static async open(folder: string, looks = false): Promise<BlobFiles> {
		const blobs = new BlobFiles(join(folder, 'blobs'));
		if (!looks) await mkdir(blobs.#folder, { recursive: true, mode: 0o700 });
		if (!(await lstat(blobs.#folder)).isDirectory())
			throw new JournalError('failed', `"${blobs.#folder}" is not a folder.`);
		for (const name of await readdir(blobs.#folder)) {
			const path = join(blobs.#folder, name);
			if (isHash(name)) blobs.#note(name, (await stat(path)).size);
			else if (!looks && isDraft(name)) await rm(path, { force: true });
		}
		return blobs;
	}

	get bytes(): number {
		return this.#bytes;
	}

	get all(): IterableIterator<string> {
		return this.#sizes.keys();
	}

	async keep(hash: string, bytes: Uint8Array): Promise<void> {
		if (!isHash(hash) || hashOf('sha256', bytes) !== hash)
			throw new JournalError('failed', 'The name of a blob must be its own SHA-256 in lowercase hex.');
		if (this.#sizes.has(hash)) return;
		await replaceFile(join(this.#folder, hash), bytes, 0o600);
		this.#note(hash, bytes.length);
	}

	/** Rejects with `damaged`. */
	async read(hash: string): Promise<Uint8Array | null> {
		if (!this.#sizes.has(hash)) return null;
		const path = join(this.#folder, hash);
		const file = await openToRead(path).catch((error: unknown) => {
			if (codeOf(error) === 'ENOENT') throw new JournalError('damaged', `"${path}" is missing.`);
			throw error;
		});
		try {
			const bytes = new Uint8Array(await file.readFile());
			if (hashOf('sha256', bytes) !== hash)
				throw new JournalError('damaged', `"${path}" is damaged: its bytes do not match its name.`);
			return bytes;
		} finally {
			await file.close();
		}
	}

	async remove(hash: string): Promise<void> {
		await rm(join(this.#folder, hash), { force: true });
		this.#bytes -= this.#sizes.get(hash) ?? 0;
		this.#sizes.delete(hash);
	}

	#note(hash: string, size: number): void {
		this.#sizes.set(hash, size);
		this.#bytes += size;
	}
}
