/**
 * Words in short texts of actions. Each belongs to a field, and has functions that read and write it.
 * Owns: texts whose words have a fixed order. Other actions have functions of their own.
 */

import { readTarget, type Target, writeTarget } from '../targets/index.ts';
import { inQuotes, readNumber, readVector, readWhole, type Words, withoutQuotes } from '../verb-text.ts';

export interface ActionWord {
	readonly field: string;
	readonly isOptional: boolean;
	/** Reads the value of the field. Throws a Refusal. */
	read(text: string | undefined): unknown;
	write(value: never): string;
}

const word =
	<T>(
		read: (text: string | undefined, noun: string) => unknown,
		write: (value: T) => string,
	): ((field: string, noun?: string) => ActionWord) =>
	(field, noun = field) => ({ field, isOptional: false, read: (text) => read(text, noun), write });

/** Word of the field `target`. */
export const aimWord: ActionWord = word<Target>(readTarget, writeTarget)('target');

/** Returns the word of a number. `noun`: its name in errors. */
export const numberWord = word<number>(readNumber, String);
/** Returns the word of a whole number. */
export const wholeWord = word<number>(readWhole, String);
/** Returns the word of a vector `x,y,z`. */
export const vectorWord = word<readonly number[]>(readVector, (position) => position.join(','));
/** Returns the word of a text without blanks, or in quotes. */
export const plainWord = word<string>((text) => withoutQuotes(text ?? ''), inQuotes);

/** Makes a word optional: a text may omit it or skip it with `-`. */
export const optionalWord = (actionWord: ActionWord): ActionWord => ({ ...actionWord, isOptional: true });

const isSkipped = (text: string | undefined): boolean => text === undefined || text === '-';

/** Returns the functions that read and write an action's words in this order. */
export function inOrder(...words: readonly ActionWord[]) {
	return {
		maxWords: words.length,
		read: (sent: Words): object =>
			Object.fromEntries(
				words.flatMap(({ field, isOptional, read }, index) =>
					isOptional && isSkipped(sent[index]) ? [] : [[field, read(sent[index])]],
				),
			),
		write: (action: object): Words =>
			words.map(({ field, write }) => {
				const value = (action as Readonly<Record<string, unknown>>)[field];
				return value == null ? undefined : write(value as never);
			}),
	};
}
