/**
 * The newest lease of a journal, in a file of its folder: it outlives every process, so an engine that comes back to a server that
 * was restarted is known, and one that was replaced is not.
 * Owns: that file. It is written in place, which needs no room on a full disk.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError, type JournalExtent } from '../../shared/contract/journal.ts';
import { codeOf } from '../system-code.ts';
import { openToRead, readPiece } from './disk.ts';

type Newest = JournalExtent['lease'];

const NAME = 'lease.json';
/** Bytes of the file: JSON and blanks, so that a write replaces all of it. */
const BYTES = 64;
/** Never follows a link. */
const HOW = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

export class LeaseFile {
	readonly #path: string;
	#newest: Newest;

	private constructor(path: string, newest: Newest) {
		this.#path = path;
		this.#newest = newest;
	}

	/** Rejects with `damaged` for a file that is not what was written. */
	static async open(folder: string): Promise<LeaseFile> {
		const path = join(folder, NAME);
		return new LeaseFile(path, await read(path));
	}

	get newest(): Newest {
		return this.#newest;
	}

	async acquire(): Promise<number> {
		await this.#write({ epoch: this.#newest.epoch + 1, isTaken: true });
		return this.#newest.epoch;
	}

	async release(epoch: number): Promise<void> {
		if (epoch === this.#newest.epoch) await this.#write({ epoch, isTaken: false });
	}

	async #write(newest: Newest): Promise<void> {
		const file = await open(this.#path, HOW, 0o600);
		try {
			await file.write(JSON.stringify(newest).padEnd(BYTES), 0);
			await file.datasync();
		} finally {
			await file.close();
		}
		this.#newest = newest;
	}
}

async function read(path: string): Promise<Newest> {
	let text: string;
	try {
		const file = await openToRead(path);
		try {
			text = Buffer.from(await readPiece(file, 0, BYTES)).toString();
		} finally {
			await file.close();
		}
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return { epoch: 0, isTaken: false };
		throw error;
	}
	// It was made, and its process ended before it was written.
	if (text === '') return { epoch: 0, isTaken: false };
	const { epoch, isTaken } = parsed(text);
	if (Number.isSafeInteger(epoch) && typeof isTaken === 'boolean') return { epoch: epoch!, isTaken };
	throw new JournalError('damaged', `"${path}" is damaged: it names no lease.`);
}

function parsed(text: string): Partial<Newest> {
	try {
		return (JSON.parse(text) ?? {}) as Partial<Newest>;
	} catch {
		return {};
	}
}
