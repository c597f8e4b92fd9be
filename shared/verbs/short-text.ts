/**
 * The short texts of conditions and actions in typed form.
 * Owns: the guarantee that a text reads back to the same value. What has no such text is written as JSON.
 */

import type * as z from 'zod';
import { catchRefusal, Refusal } from '../contract/errors.ts';
import { reasonOf } from '../contract/reason.ts';
import { type Action, actionDocument, actionKind, readAction, targetsOf } from './actions/index.ts';
import { readCondition, type TextUse } from './condition-text.ts';
import { type Condition, conditionDocument, type InnerCondition, writeFilter } from './conditions/index.ts';
import { targetKind, targetParts } from './targets/index.ts';
import { withinRanges } from './verb-text.ts';

const isJson = (text: string): boolean => text.startsWith('{');

/** Reads JSON in typed form, or a short text. Throws a Refusal. */
function readEither<T>(text: string, schema: z.ZodType<T>, read: (text: string) => T): T {
	return isJson(text) ? withinRanges(schema, parseJson(text)) : read(text);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new Refusal(`"${text}" is not JSON: ${reasonOf(error)}`);
	}
}

/** Reads a condition that is a short text or JSON. Throws a Refusal. */
export const readWrittenCondition = (text: string, use: TextUse): Condition =>
	readEither(text, conditionDocument, (short) => readCondition(short, use));

/** Reads an action that is a short text or JSON. Throws a Refusal. */
export const readWrittenAction = (text: string): Action => readEither(text, actionDocument, readAction);

/** Returns the first text that reads to the same; otherwise its JSON. */
function firstThatReads<T>(
	value: T,
	texts: readonly string[],
	read: (text: string) => T,
	printOf: (value: T) => string = print,
): string {
	const expectedPrint = printOf(value);
	const isSame = (text: string): boolean =>
		!text.includes('\n') &&
		!isJson(text) &&
		catchRefusal(
			() => printOf(read(text)) === expectedPrint,
			() => false,
		);
	return texts.find(isSame) ?? JSON.stringify(value);
}

/** Writes a condition. A filter that is a text stays as it is. */
export function writeWrittenCondition(condition: InnerCondition | string, use: TextUse): string {
	const text = writeFilter(condition);
	if (typeof condition === 'string') return text;
	const bare = /^\((.*)\)$/s.exec(text)?.[1];
	return firstThatReads(
		condition as Condition,
		bare === undefined ? [text] : [bare, text],
		(short) => readCondition(short, use),
		// Groups inside may be texts.
		(condition) =>
			print(condition, (key, part) =>
				key === 'filter' && typeof part === 'string' ? readCondition(part, 'filter') : part,
			),
	);
}

/** Writes an action: its verb, and as few words as read to it. */
export function writeWrittenAction(action: Action): string {
	const words = actionKind(action).write?.(action as never) ?? [];
	const texts = [...words, undefined].map((_, count) =>
		[action.action, ...words.slice(0, count).map((word) => word ?? '-')].join(' '),
	);
	return firstThatReads(withTypedFilters(action), texts, (short) => withTypedFilters(readAction(short)));
}

/** Returns the action with filters of its targets in typed form, where a short text has texts. */
function withTypedFilters(action: Action): Action {
	const typed: Record<string, unknown> = {};
	for (const { field, target } of targetsOf(action)) {
		const { kind, value } = targetParts(target);
		if ('filter' in targetKind(target) && typeof value === 'string')
			typed[field] = { [kind]: readCondition(value, 'filter') };
	}
	return { ...action, ...typed } as Action;
}

/** Text of a value that is equal for values that mean the same: null is left out, and keys are in order. */
function print(value: unknown, replace: (key: string, part: unknown) => unknown = (_, part) => part): string {
	return JSON.stringify(value, (key, sent: unknown) => {
		const part = replace(key, sent);
		if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
		const given = Object.entries(part).filter(([, candidate]) => candidate != null);
		return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
	});
}
