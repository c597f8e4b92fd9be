/**
 * Parses JSON of a body or a file, with additional checks. An object may not repeat a key, because parsing silently keeps
 * the last one. Lists and objects may not nest too deep, because code would run out of stack. The key `__proto__` is not
 * allowed, because objects lose it.
 * Owns: these checks. They read each character once and do not recurse on the text, so that its length does not matter.
 */

import { Refusal } from './errors.ts';
import { MAX_DEPTH } from './wire.ts';

/** Maximum characters of a key in an error text. */
const MAX_SHOWN_KEY = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the value of JSON bytes. `subject`: start of error texts, such as "The body". `maxDepth`: maximum nesting.
 * Throws a `Refusal`.
 */
export function parseJson(bytes: Uint8Array, subject: string, maxDepth = MAX_DEPTH): unknown {
	let text: string;
	try {
		text = utf8.decode(bytes);
	} catch {
		throw new Refusal(`${subject} is not JSON: it is not UTF-8.`);
	}
	return parseJsonText(text, subject, maxDepth);
}

/** Returns the value of a JSON text. Throws a `Refusal`. */
export function parseJsonText(text: string, subject: string, maxDepth = MAX_DEPTH): unknown {
	refuseLoneSurrogates(text, subject);
	// The depth is checked before parsing, because a deeply nested value takes far more memory than its text.
	const members = countColons(text, subject, maxDepth);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw new Refusal(`${subject} is not JSON: ${(error as Error).message}.`);
	}
	// If the text has more members than the value, a key was repeated.
	if (members === countMembers(value, subject)) return value;
	const key = repeatedKey(text);
	const shownKey = key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}...` : key;
	throw new Refusal(
		`An object in ${subject.replace(/^The /, 'the ')} has the key "${shownKey}" more than once.`,
		`Send "${shownKey}" once.`,
	);
}

/**
 * Refuses a lone surrogate such as `\ud800`. A URL cannot contain such a name, and a disk maps all of them to one.
 */
function refuseLoneSurrogates(text: string, subject: string): void {
	for (let index = text.indexOf('\\'); index >= 0; index = text.indexOf('\\', index)) {
		const unit = escapedUnit(text, index);
		const low = unit >= 0xd800 && unit < 0xdc00 ? escapedUnit(text, index + 6) : 0;
		const isPair = low >= 0xdc00 && low < 0xe000;
		if (unit >= 0xd800 && unit < 0xe000 && !isPair)
			throw new Refusal(
				`${subject} has "${text.slice(index, index + 6)}" in a string: a lone surrogate, which is half of a character.`,
				'Send both halves, or the character itself.',
			);
		index += isPair ? 12 : 2;
	}
}

/** Returns the number of an escape such as `\u00e9`; 0 for any other. */
function escapedUnit(text: string, index: number): number {
	if (text[index] !== '\\' || text[index + 1] !== 'u') return 0;
	const unit = Number.parseInt(text.slice(index + 2, index + 6), 16);
	return Number.isNaN(unit) ? 0 : unit;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

/** Returns the index of the closing quote of the string that starts at `from`, or the length of the text without one. */
function endOfString(text: string, from: number): number {
	for (let index = from + 1; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === BACKSLASH) index++;
		else if (code === QUOTE) return index;
	}
	return text.length;
}

/** Counts the members of all objects in a text by their colons. Throws a `Refusal` if the text nests too deep. */
function countColons(text: string, subject: string, maxDepth: number): number {
	let depth = 0;
	let colons = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === QUOTE) index = endOfString(text, index);
		else if (code === COLON) colons++;
		else if (isClosing(code)) depth--;
		else if (isOpening(code) && ++depth > maxDepth)
			throw new Refusal(
				`${subject} nests lists and objects deeper than ${maxDepth}.`,
				`Nest at most ${maxDepth} levels.`,
			);
	}
	return colons;
}

/**
 * Counts the members of all objects in a value, whose depth was checked. Throws a `Refusal` for a forbidden key.
 */
function countMembers(value: unknown, subject: string): number {
	if (typeof value !== 'object' || value === null) return 0;
	let count = 0;
	if (Array.isArray(value)) {
		for (const part of value) if (typeof part === 'object') count += countMembers(part, subject);
		return count;
	}
	for (const key in value) {
		// Objects that code creates lose this key.
		if (key === '__proto__')
			throw new Refusal(
				`An object in ${subject.replace(/^The /, 'the ')} has the key "__proto__", which is not allowed.`,
				'Use another key.',
			);
		count++;
		const part = (value as Record<string, unknown>)[key];
		if (typeof part === 'object') count += countMembers(part, subject);
	}
	return count;
}

/** Returns the first key that an object in the text repeats. */
function repeatedKey(text: string): string {
	/** Keys of each open object; null for an open list. */
	const openKeys: (Set<string> | null)[] = [];
	let keyFollows = false;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (isOpening(code)) openKeys.push(code === 0x7b ? new Set() : null);
		else if (isClosing(code)) openKeys.pop();
		if (code === QUOTE) {
			const end = endOfString(text, index);
			const keys = openKeys.at(-1);
			if (keyFollows && keys != null) {
				const key = JSON.parse(text.slice(index, end + 1)) as string;
				if (keys.has(key)) return key;
				keys.add(key);
			}
			keyFollows = false;
			index = end;
		} else if (code === COMMA || isOpening(code)) keyFollows = true;
		else if (code === COLON) keyFollows = false;
	}
	throw new Error('a text has more members than its value and no key twice');
}
