/** Reading and writing typed arrays in order in one run of bytes. */

import type { NumericArray } from './column.ts';

type NumericBytes = NumericArray | Float64Array;
type NumbersClass<T extends NumericBytes> = {
	new (buffer: ArrayBuffer): T;
	readonly BYTES_PER_ELEMENT: number;
};

/** Thrown by a writer that is given more than it may hold. */
export class TooManyBytesError extends RangeError {}

/** Gathers arrays; each is stored as its length in bytes (u32, little endian) and its bytes. */
export class ByteWriter {
	readonly #chunks: Uint8Array[] = [];
	readonly #most: number;
	#length = 0;

	/** For at most this many bytes: what is given beyond them throws a TooManyBytesError, before it is held. */
	constructor(most = Number.POSITIVE_INFINITY) {
		this.#most = most;
	}

	array(data: NumericBytes): this {
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		if (this.#length + 4 + bytes.length > this.#most)
			throw new TooManyBytesError(`there are more than ${this.#most} bytes`);
		const length = new Uint8Array(4);
		new DataView(length.buffer).setUint32(0, bytes.length, true);
		this.#chunks.push(length, bytes);
		this.#length += 4 + bytes.length;
		return this;
	}

	text(text: string): this {
		return this.array(new TextEncoder().encode(text));
	}

	/** Returns a copy of all that was written. */
	end(): Uint8Array<ArrayBuffer> {
		const all = new Uint8Array(this.#length);
		let at = 0;
		for (const chunk of this.#chunks) {
			all.set(chunk, at);
			at += chunk.length;
		}
		return all;
	}
}

/** Reads what a `ByteWriter` wrote. Throws a RangeError when the bytes end too early. */
export class ByteReader {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Returns a copy of the next array. */
	array<T extends NumericBytes>(type: NumbersClass<T>): T {
		const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
		const length = view.getUint32(this.#at, true);
		const from = this.#at + 4;
		if (from + length > this.#bytes.length || length % type.BYTES_PER_ELEMENT !== 0)
			throw new RangeError('the saved bytes are cut short or damaged');
		this.#at = from + length;
		return new type(this.#bytes.slice(from, from + length).buffer as ArrayBuffer);
	}

	/** True if nothing is left. */
	get atEnd(): boolean {
		return this.#at === this.#bytes.length;
	}

	text(): string {
		return new TextDecoder().decode(this.array(Uint8Array));
	}
}
