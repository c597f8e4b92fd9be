/**
 * Lua's patterns, matched step by step.
 * Owns: the matcher of Lua 5.4 (its manual, 6.4.1), with a count of its steps: a pattern can take longer than the world will last,
 * and Lua's own matcher cannot be stopped.
 */

import { Refusal } from '../../../shared/contract/errors.ts';

const MAX_CAPTURES = 32;
const MAX_DEPTH = 200;
const UNFINISHED = -1;
const POSITION = -2;

const code = (letter: string) => letter.charCodeAt(0);
const ESCAPE = code('%');
const DOT = code('.');
const OPEN = code('(');
const CLOSE = code(')');
const SET = code('[');
const SET_END = code(']');
const CARET = code('^');
const DOLLAR = code('$');
const DASH = code('-');
const STAR = code('*');
const PLUS = code('+');
const MAYBE = code('?');

interface Capture {
	start: number;
	length: number;
}

export interface Found {
	/** First byte, and the one after the last, counted from 0. */
	readonly start: number;
	readonly end: number;
	/** Pieces of the subject, or the place of an empty capture, counted from 1. */
	readonly captures: readonly (readonly [start: number, end: number] | number)[];
}

export class Matcher {
	readonly #text: Uint8Array;
	readonly #pattern: Uint8Array;
	readonly #spend: (steps: number) => void;
	#captures: Capture[] = [];
	#level = 0;
	#depth = 0;

	/** `spend` is called for every step, and throws after too many. */
	constructor(text: Uint8Array, pattern: Uint8Array, spend: (steps: number) => void) {
		this.#text = text;
		this.#pattern = pattern;
		this.#spend = spend;
	}

	/**
	 * Returns the first match that begins at `from` or later and does not end at `not`. A pattern that begins with ^
	 * matches at `from` only, unless it is `literal`.
	 */
	find(from: number, literal = false, not = -1): Found | null {
		const anchored = !literal && this.#pattern[0] === CARET;
		for (let start = from; start <= this.#text.length; start++) {
			this.#level = 0;
			this.#depth = 0;
			const end = this.#match(start, anchored ? 1 : 0);
			if (end >= 0 && end !== not) return { start, end, captures: this.#taken() };
			if (anchored) return null;
		}
		return null;
	}

	#taken(): Found['captures'] {
		return this.#captures.slice(0, this.#level).map(({ start, length }) => {
			if (length === POSITION) return start + 1;
			if (length === UNFINISHED) throw new Refusal('unfinished capture');
			return [start, start + length] as const;
		});
	}

	/** Returns the end of a match of the rest of the pattern from `p` on that begins at `s`, or -1. */
	#match(from: number, at: number): number {
		if (++this.#depth > MAX_DEPTH) throw new Refusal('pattern too complex');
		const end = this.#matchHere(from, at);
		this.#depth--;
		return end;
	}

	#matchHere(from: number, at: number): number {
		const pattern = this.#pattern;
		let [s, p] = [from, at];
		for (;;) {
			this.#spend(1);
			if (p === pattern.length) return s;
			const first = pattern[p]!;
			if (first === OPEN) {
				return pattern[p + 1] === CLOSE ? this.#open(s, p + 2, POSITION) : this.#open(s, p + 1, UNFINISHED);
			}
			if (first === CLOSE) return this.#close(s, p + 1);
			if (first === DOLLAR && p + 1 === pattern.length) return s === this.#text.length ? s : -1;
			if (first === ESCAPE) {
				const kind = pattern[p + 1];
				if (kind === code('b')) {
					s = this.#balance(s, p + 2);
					if (s < 0) return -1;
					p += 4;
					continue;
				}
				if (kind === code('f')) {
					p += 2;
					if (pattern[p] !== SET) throw new Refusal("missing '[' after '%f' in pattern");
					const end = this.#classEnd(p);
					const before = s === 0 ? 0 : this.#text[s - 1]!;
					const here = s < this.#text.length ? this.#text[s]! : 0;
					if (this.#inSet(before, p, end - 1) || !this.#inSet(here, p, end - 1)) return -1;
					p = end;
					continue;
				}
				if (kind !== undefined && kind >= code('0') && kind <= code('9')) {
					s = this.#matchCapture(s, kind);
					if (s < 0) return -1;
					p += 2;
					continue;
				}
			}
			const end = this.#classEnd(p);
			const how = pattern[end];
			if (how === MAYBE) {
				if (this.#single(s, p, end)) {
					const found = this.#match(s + 1, end + 1);
					if (found >= 0) return found;
				}
				p = end + 1;
				continue;
			}
			if (how === PLUS) return this.#single(s, p, end) ? this.#most(s + 1, p, end) : -1;
			if (how === STAR) return this.#most(s, p, end);
			if (how === DASH) return this.#least(s, p, end);
			if (!this.#single(s, p, end)) return -1;
			s++;
			p = end;
		}
	}

	/** Returns the end of the class that begins at `p`. */
	#classEnd(from: number): number {
		const pattern = this.#pattern;
		let p = from + 1;
		if (pattern[from] === ESCAPE) {
			if (p >= pattern.length) throw new Refusal("malformed pattern (ends with '%')");
			return p + 1;
		}
		if (pattern[from] !== SET) return p;
		if (pattern[p] === CARET) p++;
		do {
			if (p >= pattern.length) throw new Refusal("malformed pattern (missing ']')");
			this.#spend(1);
			if (pattern[p++] === ESCAPE) p++;
		} while (pattern[p] !== SET_END);
		return p + 1;
	}

	#single(s: number, p: number, end: number): boolean {
		if (s >= this.#text.length) return false;
		const byte = this.#text[s]!;
		const kind = this.#pattern[p]!;
		if (kind === DOT) return true;
		if (kind === ESCAPE) return isOf(byte, this.#pattern[p + 1]!);
		if (kind === SET) return this.#inSet(byte, p, end - 1);
		return kind === byte;
	}

	/** Returns true if a byte is in the set from `p`, its [, to `last`, its ]. */
	#inSet(byte: number, from: number, last: number): boolean {
		const pattern = this.#pattern;
		let p = from + 1;
		const wanted = pattern[p] !== CARET;
		if (!wanted) p++;
		for (; p < last; p++) {
			this.#spend(1);
			if (pattern[p] === ESCAPE) {
				p++;
				if (isOf(byte, pattern[p]!)) return wanted;
			} else if (pattern[p + 1] === DASH && p + 2 < last) {
				if (pattern[p]! <= byte && byte <= pattern[p + 2]!) return wanted;
				p += 2;
			} else if (pattern[p] === byte) return wanted;
		}
		return !wanted;
	}

	#most(s: number, p: number, end: number): number {
		let count = 0;
		while (this.#single(s + count, p, end)) {
			this.#spend(1);
			count++;
		}
		for (; count >= 0; count--) {
			const found = this.#match(s + count, end + 1);
			if (found >= 0) return found;
		}
		return -1;
	}

	#least(from: number, p: number, end: number): number {
		for (let s = from; ; s++) {
			const found = this.#match(s, end + 1);
			if (found >= 0) return found;
			if (!this.#single(s, p, end)) return -1;
		}
	}

	#open(s: number, p: number, length: number): number {
		if (this.#level >= MAX_CAPTURES) throw new Refusal('too many captures');
		this.#captures[this.#level++] = { start: s, length };
		const found = this.#match(s, p);
		if (found < 0) this.#level--;
		return found;
	}

	#close(s: number, p: number): number {
		let level = this.#level - 1;
		while (level >= 0 && this.#captures[level]!.length !== UNFINISHED) level--;
		if (level < 0) throw new Refusal('invalid pattern capture');
		const capture = this.#captures[level]!;
		capture.length = s - capture.start;
		const found = this.#match(s, p);
		if (found < 0) capture.length = UNFINISHED;
		return found;
	}

	#balance(s: number, p: number): number {
		const [text, pattern] = [this.#text, this.#pattern];
		if (p + 1 >= pattern.length) throw new Refusal("malformed pattern (missing arguments to '%b')");
		if (s >= text.length || text[s] !== pattern[p]) return -1;
		let depth = 1;
		for (let at = s + 1; at < text.length; at++) {
			this.#spend(1);
			if (text[at] === pattern[p + 1]) {
				if (--depth === 0) return at + 1;
			} else if (text[at] === pattern[p]) depth++;
		}
		return -1;
	}

	/** Matches what a capture has matched again. */
	#matchCapture(s: number, digit: number): number {
		const index = digit - code('1');
		const capture = index < 0 || index >= this.#level ? undefined : this.#captures[index];
		if (capture === undefined || capture.length === UNFINISHED)
			throw new Refusal(`invalid capture index %${index + 1}`);
		const length = Math.max(capture.length, 0);
		this.#spend(length);
		if (this.#text.length - s < length) return -1;
		for (let i = 0; i < length; i++) if (this.#text[capture.start + i] !== this.#text[s + i]) return -1;
		return s + length;
	}
}

const between = (byte: number, low: string, high: string) => byte >= code(low) && byte <= code(high);
const isDigit = (byte: number) => between(byte, '0', '9');
const isLower = (byte: number) => between(byte, 'a', 'z');
const isUpper = (byte: number) => between(byte, 'A', 'Z');
const isLetter = (byte: number) => isLower(byte) || isUpper(byte);

const CLASSES: Readonly<Record<string, (byte: number) => boolean>> = {
	a: isLetter,
	c: (byte) => byte < 32 || byte === 127,
	d: isDigit,
	g: (byte) => byte > 32 && byte < 127,
	l: isLower,
	p: (byte) => byte > 32 && byte < 127 && !isLetter(byte) && !isDigit(byte),
	s: (byte) => byte === 32 || (byte >= 9 && byte <= 13),
	u: isUpper,
	w: (byte) => isLetter(byte) || isDigit(byte),
	x: (byte) => isDigit(byte) || between(byte, 'a', 'f') || between(byte, 'A', 'F'),
};

/** Returns true if a byte is of the class after a %; a capital letter means all others. */
function isOf(byte: number, kind: number): boolean {
	const letter = String.fromCharCode(kind);
	const lower = letter.toLowerCase();
	const known = isLetter(kind) ? CLASSES[lower] : undefined;
	return known === undefined ? kind === byte : known(byte) === (letter === lower);
}
