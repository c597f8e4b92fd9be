/**
 * How far a journal went, noted beside its entries: a start finds by it that some are gone which were kept.
 * Owns: that note. It may lag behind the entries, and never says more than was kept. Never: rejects; the entries are what counts.
 */

import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { Turns } from '../turns.ts';
import { openToRead, readPiece } from './disk.ts';

const NAME = 'kept.json';
/** Most bytes of one. */
const MOST = 1000;

export class KeptNote {
	readonly #path: string;
	readonly #turns = new Turns();
	#next: number | undefined;

	private constructor(folder: string) {
		this.#path = join(folder, NAME);
	}

	static async open(folder: string): Promise<KeptNote> {
		const note = new KeptNote(folder);
		note.#next = await read(note.#path).catch(() => undefined);
		return note;
	}

	/** Number of the entry after the last that is known to have been kept; undefined where nothing says so. */
	get next(): number | undefined {
		return this.#next;
	}

	/** `synced`: it outlives a loss of power. Resolves in any case: what could not be noted lags behind. */
	note(next: number, synced: boolean): Promise<void> {
		return this.#turns
			.run(async () => {
				if (next === this.#next) return;
				await replaceFile(this.#path, JSON.stringify({ next }), 0o600, synced);
				this.#next = next;
			})
			.catch(() => {});
	}
}

async function read(path: string): Promise<number | undefined> {
	const file = await openToRead(path);
	try {
		const { next } = JSON.parse(Buffer.from(await readPiece(file, 0, MOST)).toString());
		return Number.isSafeInteger(next) && next >= 0 ? next : undefined;
	} finally {
		await file.close();
	}
}
