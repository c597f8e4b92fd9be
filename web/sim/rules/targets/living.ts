/** Entities that can be a target. Owns: the rule that targets never include rules and assertions. */

import { Assertion } from '../../../../shared/components/assertion.ts';
import { Rule } from '../../../../shared/components/rule.ts';
import type { Component, EntityHandle } from '../../../../shared/contract/component.ts';
import { hasBit } from '../../core/bits.ts';
import { handleOf, slotOf } from '../../core/entities.ts';
import { spend } from '../../core/tick-budget.ts';
import { has, presence, type World } from '../../core/world.ts';
import { eachMatch, type Filter, sizeOf } from '../conditions/filter.ts';

/** Returns the entity in a list, or an empty list if it is despawned or not in the game. */
export function livingTargets(world: World, handle: EntityHandle | null): EntityHandle[] {
	return handle !== null && slotOf(world, handle) >= 0 && !isMetaEntity(world, handle.id) ? [handle] : [];
}

/** Returns true if an entity describes the game instead of being in it. */
function isMetaEntity(world: World, id: number): boolean {
	return has(world, id, Rule) || has(world, id, Assertion);
}

/** Returns all entities in the game that match a filter, in id order. */
export function matchingEntities(world: World, filter: Filter): EntityHandle[] {
	const handles: EntityHandle[] = [];
	eachMatching(world, filter, [], (id) => handles.push(handleOf(world, id)));
	return handles;
}

/** Visits, in id order, all entities in the game that match a filter and have some components. */
export function eachMatching(
	world: World,
	filter: Filter,
	components: readonly Component[],
	visit: (id: number) => void,
): void {
	spend(world, 'searched', world.entities.count * sizeOf(filter));
	const rules = presence(world, Rule);
	const assertions = presence(world, Assertion);
	eachMatch(world, filter, components, (id) => {
		if (!hasBit(rules, id) && !hasBit(assertions, id)) visit(id);
	});
}
