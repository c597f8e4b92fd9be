/** Kills that pay. Owns: which ones do. Killing one's own team or oneself pays nothing. */

import { Bounty } from '../../../shared/components/bounty.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { drain } from '../core/events.ts';
import { has, type World } from '../core/world.ts';
import { teamOf } from '../match/match.ts';

/** Kills that are worth something and were not made in the own team. */
export function paidKills(world: World, reader: string): { killer: Handle; victim: Handle }[] {
	return drain(world, 'death', reader).flatMap(({ entity, killer }) => {
		if (killer === null || slotOf(world, killer) < 0 || slotOf(world, entity) < 0) return [];
		if (!has(world, entity.id, Bounty) || killer.id === entity.id) return [];
		const team = teamOf(world, killer);
		return team !== null && team === teamOf(world, entity) ? [] : [{ killer, victim: entity }];
	});
}
