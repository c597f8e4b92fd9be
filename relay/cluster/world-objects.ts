/**
 * Objects of one journal, named by the SHA-256 of what they hold: blobs, states, and messages that are too long for
 * the stream.
 * Owns: the check of every read, and the removal of objects. Never: knows what names an object.
 */

import type { ObjectStore } from '@nats-io/obj';
import { JournalError } from '../../shared/transport/journal.ts';
import { sha256 } from './stream-message.ts';

export class WorldObjects {
	readonly #store: ObjectStore;
	readonly #journal: string;
	/** Bytes of objects that no message counts yet. */
	added = 0;
	/** Names that are known to be stored. */
	readonly #stored = new Map<string, number>();
	/** Objects that came since something was last cut: nothing may name them yet. */
	#new = new Set<string>();
	/** Objects that nothing named at an earlier cut, when they were new. */
	#unnamedObjects = new Set<string>();

	constructor(store: ObjectStore, journal: string) {
		this.#store = store;
		this.#journal = journal;
	}

	#nameOf(hash: string): string {
		return `${this.#journal}.${hash}`;
	}

	async keep(hash: string, bytes: Uint8Array): Promise<void> {
		this.#new.add(hash);
		if (this.#stored.has(hash)) return;
		const copy = bytes.slice();
		const objectInfo = await this.#store.info(this.#nameOf(hash));
		if (objectInfo === null || objectInfo.deleted || objectInfo.size !== copy.length) {
			await this.#store.putBlob({ name: this.#nameOf(hash) }, copy);
			this.added += copy.length;
		}
		this.#stored.set(hash, copy.length);
	}

	/** Null if it is missing. Rejects with `damaged` if it is not what was written. */
	async read(hash: string): Promise<Uint8Array | null> {
		const info = await this.#store.info(this.#nameOf(hash));
		if (info === null || info.deleted) return null;
		const bytes = await this.#store.getBlob(this.#nameOf(hash));
		if (bytes === null) return null;
		if (sha256(bytes) === hash) return bytes;
		throw new JournalError('damaged', `Object ${hash} in NATS is not what was written.`);
	}

	/**
	 * Returns the names that may go: of `unnamed`, what `keepNamed` leaves and what is not new. The rest is looked at
	 * again at the next cut.
	 */
	async dropped(unnamed: ReadonlySet<string>, keepNamed: (candidates: Set<string>) => Promise<void>) {
		const candidates = new Set([...unnamed, ...this.#unnamedObjects]);
		const before = this.#new;
		this.#new = new Set();
		await keepNamed(candidates);
		const hashes = [...candidates].filter((hash) => !before.has(hash) && !this.#new.has(hash));
		this.#unnamedObjects = new Set([...candidates].filter((hash) => !hashes.includes(hash)));
		let bytes = 0;
		for (const hash of hashes) bytes += this.#stored.get(hash) ?? 0;
		return { hashes, bytes };
	}

	async remove(hashes: readonly string[]): Promise<void> {
		for (const hash of hashes) {
			this.#stored.delete(hash);
			if ((await this.#store.info(this.#nameOf(hash))) !== null) await this.#store.delete(this.#nameOf(hash));
		}
	}
}
