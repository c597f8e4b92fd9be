/**
 * Pays for kills: gold to the killer, experience to the killer's team.
 * Owns: who is paid. Killing one's own team or oneself pays nothing.
 */

import { Bounty } from '../../../shared/components/bounty.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Level } from '../../../shared/components/level.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { drain } from '../core/events.ts';
import { each, get, has, read, type World } from '../core/world.ts';
import { addGold } from '../economy/gold.ts';
import { teamOf } from '../match/match.ts';
import { placeOf } from '../space/place.ts';
import { distance } from '../transform/facing.ts';
import { addXp, GROWTH } from './experience.ts';

/** Kills that are worth something and were not made in the own team. */
function paidKills(world: World, reader: string): { killer: Handle; victim: Handle }[] {
	return drain(world, 'death', reader).flatMap(({ entity, killer }) => {
		if (killer === null || slotOf(world, killer) < 0 || slotOf(world, entity) < 0) return [];
		if (!has(world, entity.id, Bounty) || killer.id === entity.id) return [];
		const team = teamOf(world, killer);
		return team !== null && team === teamOf(world, entity) ? [] : [{ killer, victim: entity }];
	});
}

/** The killer's purse grows by the bounty, if it has one. */
export function payGold(world: World): void {
	for (const { killer, victim } of paidKills(world, 'pay-gold')) {
		const bounty = get(world, victim.id, Bounty)!.gold;
		if (bounty !== 0 && has(world, killer.id, Gold)) addGold(world, killer, bounty);
	}
}

/** The heroes of the killer's team near the victim share its experience; without any it is the killer's. */
export function shareExperience(world: World): void {
	for (const { killer, victim } of paidKills(world, 'share-experience')) {
		const bounty = get(world, victim.id, Bounty)!.xp;
		if (bounty === 0) continue;
		const near = heroesNear(world, killer, victim);
		const recipients = near.length > 0 ? near : [killer];
		const share = Math.max(1, Math.floor(bounty / recipients.length));
		for (const hero of recipients) addXp(world, hero, share);
	}
}

function heroesNear(world: World, killer: Handle, victim: Handle): Handle[] {
	const team = teamOf(world, killer);
	const at = placeOf(world, victim.id);
	if (team === null) return [];
	const roles = read(world, Role, 'role');
	const teams = read(world, Team, 'team');
	const found: Handle[] = [];
	each(world, [Level, Role, Team], (slot) => {
		if (slot === victim.id || ROLES[roles[slot]!] !== 'Hero' || teams[slot] !== team) return;
		if (distance(placeOf(world, slot), at) <= GROWTH.share_radius)
			found.push({ id: slot, generation: world.entities.generations.data[slot]! });
	});
	return found;
}
