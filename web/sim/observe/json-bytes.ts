/**
 * Writes JSON straight into bytes, byte for byte as JSON.stringify would print the same values.
 * Owns: the digits of 32-bit numbers, found and written in one go.
 */

import { shortestFloat32 } from '../core/float32.ts';

const encoder = new TextEncoder();
const TEN = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
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
/** More bytes than any number takes. */
const NUMBER_ROOM = 32;

/** Number of found numbers that are kept. */
const KEPT = 4096;
/** By place: the pattern of a 32-bit number, its digits as a whole number, and how many of them follow the point. */
const keptPattern = new Uint32Array(KEPT);
const keptDigits = new Uint32Array(KEPT);
const keptPlaces = new Uint8Array(KEPT);
/** Powers of ten below 2^31; beyond that no digit is before the point. */
const UNITS = Int32Array.from({ length: 20 }, (_, i) => (i < 10 ? 10 ** i : 0x7fffffff));

/** Two digits each, as text. */
const PAIRS = Uint16Array.from(
	{ length: 100 },
	(_, i) => ((ZERO + Math.floor(i / 10)) << 8) | (ZERO + (i % 10)),
);

/** Writes the digits of a whole number from 0 to 2^31 - 1 at `at`. Returns the end offset. */
function putDigits(bytes: Uint8Array, at: number, whole: number): number {
	let end = at + 1;
	for (let bound = 10; whole >= bound && end - at < 10; bound *= 10) end++;
	let rest = whole | 0;
	for (let i = end - 1; i >= at; i--) {
		const next = (rest / 10) | 0;
		bytes[i] = ZERO + ((rest - Math.imul(next, 10)) | 0);
		rest = next;
	}
	return end;
}

/** Returns true if `digits` whole units of 10^-power read back to a 32-bit size. */
function readsBack(digits: number, unit: number, scale: number, size: number): boolean {
	return Math.fround((digits * unit) / scale) === size;
}

/**
 * Finds the shortest digits of a number that is not whole and keeps them at `place`. False if an exponent may have to
 * be printed, and for powers of two, whose neighbours are not equally far on both sides.
 */
function find(x: number, pattern: number, index: number): boolean {
	const exponent = ((pattern >>> 23) & 0xff) - 127;
	// From a millionth on there is no exponent to print; above 2^24 every number is whole.
	if (exponent < -19 || exponent > 23 || (pattern & 0x7fffff) === 0) return false;
	const size = x < 0 ? -x : x;
	let power = 8 - Math.floor(exponent * 0.30102999566398);
	let scaled = size * TEN[power]!;
	if (scaled >= 1e9) {
		power--;
		scaled = size * TEN[power]!;
	}
	const scale = TEN[power]!;
	// Where fewer digits read back, more do: eight first, then nine, or seven and six.
	let digits = Math.round(scaled / 10);
	let dropped = 1;
	if (!readsBack(digits, 10, scale, size)) {
		digits = Math.round(scaled);
		dropped = 0;
		if (!readsBack(digits, 1, scale, size)) return false;
	} else {
		const seven = Math.round(scaled / 100);
		if (readsBack(seven, 100, scale, size)) {
			digits = seven;
			dropped = 2;
			const six = Math.round(scaled / 1000);
			if (readsBack(six, 1000, scale, size)) {
				digits = six;
				dropped = 3;
			}
		}
	}
	let whole = digits | 0;
	let places = power - dropped;
	for (let next = (whole / 10) | 0; Math.imul(next, 10) === whole; next = (whole / 10) | 0) {
		whole = next;
		places--;
	}
	keptPattern[index] = pattern;
	keptDigits[index] = whole;
	keptPlaces[index] = places;
	return true;
}

/** A text that is JSON already, as bytes in whole words of four, the last filled up. */
export interface JsonPiece {
	readonly words: Uint32Array;
	readonly length: number;
}

export function piece(text: string): JsonPiece {
	const bytes = encoder.encode(text);
	const filled = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
	filled.set(bytes);
	const view = new DataView(filled.buffer);
	const words = Uint32Array.from({ length: filled.length / 4 }, (_, i) => view.getUint32(i * 4, true));
	return { words, length: bytes.length };
}

/** Keys of records with their colon. */
const labels = new Map<string, JsonPiece>();
const MAX_LABELS = 1000;

/** The room of the last writer that ended, for the next: fresh memory costs as much as writing to it. */
let spare = new Uint8Array(1 << 16);
/** Larger rooms are not kept. */
const MAX_SPARE = 1 << 26;

/** A growing run of bytes. */
export class JsonWriter {
	#bytes: Uint8Array<ArrayBuffer>;
	#view: DataView<ArrayBuffer>;
	#at = 0;

	constructor() {
		this.#bytes = spare;
		this.#view = new DataView(spare.buffer);
		spare = new Uint8Array(0);
	}

	#grow(need: number): void {
		const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + need));
		grown.set(this.#bytes);
		this.#bytes = grown;
		this.#view = new DataView(grown.buffer);
	}

	/** Bytes written so far. */
	get length(): number {
		return this.#at;
	}

	/** One byte, such as a comma. */
	byte(code: number): void {
		if (this.#at === this.#bytes.length) this.#grow(1);
		this.#bytes[this.#at++] = code;
	}

	/** Undoes the last byte. */
	dropByte(): void {
		this.#at--;
	}

	/** Returns a copy of what was written from a place on. */
	since(from: number): Uint8Array {
		return this.#bytes.slice(from, this.#at);
	}

	/** Bytes as they are. */
	raw(part: Uint8Array): void {
		if (this.#at + part.length > this.#bytes.length) this.#grow(part.length);
		this.#bytes.set(part, this.#at);
		this.#at += part.length;
	}

	/** A prepared text. What it is filled up with is written over by what comes next. */
	piece({ words, length }: JsonPiece): void {
		const at = this.#at;
		if (at + length + 4 > this.#bytes.length) this.#grow(length + 4);
		const view = this.#view;
		for (let i = 0; i < words.length; i++) view.setUint32(at + i * 4, words[i]!, true);
		this.#at = at + length;
	}

	/** Any JSON value, as JSON.stringify prints it. */
	value(value: unknown): void {
		if (typeof value === 'number') this.number(value);
		else if (typeof value === 'string') this.text(value);
		else if (Array.isArray(value)) {
			this.byte(OPEN);
			for (let i = 0; i < value.length; i++) {
				if (i > 0) this.byte(COMMA);
				this.value(value[i]);
			}
			this.byte(CLOSE);
		} else if (typeof value === 'object' && value !== null) this.#record(value as Record<string, unknown>);
		else this.raw(encoder.encode(JSON.stringify(value)));
	}

	#record(record: Record<string, unknown>): void {
		this.byte(OPEN_RECORD);
		let first = true;
		for (const key of Object.keys(record)) {
			const member = record[key];
			if (member === undefined) continue;
			if (!first) this.byte(COMMA);
			first = false;
			let label = labels.get(key);
			if (label === undefined) {
				label = piece(`${JSON.stringify(key)}:`);
				if (labels.size < MAX_LABELS) labels.set(key, label);
			}
			this.piece(label);
			this.value(member);
		}
		this.byte(CLOSE_RECORD);
	}

	/** A text in quotes. */
	text(text: string): void {
		const { length } = text;
		if (this.#at + length + 2 > this.#bytes.length) this.#grow(length + 2);
		const bytes = this.#bytes;
		let at = this.#at;
		bytes[at++] = QUOTE;
		for (let i = 0; i < length; i++) {
			const code = text.charCodeAt(i);
			if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
				this.raw(encoder.encode(JSON.stringify(text)));
				return;
			}
			bytes[at++] = code;
		}
		bytes[at++] = QUOTE;
		this.#at = at;
	}

	/** A list of 32-bit numbers: `count` of them, from `from` on. */
	floats(numbers: Float32Array, from: number, count: number): void {
		const need = count * (NUMBER_ROOM + 1) + 2;
		if (this.#at + need > this.#bytes.length) this.#grow(need);
		const bytes = this.#bytes;
		bytes[this.#at++] = OPEN;
		for (let i = from; i < from + count; i++) {
			if (i > from) bytes[this.#at++] = COMMA;
			const x = numbers[i]!;
			if (x === 0 || x === 1) bytes[this.#at++] = ZERO + x;
			else this.float(x);
		}
		bytes[this.#at++] = CLOSE;
	}

	/** A 64-bit number. */
	number(x: number): void {
		if ((x | 0) === x) {
			this.#integer(x);
			return;
		}
		const text = Number.isFinite(x) ? String(x) : 'null';
		if (this.#at + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		for (let i = 0; i < text.length; i++) this.#bytes[this.#at++] = text.charCodeAt(i);
	}

	#integer(x: number): void {
		if (this.#at + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		if (x >= 0 && x < 10) {
			this.#bytes[this.#at++] = ZERO + x;
			return;
		}
		if (x < 0) {
			// The lowest 32-bit number has no positive counterpart.
			if (x === -2147483648) {
				this.raw(encoder.encode(String(x)));
				return;
			}
			this.#bytes[this.#at++] = MINUS;
		}
		this.#at = putDigits(this.#bytes, this.#at, x < 0 ? -x | 0 : x | 0);
	}

	/**
	 * A 32-bit number in the shortest form that reads back to it: what `shortest` finds, without going through a text.
	 * Entities on no parent show each pose twice, so what was found is kept for a while.
	 */
	float(x: number): void {
		if ((x | 0) === x) {
			// From 2^24 on the shortest form of a whole number may end in zeros that it does not have.
			if (x < 16777216 && x > -16777216) this.#integer(x);
			else this.number(shortestFloat32(x));
			return;
		}
		single[0] = x;
		const pattern = bits[0]!;
		const index = (pattern ^ (pattern >>> 11) ^ (pattern >>> 22)) & (KEPT - 1);
		if (keptPattern[index] !== pattern && !find(x, pattern, index)) {
			this.number(shortestFloat32(x));
			return;
		}
		if (this.#at + NUMBER_ROOM > this.#bytes.length) this.#grow(NUMBER_ROOM);
		const bytes = this.#bytes;
		let at = this.#at;
		if (pattern >>> 31 === 1) bytes[at++] = MINUS;
		const places = keptPlaces[index]!;
		const unit = UNITS[places]!;
		let rest = keptDigits[index]! | 0;
		if (rest < unit) bytes[at++] = ZERO;
		else {
			const whole = (rest / unit) | 0;
			at = putDigits(bytes, at, whole);
			rest = (rest - Math.imul(whole, unit)) | 0;
		}
		bytes[at++] = POINT;
		const end = at + places;
		const view = this.#view;
		let i = end - 2;
		for (; i >= at; i -= 2) {
			const next = (rest / 100) | 0;
			view.setUint16(i, PAIRS[(rest - Math.imul(next, 100)) | 0]!);
			rest = next;
		}
		if (i === at - 1) bytes[at] = ZERO + rest;
		this.#at = end;
	}

	/** Returns a copy of all that was written. The writer must not be used afterwards. */
	end(): Uint8Array<ArrayBuffer> {
		const written = this.#bytes.slice(0, this.#at);
		if (this.#bytes.length <= MAX_SPARE && this.#bytes.length > spare.length) spare = this.#bytes;
		return written;
	}
}
