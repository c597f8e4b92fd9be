/**
 * JSON from outside, as a body or as a file: its value, and its extra limits. It may not repeat a key of an object,
 * because parsing silently keeps the last. It may not nest so deep that code runs out of stack, nor name a key that
 * records cannot keep.
 * Owns: these checks. They take one look at every character and never recurse, so that no text is too long for them.
 */

import { Refusal } from './errors.ts';
import { MAX_DEPTH } from './wire.ts';

/** Longest part of a key that a refusal repeats. */
const SHOWN_KEY = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the value that bytes stand for. `subject` begins the sentences: "The body"; `deepest` is how far it may
 * nest. Throws a Refusal.
 */
export function parseJson(bytes: Uint8Array, subject: string, deepest = MAX_DEPTH): unknown {
	let text: string;
	try {
		text = utf8.decode(bytes);
	} catch {
		throw new Refusal(`${subject} is not JSON: it is not UTF-8.`);
	}
	return parseJsonText(text, subject, deepest);
}

/** Returns the same for a text. */
export function parseJsonText(text: string, subject: string, deepest = MAX_DEPTH): unknown {
	refuseHalves(text, subject);
	// Before the text is parsed: what nests by the million takes far more memory than its text.
	const members = countColons(text, subject, deepest);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw new Refusal(`${subject} is not JSON: ${(error as Error).message}.`);
	}
	// A text that says more members than there are has lost some.
	if (members === countMembers(value, subject)) return value;
	const twin = twinKey(text);
	const shortTwin = twin.length > SHOWN_KEY ? `${twin.slice(0, SHOWN_KEY)}...` : twin;
	throw new Refusal(
		`An object in ${subject.replace(/^The /, 'the ')} has the key "${shortTwin}" more than once.`,
		`Send "${shortTwin}" once.`,
	);
}

/**
 * Refuses a lone surrogate such as `\ud800`. A URL cannot contain such a name, and a disk maps all of them to one.
 */
function refuseHalves(text: string, subject: string): void {
	for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
		const unit = escapedUnit(text, at);
		const low = unit >= 0xd800 && unit < 0xdc00 ? escapedUnit(text, at + 6) : 0;
		const isPair = low >= 0xdc00 && low < 0xe000;
		if (unit >= 0xd800 && unit < 0xe000 && !isPair)
			throw new Refusal(
				`${subject} has "${text.slice(at, at + 6)}" in a string: a lone surrogate, which is half of a character.`,
				'Send both halves, or the character itself.',
			);
		at += isPair ? 12 : 2;
	}
}

/** Returns the number of an escape such as `\u00e9`; 0 for any other. */
function escapedUnit(text: string, at: number): number {
	if (text[at] !== '\\' || text[at + 1] !== 'u') return 0;
	const unit = Number.parseInt(text.slice(at + 2, at + 6), 16);
	return Number.isNaN(unit) ? 0 : unit;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const opens = (code: number) => code === 0x7b || code === 0x5b;
const closes = (code: number) => code === 0x7d || code === 0x5d;

/** Returns the end of the text that begins with the quote at `from`; the end of everything when it has none. */
function endOfText(text: string, from: number): number {
	for (let at = from + 1; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === BACKSLASH) at++;
		else if (code === QUOTE) return at;
	}
	return text.length;
}

/** Counts the members of the objects of a text. Throws a Refusal when it nests too deep. */
function countColons(text: string, subject: string, deepest: number): number {
	let depth = 0;
	let colons = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) at = endOfText(text, at);
		else if (code === COLON) colons++;
		else if (closes(code)) depth--;
		else if (opens(code) && ++depth > deepest)
			throw new Refusal(
				`${subject} nests lists and objects deeper than ${deepest}.`,
				`Nest at most ${deepest} levels.`,
			);
	}
	return colons;
}

/**
 * Counts the members of the objects of a value whose depth is known to be small. Throws a Refusal for a key that none
 * may have.
 */
function countMembers(value: unknown, subject: string): number {
	if (typeof value !== 'object' || value === null) return 0;
	let count = 0;
	if (Array.isArray(value)) {
		for (const part of value) if (typeof part === 'object') count += countMembers(part, subject);
		return count;
	}
	for (const key in value) {
		// Records that code makes cannot have it: it would vanish on the way.
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

/** Returns the first key that an object of the text has twice. */
function twinKey(text: string): string {
	/** Keys of the objects that are open; null for a list. */
	const open: (Set<string> | null)[] = [];
	let keyFollows = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (opens(code)) open.push(code === 0x7b ? new Set() : null);
		else if (closes(code)) open.pop();
		if (code === QUOTE) {
			const end = endOfText(text, at);
			const keys = open.at(-1);
			if (keyFollows && keys != null) {
				const key = JSON.parse(text.slice(at, end + 1)) as string;
				if (keys.has(key)) return key;
				keys.add(key);
			}
			keyFollows = false;
			at = end;
		} else if (code === COMMA || opens(code)) keyFollows = true;
		else if (code === COLON) keyFollows = false;
	}
	throw new Error('a text has more members than its value and no key twice');
}
