/**
 * Files named by the SHA-256 of their content: blobs and states.
 * Owns: their folder, and the check of every read. Never: knows the references to a file.
 */

import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError, type Pieces } from '../../shared/transport/journal.ts';
import { isHash } from '../../shared/transport/journal-bytes.ts';
import { draftFile, isDraft, replaceFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { openToRead } from './system-fault.ts';

/** Number of bytes that are hashed at a time. Other work can run in between. */
const PIECE_BYTES = 2 ** 20;

/** A written file that has no name yet. */
export interface FileDraft {
	readonly hash: string;
	readonly size: number;
	/** Gives the file its name. */
	readonly place: () => Promise<void>;
}

export class ContentFiles {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Creates the folder, and removes drafts of a killed process and files without a reference. */
	async prepare(isNamed: (hash: string) => boolean): Promise<void> {
		await mkdir(this.#folder, { mode: 0o700 }).catch((error: unknown) => {
			if (codeOf(error) !== 'EEXIST') throw error;
		});
		for (const name of await readdir(this.#folder))
			if (isDraft(name) || (isHash(name) && !isNamed(name))) await rm(join(this.#folder, name));
	}

	/** Writes pieces to the disk as they arrive. A piece may change only after it is written. */
	async write(pieces: Pieces): Promise<FileDraft> {
		const digest = createHash('sha256');
		let hash = '';
		let size = 0;
		async function* hashPieces() {
			for await (const piece of pieces) {
				digest.update(piece);
				size += piece.length;
				yield piece;
			}
			hash = digest.digest('hex');
		}
		const place = await draftFile(this.#folder, hashPieces(), 0o600);
		return { hash, size, place: () => place(hash) };
	}

	/** Stores bytes under their hash. Rejects with `failed` if the hash is wrong. */
	async store(hash: string, bytes: Uint8Array): Promise<void> {
		async function* checkPieces() {
			const digest = createHash('sha256');
			for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) {
				const piece = bytes.subarray(offset, offset + PIECE_BYTES);
				digest.update(piece);
				yield piece;
			}
			if (digest.digest('hex') !== hash)
				throw new JournalError(
					'failed',
					'The name of a blob must be its SHA-256 in lowercase hex, but this name differs.',
				);
		}
		await replaceFile(join(this.#folder, hash), checkPieces(), 0o600);
	}

	/** Returns the bytes of a file. Rejects with `damaged` if they are missing or do not match the hash. */
	async read(hash: string): Promise<Uint8Array> {
		const path = join(this.#folder, hash);
		const file = await openToRead(path).catch((error: unknown) => {
			if (codeOf(error) === 'ENOENT') throw new JournalError('damaged', `"${path}" is missing.`);
			throw error;
		});
		try {
			const bytes = new Uint8Array((await file.stat()).size);
			const digest = createHash('sha256');
			for (let offset = 0; offset < bytes.length; ) {
				const length = Math.min(PIECE_BYTES, bytes.length - offset);
				const { bytesRead } = await file.read(bytes, offset, length, offset);
				if (bytesRead === 0) break;
				digest.update(bytes.subarray(offset, offset + bytesRead));
				offset += bytesRead;
			}
			if (digest.digest('hex') === hash) return bytes;
			throw new JournalError(
				'damaged',
				`"${path}" is damaged: its content does not match the hash in its name.`,
			);
		} finally {
			await file.close();
		}
	}

	async remove(hash: string): Promise<void> {
		await rm(join(this.#folder, hash), { force: true });
	}
}
