/**
 * Words of short texts such as `timer:5` and `heal this 10`.
 * Owns: the common parts of conditions, actions and targets: numbers, positions, and the ranges of the typed form.
 */

import type * as z from 'zod';
import { Refusal } from '../contract/errors.ts';
import { shapeError } from '../contract/explain-issue.ts';
import { nearest } from '../contract/nearest.ts';

/** Words of a text; undefined for an omitted word. */
export type Words = readonly (string | undefined)[];

/** Returns a value as a word. Blanks, brackets and signs need quotes. A value that contains quotes stays as it is. */
export const inQuotes = (value: string): string =>
	/^[\p{L}\p{N}_.:'-]*$/u.test(value) || value.includes('"') ? value : `"${value}"`;

/** Returns a value without the quotes around it, if it has any. */
export const withoutQuotes = (value: string): string => /^"([^"]*)"$/.exec(value)?.[1] ?? value;

/** Splits a text at its blanks, except inside quotes. */
export const wordsIn = (text: string): string[] => text.match(/(?:"[^"]*"|\S)+/g) ?? [];

/** Reads a number. `noun`: its name in errors. Throws a Refusal. */
export function readNumber(text: string | undefined, noun: string): number {
	if (text === undefined) throw new Refusal(`${noun} is missing and must be a number`);
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new Refusal(`${noun} must be a number, got "${text}"`);
	return value;
}

/** Reads a whole number. `noun`: its name in errors. Throws a Refusal. */
export function readWhole(text: string | undefined, noun: string): number {
	const value = readNumber(text, noun);
	if (!Number.isInteger(value)) throw new Refusal(`${noun} must be a whole number, got "${text}"`);
	return value;
}

/** Reads `x,y,z`. `noun`: its name in errors. Throws a Refusal. */
export function readVector(text: string | undefined, noun: string): [number, number, number] {
	if (text === undefined) throw new Refusal(`${noun} is missing and must be x,y,z`);
	const parts = text.split(',').map((part) => readNumber(part, noun));
	if (parts.length !== 3) throw new Refusal(`${noun} must be x,y,z, got "${text}"`);
	return parts as [number, number, number];
}

/** Reads the words that are neither omitted nor skipped with `-`. Returns their values by name. */
export function readPresent<T>(
	words: Readonly<Record<string, string | undefined>>,
	read: (text: string) => T,
) {
	const present = Object.entries(words).filter(([, text]) => text !== undefined && text !== '-');
	return Object.fromEntries(present.map(([name, text]) => [name, read(text!)]));
}

/** Checks a value from a text against the schema of its typed form, such as its ranges. Throws a Refusal. */
export function withinRanges<T>(schema: z.ZodType<T>, read: unknown): T {
	const checked = schema.safeParse(read);
	if (checked.success) return checked.data;
	const { message, fix } = shapeError('invalid_rule', schema, checked.error, read);
	throw new Refusal(`${message} ${fix}`.replace(/\.$/, ''));
}

/** Returns the message for a word that is not in a list, with the nearest word. `noun`: kind of word. */
export function unknownWordMessage(noun: string, sent: string, knownNames: readonly string[]): string {
	const near = nearest(sent, knownNames);
	return `there is no ${noun} "${sent}"${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${knownNames.join(', ')}`;
}

/** Throws the Refusal of a text whose first word begins none of the forms. `noun`: kind of text. */
export function refuseUnknownText(noun: string, sent: string, word: string, forms: readonly string[]): never {
	const near = nearest(
		word,
		forms.map((form) => form.split(/[: ]/)[0]!),
	);
	throw new Refusal(
		`the ${noun} "${sent}" is not understood${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${forms.join(', ')}`,
	);
}
