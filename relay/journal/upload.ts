/**
 * Bytes that come in parts.
 * Owns: the acknowledgement of each part, so that only a few are ever in memory.
 */

import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import { JournalError } from '../../shared/transport/journal.ts';

export class BlobUpload {
	readonly #stream = new TransformStream<Uint8Array, Uint8Array>();
	readonly #writer = this.#stream.writable.getWriter();

	/** Resolves when this part was taken over. */
	async take(bytes: Uint8Array, isLast: boolean): Promise<void> {
		await this.#writer.write(bytes);
		if (isLast) await this.#writer.close();
	}

	/** No more parts come, or are taken. */
	end(): void {
		const cutOff = new JournalError('failed', 'An upload in parts was not completed.');
		this.#writer.abort(cutOff).catch(() => {});
	}

	/** Returns the parts in order. Rejects when they end before the last. */
	parts(): AsyncIterable<Uint8Array> {
		return this.#stream.readable as unknown as AsyncIterable<Uint8Array>;
	}

	/** Returns all parts in one. */
	async whole(): Promise<Uint8Array> {
		const parts: Uint8Array[] = [];
		for await (const part of this.parts()) parts.push(part);
		return joinBytes(parts);
	}
}
