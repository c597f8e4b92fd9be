/**
 * One state as its file has it.
 * Owns: that the file has what was written, and that its name leads to the one that is open.
 * Never: knows the files beside it; does two things at once with one (who calls waits).
 */

import { createHash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { JournalError } from '../../shared/contract/journal.ts';
import { draftFile } from '../replace-file.ts';
import { codeOf } from '../system-code.ts';
import { readPiece } from './disk.ts';
import type { FolderLock } from './folder-lock.ts';
import { damage } from './frame.ts';

/** Bytes of what ends a file: the SHA-256 of all before it. */
export const DIGEST = 32;
/** Bytes that are read at once to look at a whole file. */
const PIECE = 1024 * 1024;

export interface KeptState {
	readonly at: number;
	readonly path: string;
	/** Bytes of the file. */
	readonly size: number;
	readonly blobs: readonly string[];
	/** Where the state stands in the file. */
	readonly from: number;
	readonly length: number;
	/** Whether it is known to be what was written. */
	checked: boolean;
}

/** All of the file in pieces. Rejects with `damaged` before the last of them when it is not what was written. */
export async function* piecesOf(
	{ path, size, from }: KeptState,
	file: FileHandle,
): AsyncGenerator<Uint8Array> {
	const hash = createHash('sha256');
	for (let at = 0; at < size - DIGEST; at += PIECE) {
		const piece = await readPiece(file, at, Math.min(PIECE, size - DIGEST - at));
		hash.update(piece);
		yield piece;
	}
	const digest = await readPiece(file, size - DIGEST, DIGEST);
	if (!hash.digest().equals(digest)) throw damage(path, from, 'the state is not what was written');
	yield digest;
}

/**
 * The file to go on with when other programs may have been at it: the open one while its name leads there, and otherwise a copy of it
 * under that name, in the place of what is there. Rejects when what was written is not in the open one either.
 */
export async function standing(state: KeptState, file: FileHandle, lock: FolderLock): Promise<FileHandle> {
	const { dev, ino, size } = await file.stat({ bigint: true });
	if (size < state.size)
		throw new JournalError(
			'failed',
			`Another program has changed the file "${basename(state.path)}" of the journal: it has ${size} bytes, but ${state.size} were written.`,
		);
	const named = await lstat(state.path, { bigint: true }).catch((error: unknown) => {
		if (codeOf(error) !== 'ENOENT') throw error;
	});
	// What is behind its end is no write of the journal, and no start would read it with that.
	if (named?.dev === dev && named.ino === ino && size === BigInt(state.size)) return file;
	await lock.stands();
	const place = await draftFile(state.path, piecesOf(state, file), 0o600);
	return place();
}
