/**
 * Objects of one journal, named by the SHA-256 of their content: blobs, states, and the bytes of long messages.
 * Owns: the check of every read, and the removal of objects. Never: knows the references to an object.
 */

import type { ObjectStore } from '@nats-io/obj';
import { JournalError } from '../../shared/transport/journal.ts';
import { sha256 } from './stream-message.ts';

export class WorldObjects {
	readonly #store: ObjectStore;
	readonly #journal: string;
	/** Bytes of new objects that no message counts yet. */
	uncountedBytes = 0;
	/** Bytes of objects that are known to be stored, by hash. */
	readonly #storedSizes = new Map<string, number>();
	/** Objects that were stored since the last cut. Their entries may not be appended yet. */
	#newHashes = new Set<string>();
	/** Objects without a reference that the last cut kept because they were new. The next cut checks them again. */
	#unnamedObjects = new Set<string>();

	constructor(store: ObjectStore, journal: string) {
		this.#store = store;
		this.#journal = journal;
	}

	#nameOf(hash: string): string {
		return `${this.#journal}.${hash}`;
	}

	async put(hash: string, bytes: Uint8Array): Promise<void> {
		this.#newHashes.add(hash);
		if (this.#storedSizes.has(hash)) return;
		const copy = bytes.slice();
		const objectInfo = await this.#store.info(this.#nameOf(hash));
		if (objectInfo === null || objectInfo.deleted || objectInfo.size !== copy.length) {
			await this.#store.putBlob({ name: this.#nameOf(hash) }, copy);
			this.uncountedBytes += copy.length;
		}
		this.#storedSizes.set(hash, copy.length);
	}

	/** Returns an object; null if it is missing. Rejects with `damaged` if it was changed. */
	async read(hash: string): Promise<Uint8Array | null> {
		const info = await this.#store.info(this.#nameOf(hash));
		if (info === null || info.deleted) return null;
		const bytes = await this.#store.getBlob(this.#nameOf(hash));
		if (bytes === null) return null;
		if (sha256(bytes) === hash) return bytes;
		throw new JournalError(
			'damaged',
			`Object ${hash} in NATS was changed: its content does not match its hash.`,
		);
	}

	/**
	 * Returns the objects that can be removed, and their bytes. `unnamed`: objects that lost a reference. `keepNamed` must
	 * delete from its candidates those that are still named. New objects are kept, and checked again at the next cut.
	 */
	async findRemovable(unnamed: ReadonlySet<string>, keepNamed: (candidates: Set<string>) => Promise<void>) {
		const candidates = new Set([...unnamed, ...this.#unnamedObjects]);
		const earlierNew = this.#newHashes;
		this.#newHashes = new Set();
		await keepNamed(candidates);
		const hashes = [...candidates].filter((hash) => !earlierNew.has(hash) && !this.#newHashes.has(hash));
		this.#unnamedObjects = new Set([...candidates].filter((hash) => !hashes.includes(hash)));
		let bytes = 0;
		for (const hash of hashes) bytes += this.#storedSizes.get(hash) ?? 0;
		return { hashes, bytes };
	}

	async remove(hashes: readonly string[]): Promise<void> {
		for (const hash of hashes) {
			this.#storedSizes.delete(hash);
			if ((await this.#store.info(this.#nameOf(hash))) !== null) await this.#store.delete(this.#nameOf(hash));
		}
	}
}
