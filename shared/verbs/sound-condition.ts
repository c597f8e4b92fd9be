/**
 * Conditions whose names all exist, with every filter in typed form.
 * Owns: the checks that the schema cannot express.
 */

import { catchRefusal } from '../contract/errors.ts';
import { readCondition } from './condition-text.ts';
import type { RefuseField } from './conditions/condition.ts';
import { aboutOf, type Condition, conditionKind, type InnerCondition, partsOf } from './conditions/index.ts';

/** Refuses the value at a path. */
export type RefuseAt = (path: string, reason: string, fix?: string) => never;

/** The condition with its filters in typed form. What is not understood goes to `refuse`. */
export function soundCondition(sent: InnerCondition, path: string, refuse: RefuseAt): Condition {
	const { filter } = sent as { readonly filter?: InnerCondition | string };
	const typed =
		typeof filter === 'string' ? { ...sent, filter: soundFilter(filter, `${path}.filter`, refuse) } : sent;
	const refuseField: RefuseField = (field, reason, fix) => refuse(`${path}.${field}`, reason, fix);
	conditionKind(typed).check?.(typed, refuseField, aboutOf);
	return withParts(typed, (part, at) => soundCondition(part, `${path}.${at}`, refuse)) as Condition;
}

/** A filter in typed form. What is not understood goes to `refuse`. */
export function soundFilter(sent: InnerCondition | string, path: string, refuse: RefuseAt): Condition {
	if (typeof sent !== 'string') return soundCondition(sent, path, refuse);
	return catchRefusal(
		() => soundCondition(readCondition(sent, 'filter'), path, refuse),
		({ message, fix }) => refuse(path, message, fix),
	);
}

/** The condition with each part of it replaced; the same one when none changed. */
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
