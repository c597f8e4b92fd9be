/**
 * Conditions whose names all exist, with every filter in typed form.
 * Owns: the checks that the schema cannot express.
 */

import { within } from '../contract/errors.ts';
import { readCondition } from './condition-text.ts';
import { aboutOf, type Condition, conditionKind, type InnerCondition, partsOf } from './conditions/index.ts';

/** Returns the condition with its filters in typed form. Throws a Refusal. */
export function soundCondition(sent: InnerCondition): Condition {
	const { filter } = sent as { readonly filter?: InnerCondition | string };
	const typed =
		typeof filter === 'string' ? { ...sent, filter: within('filter', () => soundFilter(filter)) } : sent;
	conditionKind(typed).check?.(typed, aboutOf);
	return withParts(typed, (part, at) => within(at, () => soundCondition(part))) as Condition;
}

/** Returns a filter in typed form. Throws a Refusal. */
export const soundFilter = (sent: InnerCondition | string): Condition =>
	soundCondition(typeof sent === 'string' ? readCondition(sent, 'filter') : sent);

/** Returns the condition with each part of it replaced; the same one when none changed. */
function withParts(
	condition: InnerCondition,
	replace: (part: InnerCondition, path: string) => InnerCondition,
): InnerCondition {
	const replaced = new Map(partsOf(condition).map(({ path, part }) => [part, replace(part, path)]));
	if ([...replaced].every(([before, after]) => before === after)) return condition;
	const other = (value: unknown): unknown => replaced.get(value as InnerCondition) ?? value;
	return Object.fromEntries(
		Object.entries(condition).map(([key, value]) => [
			key,
			Array.isArray(value) ? value.map(other) : other(value),
		]),
	);
}
