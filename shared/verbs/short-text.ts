/**
 * Converts conditions and actions from their typed form to short texts, and back.
 * Owns: the guarantee that a text reads back to the same value. A value without such a text is written as JSON.
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
export const readConditionText = (text: string, use: TextUse): Condition =>
	readEither(text, conditionDocument, (short) => readCondition(short, use));

/** Reads an action that is a short text or JSON. Throws a Refusal. */
export const readActionText = (text: string): Action => readEither(text, actionDocument, readAction);

/** Returns the first of the texts that is read as `value`. If none is, returns the JSON of the value. */
function firstEqualText<T>(
	value: T,
	texts: readonly string[],
	read: (text: string) => T,
	canonicalTextOf: (value: T) => string = canonicalText,
): string {
	const expectedText = canonicalTextOf(value);
	const isSame = (text: string): boolean =>
		!text.includes('\n') &&
		!isJson(text) &&
		catchRefusal(
			() => canonicalTextOf(read(text)) === expectedText,
			() => false,
		);
	return texts.find(isSame) ?? JSON.stringify(value);
}

/** Writes a condition as a short text, or as JSON. A filter that already is a text stays unchanged. */
export function writeConditionText(condition: InnerCondition | string, use: TextUse): string {
	const text = writeFilter(condition);
	if (typeof condition === 'string') return text;
	const bare = /^\((.*)\)$/s.exec(text)?.[1];
	return firstEqualText(
		condition as Condition,
		bare === undefined ? [text] : [bare, text],
		(short) => readCondition(short, use),
		// A filter inside the condition may be a text.
		(condition) =>
			canonicalText(condition, (key, part) =>
				key === 'filter' && typeof part === 'string' ? readCondition(part, 'filter') : part,
			),
	);
}

/** Writes an action as a short text with the fewest possible words, or as JSON. */
export function writeActionText(action: Action): string {
	const words = actionKind(action).write?.(action as never) ?? [];
	const texts = [...words, undefined].map((_, count) =>
		[action.action, ...words.slice(0, count).map((word) => word ?? '-')].join(' '),
	);
	return firstEqualText(withTypedFilters(action), texts, (short) => withTypedFilters(readAction(short)));
}

/** Returns an action in which filters of targets are in typed form instead of texts. */
function withTypedFilters(action: Action): Action {
	const typed: Record<string, unknown> = {};
	for (const { field, target } of targetsOf(action)) {
		const { kind, value } = targetParts(target);
		if ('filter' in targetKind(target) && typeof value === 'string')
			typed[field] = { [kind]: readCondition(value, 'filter') };
	}
	return { ...action, ...typed } as Action;
}

/** Returns a text that is equal for values with the same meaning: without null, and with sorted keys. */
function canonicalText(
	value: unknown,
	replace: (key: string, part: unknown) => unknown = (_, part) => part,
): string {
	return JSON.stringify(value, (key, sent: unknown) => {
		const part = replace(key, sent);
		if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
		const given = Object.entries(part).filter(([, candidate]) => candidate != null);
		return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
	});
}
