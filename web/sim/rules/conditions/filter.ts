/**
 * Filters: they choose entities. Any condition is one. Owns: reading their texts, and visiting the entities that match.
 */

import type { Component } from '../../../../shared/contract/component.ts';
import { readCondition } from '../../../../shared/verbs/condition-text.ts';
import type { Condition, InnerCondition } from '../../../../shared/verbs/conditions/index.ts';
import { soundCondition } from '../../../../shared/verbs/sound-condition.ts';
import type { World } from '../../core/world.ts';
import { ConditionLook } from './evaluate-condition.ts';

export type Filter = Condition;

/** Maximum number of texts that are remembered with what they say. */
const MAX_KNOWN = 1000;
const filterByText = new Map<string, Filter>();
const typed = new WeakMap<object, Filter>();

/** Reads `any`, `team:2+role:hero`, `alive & !tag:boss`. Throws a Refusal. */
export function parseFilter(sent: Filter | string): Filter {
	if (typeof sent !== 'string') return withTypedFilters(sent);
	let filter = filterByText.get(sent);
	if (filter === undefined) {
		filter = readCondition(sent, 'filter');
		if (filterByText.size === MAX_KNOWN) filterByText.clear();
		filterByText.set(sent, filter);
	}
	return filter;
}

/** Returns a condition with the filters in it in typed form. */
function withTypedFilters(sent: Filter): Filter {
	let filter = typed.get(sent);
	if (filter === undefined) {
		filter = soundCondition(sent);
		typed.set(sent, filter);
	}
	return filter;
}

const sizes = new WeakMap<InnerCondition, number>();

/** Returns the number of conditions in one: the cost of looking at an entity with it. */
export function sizeOf(condition: InnerCondition): number {
	let size = sizes.get(condition);
	if (size === undefined) {
		size = conditionsIn(condition);
		sizes.set(condition, size);
	}
	return size;
}

function conditionsIn(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const own = 'kind' in value || 'type' in value ? 1 : 0;
	return Object.values(value).reduce((sum: number, inner: unknown) => sum + conditionsIn(inner), own);
}

/** Returns true if the entity in a slot matches. */
export function matches(world: World, slot: number, filter: InnerCondition): boolean {
	const look = new ConditionLook(world);
	return look.test(filter)(look.entity(slot));
}

/** Visits, in slot order, the living entities that match and have some components. No others are looked at. */
export function eachMatch(
	world: World,
	filter: InnerCondition,
	having: readonly Component[],
	visit: (slot: number) => void,
): void {
	new ConditionLook(world).eachOf(filter, having, visit);
}
