/**
 * Bytes of worlds that the relay keeps, in a file that no name leads to: it is gone when the relay is, however that ends.
 * Owns: that file. Never: looks into it.
 */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class WorldsFile {
	readonly #file: Promise<FileHandle>;
	#length = 0;
	/** Resolves when everything that was added is written; rejects once something could not be. */
	#written: Promise<void>;

	constructor() {
		this.#file = openNameless();
		this.#written = this.#file.then(() => {});
		// Who adds, or reads, hears of it.
		this.#written.catch(() => {});
	}

	/** Bytes that were added. */
	get length(): number {
		return this.#length;
	}

	/** Adds bytes at the end. Resolves when they are written. */
	add(bytes: Uint8Array): Promise<void> {
		this.#length += bytes.length;
		this.#written = this.#written.then(async () => (await this.#file).appendFile(bytes));
		// Who waits for it, or adds or reads later, hears of it.
		this.#written.catch(() => {});
		return this.#written;
	}

	/** At most so many bytes from `at` on. Rejects when something that was added could not be written. */
	async read(at: number, most: number): Promise<Uint8Array> {
		await this.#written;
		const file = await this.#file;
		const bytes = new Uint8Array(Math.min(most, this.#length - at));
		for (let filled = 0; filled < bytes.length; ) {
			const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, at + filled);
			if (bytesRead === 0) throw new Error('The file of kept worlds is shorter than what was written.');
			filled += bytesRead;
		}
		return bytes;
	}

	/** Gives the room on the disk back. */
	async close(): Promise<void> {
		const [file] = await Promise.allSettled([this.#file, this.#written]);
		if (file.status === 'fulfilled') await file.value.close();
	}
}

async function openNameless(): Promise<FileHandle> {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-worlds-'));
	try {
		return await open(join(folder, 'worlds'), 'wx+', 0o600);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
