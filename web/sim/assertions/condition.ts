/**
 * Conditions of assertions and waits, as callers write them.
 * Owns: reading them into the typed form, and refusing what is not understood.
 */

import type * as z from 'zod';
import { ApiError, catchRefusal, checkAt } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import type { untilDocument } from '../../../shared/rules/assertion.ts';
import { checkCondition, checkFilter } from '../../../shared/verbs/check-condition.ts';
import {
	conditionFromWord,
	fieldsOf,
	kindOfWord,
	readCondition,
	SHORT_WORDS,
} from '../../../shared/verbs/condition-text.ts';
import type { Condition, InnerCondition } from '../../../shared/verbs/conditions/index.ts';

/** Parameters beside a short word. */
export type Parameters = Readonly<Record<string, unknown>>;

function refuse(path: string, reason: string, fix?: string): never {
	throw new ApiError('invalid_assertion', `${path}: ${reason}.`, { path, fix });
}

/** Returns a typed condition with its words checked. Throws `invalid_assertion`. */
export const sound = (sent: InnerCondition, path = 'condition'): Condition =>
	checkAt(path, () => checkCondition(sent), refuse);

/** Returns the condition that a short word names, with what it takes beside it. Throws `invalid_assertion`. */
function fromShortWord(sent: string, given: Parameters, path: string): Condition {
	const kind = kindOfWord(sent);
	if (kind === undefined) return fromText(sent, path);
	const takes = fieldsOf(kind);
	for (const [key, value] of Object.entries(given)) {
		if (value == null || takes.includes(key)) continue;
		const knownNames = takes.join(', ') || 'none';
		refuse(
			key,
			`the condition ${sent} has no field "${key}"`,
			`Omit "${key}". The fields of ${sent}: ${knownNames}.`,
		);
	}
	const { filter } = given as { readonly filter?: InnerCondition | string | null };
	const typed = filter == null ? {} : { filter: filterOf(filter) };
	const read = catchRefusal(
		() => conditionFromWord(kind, sent, { ...given, ...typed }),
		({ path: field = path, message, fix }) => refuse(field, message, fix),
	);
	return sound(read as InnerCondition);
}

/** Returns a filter in typed form. Throws `invalid_assertion`. */
export const filterOf = (sent: InnerCondition | string, path = 'filter'): Condition =>
	checkAt(path, () => checkFilter(sent), refuse);

/** Returns the condition of one text. Throws `invalid_assertion`. */
function fromText(sent: string, path: string): Condition {
	return checkAt(path, () => checkCondition(readCondition(sent, 'statement')), refuse);
}

/**
 * Returns a condition as a caller writes it: typed, a word with its parameters beside it, or one text. Throws
 * `invalid_assertion`.
 */
export function conditionOf(sent: InnerCondition | string, given: Parameters = {}): Condition {
	const beside = Object.entries(given).find(([, value]) => value != null)?.[0];
	if (typeof sent === 'string' && !/\s/.test(sent.trim())) {
		if (beside === undefined || kindOfWord(sent) !== undefined)
			return fromShortWord(sent, given, 'condition');
		refuse(
			'condition',
			`there is no condition "${sent}" with the field "${beside}"`,
			suggestion(sent, SHORT_WORDS),
		);
	}
	if (beside !== undefined)
		refuse(
			beside,
			`a condition ${typeof sent === 'string' ? 'of several words' : 'in typed form'} allows no other fields beside it`,
			`Put "${beside}" inside "condition".`,
		);
	return typeof sent === 'string' ? fromText(sent, 'condition') : sound(sent);
}

/** Returns the condition that is waited for or asked about. Throws `invalid_assertion`. */
export function untilCondition(sent: z.output<typeof untilDocument>, path = 'until'): Condition {
	if (typeof sent === 'string') return fromText(sent, path);
	if (!('condition' in sent)) return sound(sent as InnerCondition, path);
	const { condition, ...given } = sent as { readonly condition: string };
	return fromShortWord(condition, given, `${path}.condition`);
}
