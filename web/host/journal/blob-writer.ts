/**
 * The blobs that a state names, on their way to the journal.
 * Owns: how many bytes of them are on the way at once.
 */

import type { Journal } from '../../../shared/contract/journal.ts';

/** With more than so many bytes on the way, the next blob is not made before they have arrived. */
const MOST_BYTES = 4 * 1024 * 1024;

export class BlobWriter {
	readonly #journal: Pick<Journal, 'keepBlob'>;
	readonly #known: ReadonlySet<string>;
	readonly #named = new Set<string>();
	#writing: Promise<void>[] = [];
	#bytes = 0;

	/** `known`: blobs that the journal has. */
	constructor(journal: Pick<Journal, 'keepBlob'>, known: ReadonlySet<string>) {
		this.#journal = journal;
		this.#known = known;
	}

	/** All blobs that were named, each once. */
	get named(): readonly string[] {
		return [...this.#named];
	}

	/** Names a blob if its bytes need not be written any more. */
	has(hash: string): boolean {
		if (!this.#known.has(hash) && !this.#named.has(hash)) return false;
		this.#named.add(hash);
		return true;
	}

	/** Names a blob and has it written where that has not been done. */
	async write(hash: string, bytes: Uint8Array): Promise<void> {
		if (this.has(hash)) return;
		this.#named.add(hash);
		const written = this.#journal.keepBlob(hash, bytes);
		// A failure is told of by `written`, which waits for all of them.
		written.catch(() => {});
		this.#writing.push(written);
		this.#bytes += bytes.length;
		if (this.#bytes > MOST_BYTES) await this.written();
	}

	/** Resolves when the journal has all that was written. Rejects with its `JournalError`. */
	async written(): Promise<void> {
		const writing = this.#writing;
		this.#writing = [];
		this.#bytes = 0;
		await Promise.all(writing);
	}
}
