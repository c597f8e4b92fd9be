/** Writer and reader of a sequence of typed arrays in one block of bytes. */

import type { NumericArray } from './column.ts';

type NumericBytes = NumericArray | Float64Array;
type NumbersClass<T extends NumericBytes> = {
	new (buffer: ArrayBuffer): T;
	readonly BYTES_PER_ELEMENT: number;
};

/** Thrown by a writer whose limit of bytes is exceeded. */
export class TooManyBytesError extends RangeError {}

/** Collects arrays. Each is written as its length in bytes (u32, little endian) and its bytes. */
export class ByteWriter {
	readonly #chunks: Uint8Array[] = [];
	readonly #maxBytes: number;
	#length = 0;

	/** A write beyond `maxBytes` throws a TooManyBytesError before it takes memory. */
	constructor(maxBytes = Number.POSITIVE_INFINITY) {
		this.#maxBytes = maxBytes;
	}

	writeArray(data: NumericBytes): this {
		const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
		if (this.#length + 4 + bytes.length > this.#maxBytes)
			throw new TooManyBytesError(`there are more than ${this.#maxBytes} bytes`);
		const length = new Uint8Array(4);
		new DataView(length.buffer).setUint32(0, bytes.length, true);
		this.#chunks.push(length, bytes);
		this.#length += 4 + bytes.length;
		return this;
	}

	writeText(text: string): this {
		return this.writeArray(new TextEncoder().encode(text));
	}

	/** Returns a copy of all written bytes. */
	end(): Uint8Array<ArrayBuffer> {
		const bytes = new Uint8Array(this.#length);
		let offset = 0;
		for (const chunk of this.#chunks) {
			bytes.set(chunk, offset);
			offset += chunk.length;
		}
		return bytes;
	}
}

/** Reads the output of a `ByteWriter`. Throws a RangeError if the bytes end too early. */
export class ByteReader {
	readonly #bytes: Uint8Array;
	#offset = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Returns a copy of the next array. */
	readArray<T extends NumericBytes>(type: NumbersClass<T>): T {
		const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
		const length = view.getUint32(this.#offset, true);
		const from = this.#offset + 4;
		if (from + length > this.#bytes.length || length % type.BYTES_PER_ELEMENT !== 0)
			throw new RangeError('the saved bytes are cut short or damaged');
		this.#offset = from + length;
		return new type(this.#bytes.slice(from, from + length).buffer as ArrayBuffer);
	}

	/** True if all bytes have been read. */
	get isAtEnd(): boolean {
		return this.#offset === this.#bytes.length;
	}

	readText(): string {
		return new TextDecoder().decode(this.readArray(Uint8Array));
	}
}
