/**
 * Filters choose entities; any condition can be a filter. Owns: parsing their texts, and visiting the matching entities.
 */

import type { Component } from '../../../../shared/contract/component.ts';
import { checkCondition } from '../../../../shared/verbs/check-condition.ts';
import { readCondition } from '../../../../shared/verbs/condition-text.ts';
import type { Condition, InnerCondition } from '../../../../shared/verbs/conditions/index.ts';
import type { World } from '../../core/world.ts';
import { ConditionLook } from './evaluate-condition.ts';

export type Filter = Condition;

/** Maximum number of parsed texts in the cache. */
const MAX_PARSED_TEXTS = 1000;
const filterByText = new Map<string, Filter>();
const typedFilters = new WeakMap<object, Filter>();

/** Parses a filter such as `any`, `team:2+role:hero` or `alive & !tag:boss`. Throws a Refusal. */
export function parseFilter(sent: Filter | string): Filter {
	if (typeof sent !== 'string') return withTypedFilters(sent);
	let filter = filterByText.get(sent);
	if (filter === undefined) {
		filter = readCondition(sent, 'filter');
		if (filterByText.size === MAX_PARSED_TEXTS) filterByText.clear();
		filterByText.set(sent, filter);
	}
	return filter;
}

/** Returns a condition with its inner filters parsed. */
function withTypedFilters(sent: Filter): Filter {
	let filter = typedFilters.get(sent);
	if (filter === undefined) {
		filter = checkCondition(sent);
		typedFilters.set(sent, filter);
	}
	return filter;
}

const sizes = new WeakMap<InnerCondition, number>();

/** Returns the number of conditions in a condition, including itself: the cost of testing it for one entity. */
export function sizeOf(condition: InnerCondition): number {
	let size = sizes.get(condition);
	if (size === undefined) {
		size = countConditions(condition);
		sizes.set(condition, size);
	}
	return size;
}

function countConditions(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const ownCount = 'kind' in value || 'type' in value ? 1 : 0;
	return Object.values(value).reduce((sum: number, inner: unknown) => sum + countConditions(inner), ownCount);
}

/** Returns true if the entity in a slot matches. */
export function matches(world: World, slot: number, filter: InnerCondition): boolean {
	const look = new ConditionLook(world);
	return look.test(filter)(look.entity(slot));
}

/** Visits, in slot order, the living entities that have the components and match the filter. */
export function eachMatch(
	world: World,
	filter: InnerCondition,
	components: readonly Component[],
	visit: (slot: number) => void,
): void {
	new ConditionLook(world).eachOf(filter, components, visit);
}
