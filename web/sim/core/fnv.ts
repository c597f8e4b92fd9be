/**
 * FNV-1a hash with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv), as a few bytes of WebAssembly, because JavaScript has
 * no fast 64-bit integers.
 */

export const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MEMORY_BYTES = 16 * 65536;

/** Returns a number in signed LEB128, the number format of WebAssembly. */
function signedLeb128(value: bigint): number[] {
	const bytes: number[] = [];
	let remaining = value;
	for (;;) {
		const byte = Number(remaining & 0x7fn);
		remaining >>= 7n;
		const isLast = (remaining === 0n && (byte & 0x40) === 0) || (remaining === -1n && (byte & 0x40) !== 0);
		bytes.push(isLast ? byte : byte | 0x80);
		if (isLast) return bytes;
	}
}

const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];

/**
 * Returns a WebAssembly module that exports the memory `m` and two functions. `f` is
 * hash(pointer: i32, length: i32, hash: i64) -> i64. `z` replaces every 32-bit float -0 by 0, from pointer to
 * pointer + length.
 */
function assemble(): Uint8Array<ArrayBuffer> {
	// biome-ignore format: one instruction a line reads as assembly
	const body = [
		1, 1, 0x7f,                                             // one more local, i32: the end
		0x20, 0, 0x20, 1, 0x6a, 0x21, 3,                        // end = pointer + length
		0x02, 0x40, 0x03, 0x40,                                 // block loop
		0x20, 0, 0x20, 3, 0x4f, 0x0d, 1,                        // leave when pointer >= end
		0x20, 2, 0x20, 0, 0x31, 0, 0, 0x85,                     // hash ^ byte
		0x42, ...signedLeb128(FNV_PRIME), 0x7e, 0x21, 2,        // hash = that * prime
		0x20, 0, 0x41, 1, 0x6a, 0x21, 0, 0x0c, 0,               // pointer += 1, again
		0x0b, 0x0b, 0x20, 2, 0x0b,                              // return hash
	];
	// biome-ignore format: one instruction a line reads as assembly
	const zero = [
		0,                                                      // no more locals
		0x20, 0, 0x20, 1, 0x6a, 0x21, 1,                        // length becomes the end
		0x02, 0x40, 0x03, 0x40,                                 // block loop
		0x20, 0, 0x20, 1, 0x4f, 0x0d, 1,                        // leave when pointer >= end
		0x20, 0, 0x28, 2, 0, 0x41, ...signedLeb128(-0x80000000n), 0x46, // the word there is 0x80000000:
		0x04, 0x40, 0x20, 0, 0x41, 0, 0x36, 2, 0, 0x0b,         // if so, store 0
		0x20, 0, 0x41, 4, 0x6a, 0x21, 0, 0x0c, 0,               // pointer += 4, again
		0x0b, 0x0b, 0x0b,
	];
	return new Uint8Array([
		...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
		...section(1, 2, 0x60, 3, 0x7f, 0x7f, 0x7e, 1, 0x7e, 0x60, 2, 0x7f, 0x7f, 0),
		...section(3, 2, 0, 1),
		...section(5, 1, 0, MEMORY_BYTES / 65536),
		...section(7, 3, 1, 0x6d, 2, 0, 1, 0x66, 0, 0, 1, 0x7a, 0, 1),
		...section(10, 2, body.length, ...body, zero.length, ...zero),
	]);
}

const instance = new WebAssembly.Instance(new WebAssembly.Module(assemble()));
const memory = new Uint8Array((instance.exports.m as WebAssembly.Memory).buffer);
const hashMemory = instance.exports.f as (pointer: number, length: number, hash: bigint) => bigint;
const encoder = new TextEncoder();
const clearNegativeZeros = instance.exports.z as (pointer: number, length: number) => void;

/** Returns the unsigned 64-bit hash of bytes. `hash` continues an earlier hash. */
export function fnv1a(bytes: Uint8Array, hash: bigint = FNV_OFFSET): bigint {
	let value = hash;
	for (let offset = 0; offset < bytes.length; offset += MEMORY_BYTES) {
		const chunk = bytes.subarray(offset, offset + MEMORY_BYTES);
		memory.set(chunk);
		value = hashMemory(0, chunk.length, value);
	}
	return BigInt.asUintN(64, value);
}

/** Returns the hash of a text in UTF-8. */
export function fnv1aText(text: string, hash: bigint = FNV_OFFSET): bigint {
	// A UTF-16 unit takes at most three bytes.
	if (text.length * 3 > MEMORY_BYTES) return fnv1a(encoder.encode(text), hash);
	const { written } = encoder.encodeInto(text, memory);
	return BigInt.asUintN(64, hashMemory(0, written, hash));
}

/**
 * Collects bytes in the WebAssembly memory, so that many short runs cost one call. With `floats`, the bytes are 32-bit
 * floats, and -0 is hashed as 0.
 */
export class ByteHasher {
	readonly #floats: boolean;
	#hash = FNV_OFFSET;
	#filled = 0;

	constructor(areFloats = false) {
		this.#floats = areFloats;
	}

	add(bytes: Uint8Array): void {
		for (let offset = 0; offset < bytes.length; ) {
			if (this.#filled === MEMORY_BYTES) this.#flush();
			const part = bytes.subarray(offset, offset + MEMORY_BYTES - this.#filled);
			memory.set(part, this.#filled);
			this.#filled += part.length;
			offset += part.length;
		}
	}

	#flush(): void {
		if (this.#floats) clearNegativeZeros(0, this.#filled);
		this.#hash = BigInt.asUintN(64, hashMemory(0, this.#filled, this.#hash));
		this.#filled = 0;
	}

	/** Returns the hash of all added bytes. */
	end(): bigint {
		this.#flush();
		return this.#hash;
	}
}

/** Number of characters that are encoded together. */
const TEXT_CHUNK = 1 << 16;
/** Hashes texts as UTF-8. Together they may be longer than a JavaScript string can be. */
export class TextHasher {
	readonly #hasher = new ByteHasher();
	#pendingText = '';

	add(text: string): void {
		this.#pendingText += text;
		if (this.#pendingText.length > TEXT_CHUNK) this.#flush();
	}

	#flush(): void {
		this.#hasher.add(encoder.encode(this.#pendingText));
		this.#pendingText = '';
	}

	/** Returns the hash of all added texts. */
	end(): bigint {
		this.#flush();
		return this.#hasher.end();
	}
}
