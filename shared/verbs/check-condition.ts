/**
 * Checks of conditions that their schema cannot express, such as the existence of names.
 * Owns: running the checks of each kind on all parts of a condition.
 */

import { withPathPrefix } from '../contract/errors.ts';
import { readCondition } from './condition-text.ts';
import { aboutOf, type Condition, conditionKind, type InnerCondition, partsOf } from './conditions/index.ts';

/** Checks a condition and its parts. Returns it with its filters in typed form. Throws a Refusal. */
export function checkCondition(sent: InnerCondition): Condition {
	const { filter } = sent as { readonly filter?: InnerCondition | string };
	const typed =
		typeof filter === 'string'
			? { ...sent, filter: withPathPrefix('filter', () => checkFilter(filter)) }
			: sent;
	conditionKind(typed).check?.(typed, aboutOf);
	return withParts(typed, (part, at) => withPathPrefix(at, () => checkCondition(part))) as Condition;
}

/** Checks a filter. Returns it in typed form. Throws a Refusal. */
export const checkFilter = (sent: InnerCondition | string): Condition =>
	checkCondition(typeof sent === 'string' ? readCondition(sent, 'filter') : sent);

/** Returns a condition with each of its parts replaced. If no part changes, returns the same object. */
function withParts(
	condition: InnerCondition,
	replace: (part: InnerCondition, path: string) => InnerCondition,
): InnerCondition {
	const replaced = new Map(partsOf(condition).map(({ path, part }) => [part, replace(part, path)]));
	if ([...replaced].every(([before, after]) => before === after)) return condition;
	const replacementOf = (value: unknown): unknown => replaced.get(value as InnerCondition) ?? value;
	return Object.fromEntries(
		Object.entries(condition).map(([key, value]) => [
			key,
			Array.isArray(value) ? value.map(replacementOf) : replacementOf(value),
		]),
	);
}
