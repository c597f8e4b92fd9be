/**
 * Words in short texts of actions. Each is a field with functions that read and write it.
 * Owns: texts whose words have a fixed order. Actions with another order have their own functions.
 */

import { readTarget, type Target, writeTarget } from '../targets/index.ts';
import { inQuotes, readNumber, readVector, readWhole, type Words, withoutQuotes } from '../verb-text.ts';

export interface ActionWord {
	readonly field: string;
	readonly isOptional: boolean;
	/** Throws a Refusal. */
	read(text: string | undefined): unknown;
	write(value: never): string;
}

const word =
	<T>(
		read: (text: string | undefined, what: string) => unknown,
		write: (value: T) => string,
	): ((field: string, what?: string) => ActionWord) =>
	(field, what = field) => ({ field, isOptional: false, read: (text) => read(text, what), write });

/** A target in the field `target`. */
export const aim: ActionWord = word<Target>(readTarget, writeTarget)('target');

/** Returns the word of a number. `what` is its name in errors. */
export const numeric = word<number>(readNumber, String);
export const whole = word<number>(readWhole, String);
export const vector = word<readonly number[]>(readVector, (position) => position.join(','));
export const plain = word<string>((text) => withoutQuotes(text ?? ''), inQuotes);

/** Returns an optional word. A text may omit it or skip it with `-`. */
export const maybe = (given: ActionWord): ActionWord => ({ ...given, isOptional: true });

const isSkipped = (text: string | undefined): boolean => text === undefined || text === '-';

/** Returns the functions that read and write words in this order. */
export function inOrder(...words: readonly ActionWord[]) {
	return {
		most: words.length,
		read: (sent: Words): object =>
			Object.fromEntries(
				words.flatMap(({ field, isOptional, read }, at) =>
					isOptional && isSkipped(sent[at]) ? [] : [[field, read(sent[at])]],
				),
			),
		write: (action: object): Words =>
			words.map(({ field, write }) => {
				const value = (action as Readonly<Record<string, unknown>>)[field];
				return value == null ? undefined : write(value as never);
			}),
	};
}
