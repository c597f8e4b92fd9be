/**
 * Bytes that come in parts, on their way to who keeps them.
 * Owns: that a part is answered when it was taken over, so that only a few are ever in memory.
 */

import { JournalError } from '../../shared/contract/journal.ts';

interface Part {
	readonly bytes: Uint8Array;
	readonly last: boolean;
	readonly taken: () => void;
	readonly refused: (error: JournalError) => void;
}

export class Upload {
	#parts: Part[] = [];
	#wake: () => void = () => {};
	#ended = false;

	/** A part has come. Resolves when it was taken over. */
	take(bytes: Uint8Array, last: boolean): Promise<void> {
		return new Promise((taken, refused) => {
			if (this.#ended) return refused(cutOff());
			this.#parts.push({ bytes, last, taken, refused });
			this.#wake();
		});
	}

	/** Nothing more comes, or is taken. */
	end(): void {
		this.#ended = true;
		for (const { refused } of this.#parts.splice(0)) refused(cutOff());
		this.#wake();
	}

	/** The parts in order. Rejects when they end before the last. */
	async *parts(): AsyncGenerator<Uint8Array> {
		for (;;) {
			const part = this.#parts.shift();
			if (part === undefined) {
				if (this.#ended) throw cutOff();
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
				continue;
			}
			yield part.bytes;
			part.taken();
			if (part.last) return;
		}
	}

	/** All parts in one. */
	async whole(): Promise<Uint8Array> {
		const parts: Uint8Array[] = [];
		for await (const part of this.parts()) parts.push(part);
		return new Uint8Array(Buffer.concat(parts));
	}
}

const cutOff = (): JournalError => new JournalError('failed', 'An upload in parts was not completed.');
