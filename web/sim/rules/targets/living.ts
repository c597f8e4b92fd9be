/** Who can be a target at all. Owns: that rules and assertions are met by their ids alone. */

import { Assertion } from '../../../../shared/components/assertion.ts';
import { Rule } from '../../../../shared/components/rule.ts';
import type { Handle } from '../../../../shared/contract/component.ts';
import { handleOf, slotOf } from '../../core/entities.ts';
import { spend } from '../../core/tick-budget.ts';
import { has, type World } from '../../core/world.ts';
import { eachMatch, type Filter } from '../conditions/filter.ts';

/** The entity of a handle, if it lives and is in the game. */
export function living(world: World, handle: Handle | null): Handle[] {
	return handle !== null && slotOf(world, handle) >= 0 && !isAboutGame(world, handle.id) ? [handle] : [];
}

/** Whether an entity says something about the game instead of being in it. */
function isAboutGame(world: World, id: number): boolean {
	return has(world, id, Rule) || has(world, id, Assertion);
}

/** Everybody in the game whom a filter lets through, in id order. */
export function matching(world: World, filter: Filter): Handle[] {
	const found: Handle[] = [];
	spend(world, 'searched', world.entities.count);
	eachMatch(world, filter, [], (id) => {
		if (!isAboutGame(world, id)) found.push(handleOf(world, id));
	});
	return found;
}
