/**
 * Writes JSON as bytes, with the same result as JSON.stringify.
 * Owns: the shortest digits of 32-bit numbers, and their cache.
 */

import { shortestFloat32 } from '../core/float32.ts';

const encoder = new TextEncoder();
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;
/** Upper bound of the length of a printed number (bytes). */
const NUMBER_ROOM = 32;

/** Number of entries in the cache of digits. */
const CACHE_SIZE = 4096;
/** By cache index: the bits of a 32-bit number, its digits as a whole number, and the number of digits after the point. */
const cachedPatterns = new Uint32Array(CACHE_SIZE);
const cachedDigits = new Uint32Array(CACHE_SIZE);
const cachedDecimals = new Uint8Array(CACHE_SIZE);
/** Powers of ten by number of decimals. With ten or more decimals, no digit is before the point. */
const UNITS = Int32Array.from({ length: 20 }, (_, i) => (i < 10 ? 10 ** i : 0x7fffffff));

/** Characters of the numbers from 00 to 99, two bytes each. */
const DIGIT_PAIRS = Uint16Array.from(
	{ length: 100 },
	(_, i) => ((ZERO + Math.floor(i / 10)) << 8) | (ZERO + (i % 10)),
);

/** Writes the digits of a whole number from 0 to 2^31 - 1 at offset `start`. Returns the end offset. */
function putDigits(bytes: Uint8Array, start: number, whole: number): number {
	let end = start + 1;
	for (let bound = 10; whole >= bound && end - start < 10; bound *= 10) end++;
	let rest = whole | 0;
	for (let i = end - 1; i >= start; i--) {
		const next = (rest / 10) | 0;
		bytes[i] = ZERO + ((rest - Math.imul(next, 10)) | 0);
		rest = next;
	}
	return end;
}

/** Returns true if `digits` times `unit`, divided by `scale`, is read as the 32-bit number `size`. */
function isReadAs(digits: number, unit: number, scale: number, size: number): boolean {
	return Math.fround((digits * unit) / scale) === size;
}

/**
 * Finds the shortest digits of a number that is not whole, and stores them at `index` of the cache. Returns false if an
 * exponent may have to be printed, and for powers of two, whose neighbours are not at equal distances.
 */
function cacheDigits(x: number, pattern: number, index: number): boolean {
	const exponent = ((pattern >>> 23) & 0xff) - 127;
	// Numbers from a millionth on have no exponent. Above 2^24, every number is whole.
	if (exponent < -19 || exponent > 23 || (pattern & 0x7fffff) === 0) return false;
	const size = x < 0 ? -x : x;
	let power = 8 - Math.floor(exponent * 0.30102999566398);
	let scaled = size * POWERS_OF_TEN[power]!;
	if (scaled >= 1e9) {
		power--;
		scaled = size * POWERS_OF_TEN[power]!;
	}
	const scale = POWERS_OF_TEN[power]!;
	// If fewer digits suffice, more do too. So eight are tried first, then nine, or else seven and six.
	let digits = Math.round(scaled / 10);
	let droppedDigits = 1;
	if (!isReadAs(digits, 10, scale, size)) {
		digits = Math.round(scaled);
		droppedDigits = 0;
		if (!isReadAs(digits, 1, scale, size)) return false;
	} else {
		const seven = Math.round(scaled / 100);
		if (isReadAs(seven, 100, scale, size)) {
			digits = seven;
			droppedDigits = 2;
			const six = Math.round(scaled / 1000);
			if (isReadAs(six, 1000, scale, size)) {
				digits = six;
				droppedDigits = 3;
			}
		}
	}
	let whole = digits | 0;
	let decimals = power - droppedDigits;
	for (let next = (whole / 10) | 0; Math.imul(next, 10) === whole; next = (whole / 10) | 0) {
		whole = next;
		decimals--;
	}
	cachedPatterns[index] = pattern;
	cachedDigits[index] = whole;
	cachedDecimals[index] = decimals;
	return true;
}

/** JSON text as bytes. Each word has four bytes; the last one is padded. */
export interface EncodedJson {
	readonly words: Uint32Array;
	/** Length without the padding (bytes). */
	readonly length: number;
}

export function encodeJson(text: string): EncodedJson {
	const bytes = encoder.encode(text);
	const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
	padded.set(bytes);
	const view = new DataView(padded.buffer);
	const words = Uint32Array.from({ length: padded.length / 4 }, (_, i) => view.getUint32(i * 4, true));
	return { words, length: bytes.length };
}

/** Keys of records with their colon. */
const labels = new Map<string, EncodedJson>();
const MAX_LABELS = 1000;

/** Buffer of the last finished writer, for the next one: allocating memory costs as much as writing to it. */
let spareBuffer = new Uint8Array(1 << 16);
/** Maximum length of the spare buffer (bytes). */
const MAX_SPARE_BYTES = 1 << 26;

/** Writes JSON into a growing buffer. */
export class JsonWriter {
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView<ArrayBuffer>;
	#length = 0;

	constructor() {
		this.#bytes = spareBuffer;
		this.#view = new DataView(spareBuffer.buffer);
		spareBuffer = new Uint8Array(0);
	}

	#grow(extra: number): void {
		const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + extra));
		grown.set(this.#bytes);
		this.#bytes = grown;
		this.#view = new DataView(grown.buffer);
	}

	/** Number of bytes written so far. */
	get length(): number {
		return this.#length;
	}

	/** Writes one byte, such as a comma. */
	writeByte(code: number): void {
		if (this.#length === this.#bytes.length) this.#grow(1);
		this.#bytes[this.#length++] = code;
	}

	/** Removes the last byte. */
	dropByte(): void {
		this.#length--;
	}

	/** Returns a copy of the bytes from an offset on. */
	copyFrom(from: number): Uint8Array {
		return this.#bytes.slice(from, this.#length);
	}

	/** Writes bytes unchanged. */
	writeBytes(bytes: Uint8Array): void {
		if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
		this.#bytes.set(bytes, this.#length);
		this.#length += bytes.length;
	}

	/** Writes an encoded text. The next write replaces its padding. */
	writeEncoded({ words, length }: EncodedJson): void {
		const start = this.#length;
		if (start + length + 4 > this.#bytes.length) this.#grow(length + 4);
		const view = this.#view;
		for (let i = 0; i < words.length; i++) view.setUint32(start + i * 4, words[i]!, true);
		this.#length = start + length;
	}

	/** Writes any JSON value, as JSON.stringify does. */
	writeValue(value: unknown): void {
		if (typeof value === 'number') this.writeNumber(value);
		else if (typeof value === 'string') this.writeText(value);
		else if (Array.isArray(value)) {
			this.writeByte(OPEN);
			for (let i = 0; i < value.length; i++) {
				if (i > 0) this.writeByte(COMMA);
				this.writeValue(value[i]);
			}
			this.writeByte(CLOSE);
		} else if (typeof value === 'object' && value !== null)
			this.#writeRecord(value as Record<string, unknown>);
		else this.writeBytes(encoder.encode(JSON.stringify(value)));
	}

	#writeRecord(record: Record<string, unknown>): void {
		this.writeByte(OPEN_RECORD);
		let isFirst = true;
		for (const key of Object.keys(record)) {
			const member = record[key];
			if (member === undefined) continue;
			if (!isFirst) this.writeByte(COMMA);
			isFirst = false;
			let label = labels.get(key);
			if (label === undefined) {
				label = encodeJson(`${JSON.stringify(key)}:`);
				if (labels.size < MAX_LABELS) labels.set(key, label);
			}
			this.writeEncoded(label);
			this.writeValue(member);
		}
		this.writeByte(CLOSE_RECORD);
	}

	/** Writes a text in quotes. */
	writeText(text: string): void {
		const { length } = text;
		if (this.#length + length + 2 > this.#bytes.length) this.#grow(length + 2);
		const bytes = this.#bytes;
		let offset = this.#length;
		bytes[offset++] = QUOTE;
		for (let i = 0; i < length; i++) {
			const code = text.charCodeAt(i);
			if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
				this.writeBytes(encoder.encode(JSON.stringify(text)));
				return;
			}
			bytes[offset++] = code;
		}
		bytes[offset++] = QUOTE;
		this.#length = offset;
	}

	/** Writes a list of `count` 32-bit numbers, from index `from` on. */
	writeFloats(numbers: Float32Array, from: number, count: number): void {
		const maxBytes = count * (NUMBER_ROOM + 1) + 2;
		if (this.#length + maxBytes > this.#bytes.length) this.#grow(maxBytes);
		const bytes = this.#bytes;
		bytes[this.#length++] = OPEN;
		for (let i = from; i < from + count; i++) {
			if (i > from) bytes[this.#length++] = COMMA;
			const x = numbers[i]!;
			if (x === 0 || x === 1) bytes[this.#length++] = ZERO + x;
			else this.writeFloat(x);
		}
		bytes[this.#length++] = CLOSE;
	}

	/** Writes a 64-bit number. */
	writeNumber(x: number): void {
		if ((x | 0) === x) {
			this.#writeInteger(x);
			return;
		}
		const text = Number.isFinite(x) ? String(x) : 'null';
		if (this.#length + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i);
	}

	#writeInteger(x: number): void {
		if (this.#length + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		if (x >= 0 && x < 10) {
			this.#bytes[this.#length++] = ZERO + x;
			return;
		}
		if (x < 0) {
			// The lowest 32-bit number has no positive counterpart.
			if (x === -2147483648) {
				this.writeBytes(encoder.encode(String(x)));
				return;
			}
			this.#bytes[this.#length++] = MINUS;
		}
		this.#length = putDigits(this.#bytes, this.#length, x < 0 ? -x | 0 : x | 0);
	}

	/**
	 * Writes a 32-bit number in its shortest form, as `shortestFloat32` does, but without a text in between. Digits are
	 * cached, because the read-out of an entity without a parent contains its pose twice.
	 */
	writeFloat(x: number): void {
		if ((x | 0) === x) {
			// From 2^24 on, the shortest form of a whole number may be rounded, so that it ends in zeros.
			if (x < 16777216 && x > -16777216) this.#writeInteger(x);
			else this.writeNumber(shortestFloat32(x));
			return;
		}
		single[0] = x;
		const pattern = bits[0]!;
		const index = (pattern ^ (pattern >>> 11) ^ (pattern >>> 22)) & (CACHE_SIZE - 1);
		if (cachedPatterns[index] !== pattern && !cacheDigits(x, pattern, index)) {
			this.writeNumber(shortestFloat32(x));
			return;
		}
		if (this.#length + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		const bytes = this.#bytes;
		let offset = this.#length;
		if (pattern >>> 31 === 1) bytes[offset++] = MINUS;
		const decimals = cachedDecimals[index]!;
		const unit = UNITS[decimals]!;
		let rest = cachedDigits[index]! | 0;
		if (rest < unit) bytes[offset++] = ZERO;
		else {
			const whole = (rest / unit) | 0;
			offset = putDigits(bytes, offset, whole);
			rest = (rest - Math.imul(whole, unit)) | 0;
		}
		bytes[offset++] = POINT;
		const end = offset + decimals;
		const view = this.#view;
		let i = end - 2;
		for (; i >= offset; i -= 2) {
			const next = (rest / 100) | 0;
			view.setUint16(i, DIGIT_PAIRS[(rest - Math.imul(next, 100)) | 0]!);
			rest = next;
		}
		if (i === offset - 1) bytes[offset] = ZERO + rest;
		this.#length = end;
	}

	/** Returns a copy of all written bytes. The writer must not be used afterwards. */
	finish(): Uint8Array<ArrayBuffer> {
		const result = this.#bytes.slice(0, this.#length);
		if (this.#bytes.length <= MAX_SPARE_BYTES && this.#bytes.length > spareBuffer.length)
			spareBuffer = this.#bytes;
		return result;
	}
}
