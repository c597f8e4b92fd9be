/**
 * Bytes that arrive in parts.
 * Owns: the acknowledgement of each part, so that only a few parts are in memory together.
 */

import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import { JournalError } from '../../shared/transport/journal.ts';

export class BlobUpload {
	readonly #stream = new TransformStream<Uint8Array, Uint8Array>();
	readonly #writer = this.#stream.writable.getWriter();

	/** Adds a part. Resolves when the reader has taken it. */
	async add(bytes: Uint8Array, isLast: boolean): Promise<void> {
		await this.#writer.write(bytes);
		if (isLast) await this.#writer.close();
	}

	/** Ends the upload. Its reader gets an error if the last part is missing. */
	end(): void {
		const cutOff = new JournalError('failed', 'An upload in parts was not completed.');
		this.#writer.abort(cutOff).catch(() => {});
	}

	/** Returns the parts in order. The iteration rejects if the upload ends before its last part. */
	parts(): AsyncIterable<Uint8Array> {
		return this.#stream.readable as unknown as AsyncIterable<Uint8Array>;
	}

	/** Returns the bytes of all parts. */
	async readAll(): Promise<Uint8Array> {
		const parts: Uint8Array[] = [];
		for await (const part of this.parts()) parts.push(part);
		return joinBytes(parts);
	}
}
