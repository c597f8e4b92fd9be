/**
 * Matcher for Lua's patterns (manual of Lua 5.4, section 6.4.1).
 * Owns: counting its steps. A pattern can take practically forever, and Lua's own matcher cannot be stopped.
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
const QUESTION_MARK = code('?');

interface Capture {
	start: number;
	length: number;
}

export interface PatternMatch {
	/** Index of the first byte, and of the byte after the last, counted from 0. */
	readonly start: number;
	readonly end: number;
	/** Ranges of the text. An empty capture `()` is a position, counted from 1. */
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
	 * Returns the first match that begins at `from` or later and does not end at `excludedEnd`. A pattern that begins with ^
	 * matches only at `from`, unless `literalCaret` is true.
	 */
	find(from: number, literalCaret = false, excludedEnd = -1): PatternMatch | null {
		const isAnchored = !literalCaret && this.#pattern[0] === CARET;
		for (let start = from; start <= this.#text.length; start++) {
			this.#level = 0;
			this.#depth = 0;
			const end = this.#match(start, isAnchored ? 1 : 0);
			if (end >= 0 && end !== excludedEnd) return { start, end, captures: this.#captureResults() };
			if (isAnchored) return null;
		}
		return null;
	}

	#captureResults(): PatternMatch['captures'] {
		return this.#captures.slice(0, this.#level).map(({ start, length }) => {
			if (length === POSITION) return start + 1;
			if (length === UNFINISHED) throw new Refusal('unfinished capture');
			return [start, start + length] as const;
		});
	}

	/**
	 * Matches the rest of the pattern, from index `patternStart`, with the text from `textStart`. Returns the end of the
	 * match, or -1. In this class, `s` is an index in the text and `p` an index in the pattern.
	 */
	#match(textStart: number, patternStart: number): number {
		if (++this.#depth > MAX_DEPTH) throw new Refusal('pattern too complex');
		const end = this.#matchHere(textStart, patternStart);
		this.#depth--;
		return end;
	}

	#matchHere(textStart: number, patternStart: number): number {
		const pattern = this.#pattern;
		let [s, p] = [textStart, patternStart];
		for (;;) {
			this.#spend(1);
			if (p === pattern.length) return s;
			const first = pattern[p]!;
			if (first === OPEN) {
				return pattern[p + 1] === CLOSE
					? this.#openCapture(s, p + 2, POSITION)
					: this.#openCapture(s, p + 1, UNFINISHED);
			}
			if (first === CLOSE) return this.#closeCapture(s, p + 1);
			if (first === DOLLAR && p + 1 === pattern.length) return s === this.#text.length ? s : -1;
			if (first === ESCAPE) {
				const kind = pattern[p + 1];
				if (kind === code('b')) {
					s = this.#matchBalanced(s, p + 2);
					if (s < 0) return -1;
					p += 4;
					continue;
				}
				if (kind === code('f')) {
					p += 2;
					if (pattern[p] !== SET) throw new Refusal("missing '[' after '%f' in pattern");
					const end = this.#classEnd(p);
					const previousByte = s === 0 ? 0 : this.#text[s - 1]!;
					const nextByte = s < this.#text.length ? this.#text[s]! : 0;
					if (this.#isInSet(previousByte, p, end - 1) || !this.#isInSet(nextByte, p, end - 1)) return -1;
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
			const quantifier = pattern[end];
			if (quantifier === QUESTION_MARK) {
				if (this.#matchesByte(s, p, end)) {
					const matchEnd = this.#match(s + 1, end + 1);
					if (matchEnd >= 0) return matchEnd;
				}
				p = end + 1;
				continue;
			}
			if (quantifier === PLUS) return this.#matchesByte(s, p, end) ? this.#matchLongest(s + 1, p, end) : -1;
			if (quantifier === STAR) return this.#matchLongest(s, p, end);
			if (quantifier === DASH) return this.#matchShortest(s, p, end);
			if (!this.#matchesByte(s, p, end)) return -1;
			s++;
			p = end;
		}
	}

	/** Returns the end of the character class that begins at `from`. */
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

	#matchesByte(s: number, p: number, end: number): boolean {
		if (s >= this.#text.length) return false;
		const byte = this.#text[s]!;
		const kind = this.#pattern[p]!;
		if (kind === DOT) return true;
		if (kind === ESCAPE) return isInClass(byte, this.#pattern[p + 1]!);
		if (kind === SET) return this.#isInSet(byte, p, end - 1);
		return kind === byte;
	}

	/** Returns true if a byte is in the set whose [ is at `from` and whose ] is at `last`. */
	#isInSet(byte: number, from: number, last: number): boolean {
		const pattern = this.#pattern;
		let p = from + 1;
		const resultIfListed = pattern[p] !== CARET;
		if (!resultIfListed) p++;
		for (; p < last; p++) {
			this.#spend(1);
			if (pattern[p] === ESCAPE) {
				p++;
				if (isInClass(byte, pattern[p]!)) return resultIfListed;
			} else if (pattern[p + 1] === DASH && p + 2 < last) {
				if (pattern[p]! <= byte && byte <= pattern[p + 2]!) return resultIfListed;
				p += 2;
			} else if (pattern[p] === byte) return resultIfListed;
		}
		return !resultIfListed;
	}

	#matchLongest(s: number, p: number, end: number): number {
		let count = 0;
		while (this.#matchesByte(s + count, p, end)) {
			this.#spend(1);
			count++;
		}
		for (; count >= 0; count--) {
			const matchEnd = this.#match(s + count, end + 1);
			if (matchEnd >= 0) return matchEnd;
		}
		return -1;
	}

	#matchShortest(from: number, p: number, end: number): number {
		for (let s = from; ; s++) {
			const matchEnd = this.#match(s, end + 1);
			if (matchEnd >= 0) return matchEnd;
			if (!this.#matchesByte(s, p, end)) return -1;
		}
	}

	#openCapture(s: number, p: number, length: number): number {
		if (this.#level >= MAX_CAPTURES) throw new Refusal('too many captures');
		this.#captures[this.#level++] = { start: s, length };
		const matchEnd = this.#match(s, p);
		if (matchEnd < 0) this.#level--;
		return matchEnd;
	}

	#closeCapture(s: number, p: number): number {
		let level = this.#level - 1;
		while (level >= 0 && this.#captures[level]!.length !== UNFINISHED) level--;
		if (level < 0) throw new Refusal('invalid pattern capture');
		const capture = this.#captures[level]!;
		capture.length = s - capture.start;
		const matchEnd = this.#match(s, p);
		if (matchEnd < 0) capture.length = UNFINISHED;
		return matchEnd;
	}

	#matchBalanced(s: number, p: number): number {
		const [text, pattern] = [this.#text, this.#pattern];
		if (p + 1 >= pattern.length) throw new Refusal("malformed pattern (missing arguments to '%b')");
		if (s >= text.length || text[s] !== pattern[p]) return -1;
		let depth = 1;
		for (let i = s + 1; i < text.length; i++) {
			this.#spend(1);
			if (text[i] === pattern[p + 1]) {
				if (--depth === 0) return i + 1;
			} else if (text[i] === pattern[p]) depth++;
		}
		return -1;
	}

	/** Matches the text of an earlier capture again. */
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

const isBetween = (byte: number, low: string, high: string) => byte >= code(low) && byte <= code(high);
const isDigit = (byte: number) => isBetween(byte, '0', '9');
const isLower = (byte: number) => isBetween(byte, 'a', 'z');
const isUpper = (byte: number) => isBetween(byte, 'A', 'Z');
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
	x: (byte) => isDigit(byte) || isBetween(byte, 'a', 'f') || isBetween(byte, 'A', 'F'),
};

/** Returns true if a byte is in the class of a letter after %. A capital letter means the complement. */
function isInClass(byte: number, kind: number): boolean {
	const letter = String.fromCharCode(kind);
	const lower = letter.toLowerCase();
	const isMember = isLetter(kind) ? CLASSES[lower] : undefined;
	return isMember === undefined ? kind === byte : isMember(byte) === (letter === lower);
}
