/**
 * The short texts in which rules can be written.
 * Owns: what the texts of conditions and of actions have in common: numbers, places, and the ranges of the typed form.
 */

import type * as z from 'zod';
import { shapeFault } from '../../../shared/contract/explain-issue.ts';
import { nearest } from '../../../shared/contract/nearest.ts';

/** What is wrong with a text. */
export class RuleTextError extends Error {}

export function number(text: string | undefined, what: string): number {
	if (text === undefined) throw new RuleTextError(`${what} must be a number, and is missing`);
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (!Number.isFinite(value)) throw new RuleTextError(`${what} must be a number, got "${text}"`);
	return value;
}

export function whole(text: string | undefined, what: string): number {
	const value = number(text, what);
	if (!Number.isInteger(value)) throw new RuleTextError(`${what} must be a whole number, got "${text}"`);
	return value;
}

/** Reads `x,y,z`. */
export function vector(text: string | undefined, what: string): [number, number, number] {
	if (text === undefined) throw new RuleTextError(`${what} must be x,y,z, and is missing`);
	const parts = text.split(',').map((part) => number(part, what));
	if (parts.length !== 3) throw new RuleTextError(`${what} must be x,y,z, got "${text}"`);
	return parts as [number, number, number];
}

/** What a text says, in the ranges of the typed form. */
export function within<T>(schema: z.ZodType<T>, read: unknown): T {
	const checked = schema.safeParse(read);
	if (checked.success) return checked.data;
	const { message, fix } = shapeFault('invalid_rule', schema, checked.error, read);
	throw new RuleTextError(`${message} ${fix}`.replace(/\.$/, ''));
}

/** Refuses a text whose first word is none of the forms that are known. */
export function unknownText(what: string, sent: string, word: string, forms: readonly string[]): never {
	const near = nearest(
		word,
		forms.map((form) => form.split(/[: ]/)[0]!),
	);
	throw new RuleTextError(
		`the ${what} "${sent}" is not understood${near === undefined ? '' : `; did you mean "${near}"?`}; known: ${forms.join(', ')}`,
	);
}
