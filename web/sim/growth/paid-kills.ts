/**
 * Kills that pay gold and experience.
 * Owns: the choice of these kills. A suicide does not pay. A kill within a team pays only if the tuning allows it.
 */

import { Bounty } from '../../../shared/components/bounty.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { Death } from '../../../shared/events/death.ts';
import { slotOf } from '../core/entities.ts';
import { drain } from '../core/events.ts';
import { has, type World } from '../core/world.ts';
import { teamOf } from '../match/match.ts';
import { tuning } from '../tuning/tuning.ts';

/** Returns the kills that pay, of the deaths that `reader` has not read yet. Marks these deaths as read. */
export function drainPaidKills(
	world: World,
	reader: string,
): { killer: EntityHandle; victim: EntityHandle }[] {
	const deaths = drain(world, Death, reader);
	if (deaths.length === 0) return [];
	const teamPays = tuning(world).kills.team_rewards;
	return deaths.flatMap(({ entity, killer }) => {
		if (killer === null || slotOf(world, killer) < 0 || slotOf(world, entity) < 0) return [];
		if (!has(world, entity.id, Bounty) || killer.id === entity.id) return [];
		const killerTeam = teamOf(world, killer) ?? -1;
		return killerTeam === teamOf(world, entity) && !teamPays ? [] : [{ killer, victim: entity }];
	});
}
