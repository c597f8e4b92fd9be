/**
 * Conditions of assertions and waits, as callers write them.
 * Owns: their conversion into the typed form, and the refusal of conditions that cannot be read.
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

/** Fields beside the word of a short condition. */
export type ConditionParameters = Readonly<Record<string, unknown>>;

function refuse(path: string, reason: string, fix?: string): never {
	throw new ApiError('invalid_assertion', `${path}: ${reason}.`, { path, fix });
}

/** Returns a typed condition after checking its words. Throws `invalid_assertion`. */
export const requireCondition = (sent: InnerCondition, path = 'condition'): Condition =>
	checkAt(path, () => checkCondition(sent), refuse);

/** Returns the condition that a short word and the fields beside it describe. Throws `invalid_assertion`. */
function fromShortWord(sent: string, parameters: ConditionParameters, path: string): Condition {
	const kind = kindOfWord(sent);
	if (kind === undefined) return fromText(sent, path);
	const fieldNames = fieldsOf(kind);
	for (const [key, value] of Object.entries(parameters)) {
		if (value == null || fieldNames.includes(key)) continue;
		const fieldList = fieldNames.join(', ') || 'none';
		refuse(
			key,
			`the condition ${sent} has no field "${key}"`,
			`Omit "${key}". The fields of ${sent}: ${fieldList}.`,
		);
	}
	const { filter } = parameters as { readonly filter?: InnerCondition | string | null };
	const typed = filter == null ? {} : { filter: filterOf(filter) };
	const condition = catchRefusal(
		() => conditionFromWord(kind, sent, { ...parameters, ...typed }),
		({ path: field = path, message, fix }) => refuse(field, message, fix),
	);
	return requireCondition(condition as InnerCondition);
}

/** Returns a filter in typed form. Throws `invalid_assertion`. */
export const filterOf = (sent: InnerCondition | string, path = 'filter'): Condition =>
	checkAt(path, () => checkFilter(sent), refuse);

/** Returns the condition of one text. Throws `invalid_assertion`. */
function fromText(sent: string, path: string): Condition {
	return checkAt(path, () => checkCondition(readCondition(sent, 'statement')), refuse);
}

/**
 * Returns a condition in typed form. Callers write it in this form, as a word with fields beside it, or as one text.
 * Throws `invalid_assertion`.
 */
export function conditionOf(sent: InnerCondition | string, parameters: ConditionParameters = {}): Condition {
	const extraField = Object.entries(parameters).find(([, value]) => value != null)?.[0];
	if (typeof sent === 'string' && !/\s/.test(sent.trim())) {
		if (extraField === undefined || kindOfWord(sent) !== undefined)
			return fromShortWord(sent, parameters, 'condition');
		refuse(
			'condition',
			`there is no condition "${sent}" with the field "${extraField}"`,
			suggestion(sent, SHORT_WORDS),
		);
	}
	if (extraField !== undefined)
		refuse(
			extraField,
			`a condition ${typeof sent === 'string' ? 'of several words' : 'in typed form'} allows no other fields beside it`,
			`Put "${extraField}" inside "condition".`,
		);
	return typeof sent === 'string' ? fromText(sent, 'condition') : requireCondition(sent);
}

/** Returns the condition of an `until` field in typed form. Throws `invalid_assertion`. */
export function untilCondition(sent: z.output<typeof untilDocument>, path = 'until'): Condition {
	if (typeof sent === 'string') return fromText(sent, path);
	if (!('condition' in sent)) return requireCondition(sent as InnerCondition, path);
	const { condition, ...parameters } = sent as { readonly condition: string };
	return fromShortWord(condition, parameters, `${path}.condition`);
}
