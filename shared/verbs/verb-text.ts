/**
 * The words of short texts such as `timer:5` and `heal this 10`.
 * Owns: the common parts of conditions, actions and targets: numbers, positions, and the ranges of the typed form.
 */

import type * as z from 'zod';
import { Refusal } from '../contract/errors.ts';
import { shapeError } from '../contract/explain-issue.ts';
import { nearest } from '../contract/nearest.ts';

/** Words of a text; those that were left out are undefined. */
export type Words = readonly (string | undefined)[];

/** Writes a value into a short text. Blanks, brackets and signs need quotes, which no value in quotes can contain. */
export const inQuotes = (value: string): string =>
	/^[\p{L}\p{N}_.:'-]*$/u.test(value) || value.includes('"') ? value : `"${value}"`;

/** Reads a value that may have quotes around it. */
export const withoutQuotes = (value: string): string => /^"([^"]*)"$/.exec(value)?.[1] ?? value;

/** Splits a text at its blanks, except inside quotes. */
export const wordsIn = (text: string): string[] => text.match(/(?:"[^"]*"|\S)+/g) ?? [];

export function readNumber(text: string | undefined, what: string): number {
	if (text === undefined) throw new Refusal(`${what} is missing and must be a number`);
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new Refusal(`${what} must be a number, got "${text}"`);
	return value;
}

export function readWhole(text: string | undefined, what: string): number {
	const value = readNumber(text, what);
	if (!Number.isInteger(value)) throw new Refusal(`${what} must be a whole number, got "${text}"`);
	return value;
}

/** Reads `x,y,z`. */
export function readVector(text: string | undefined, what: string): [number, number, number] {
	if (text === undefined) throw new Refusal(`${what} is missing and must be x,y,z`);
	const parts = text.split(',').map((part) => readNumber(part, what));
	if (parts.length !== 3) throw new Refusal(`${what} must be x,y,z, got "${text}"`);
	return parts as [number, number, number];
}

/** Returns the words that are given and not skipped with `-`, each parsed, under their names. */
export function readGiven<T>(words: Readonly<Record<string, string | undefined>>, read: (text: string) => T) {
	const present = Object.entries(words).filter(([, text]) => text !== undefined && text !== '-');
	return Object.fromEntries(present.map(([name, text]) => [name, read(text!)]));
}

/** Returns a value read from a text, checked against the ranges of the typed form. */
export function withinRanges<T>(schema: z.ZodType<T>, read: unknown): T {
	const checked = schema.safeParse(read);
	if (checked.success) return checked.data;
	const { message, fix } = shapeError('invalid_rule', schema, checked.error, read);
	throw new Refusal(`${message} ${fix}`.replace(/\.$/, ''));
}

/** Returns the message for a word that is not in a list, with the nearest one. */
export function unknownWord(what: string, sent: string, knownNames: readonly string[]): string {
	const near = nearest(sent, knownNames);
	return `there is no ${what} "${sent}"${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${knownNames.join(', ')}`;
}

/** Refuses a text whose first word begins none of the forms. */
export function unknownText(what: string, sent: string, word: string, forms: readonly string[]): never {
	const near = nearest(
		word,
		forms.map((form) => form.split(/[: ]/)[0]!),
	);
	throw new Refusal(
		`the ${what} "${sent}" is not understood${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${forms.join(', ')}`,
	);
}
