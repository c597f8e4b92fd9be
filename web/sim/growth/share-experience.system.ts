/** System that gives experience for kills. Owns: the choice of the entities that share it. */

import { Bounty } from '../../../shared/components/bounty.ts';
import { Level } from '../../../shared/components/level.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { Death } from '../../../shared/events/death.ts';
import { PLACE_READ, STATS_READ, STATS_WRITTEN } from '../../../shared/verbs/access.ts';
import { countPending } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxEvents, maxWithComponent } from '../core/tick-maximum.ts';
import { count, each, get, read, type World } from '../core/world.ts';
import { teamOf } from '../match/match.ts';
import { globalPosition } from '../space/global-position.ts';
import { distance } from '../transform/facing.ts';
import { tuning } from '../tuning/tuning.ts';
import { addXp } from './experience.ts';
import { drainPaidKills } from './paid-kills.ts';

/** Gives the experience to the heroes of the killer's team near the victim. If there are none, the killer gets it. */
export const shareExperience: System = {
	name: 'share-experience',
	awaits: [Death],
	access: {
		reads: ['bounty', 'dead', 'level', 'role.role', 'stat_growth', 'team.team', ...STATS_READ],
		writes: ['base_stats', 'combat.damage', 'level', ...STATS_WRITTEN],
		queries: [
			{ with: ['bounty'], reads: [...PLACE_READ] },
			{ with: ['level'], reads: [...PLACE_READ] },
		],
		emits: ['level_up'],
		drains: ['death'],
	},
	maximum(world, before) {
		const heroes = maxWithComponent(world, Level, before);
		if (heroes === 0) return {};
		const kills =
			Math.min(count(world, Bounty), maxEvents(world, 'death', before)) + countPending(world, 'death');
		return {
			searched: LOOKS_PER_HERO * heroes * kills,
			sent: heroes * tuning(world).growth.max_level,
		};
	},
	run,
};

function run(world: World): void {
	for (const { killer, victim } of drainPaidKills(world, 'share-experience')) {
		const bounty = get(world, victim.id, Bounty)!.xp;
		if (bounty === 0) continue;
		const heroes = findHeroesNear(world, killer, victim);
		const recipients = heroes.length > 0 ? heroes : [killer];
		const share = Math.max(1, Math.floor(bounty / recipients.length));
		for (const hero of recipients) addXp(world, hero, share);
	}
}

/** Cost of finding the position of a hero, in reads of an entity. */
const LOOKS_PER_HERO = 4;

/** Returns the heroes of the killer's team near the victim. */
function findHeroesNear(world: World, killer: EntityHandle, victim: EntityHandle): EntityHandle[] {
	const team = teamOf(world, killer);
	const centre = globalPosition(world, victim.id);
	if (team === null) return [];
	spend(world, 'searched', LOOKS_PER_HERO * count(world, Level));
	const roles = read(world, Role, 'role');
	const teams = read(world, Team, 'team');
	const radius = tuning(world).growth.share_radius;
	const heroes: EntityHandle[] = [];
	each(world, [Level, Role, Team], (slot) => {
		if (slot === victim.id || ROLES[roles[slot]!] !== 'Hero' || teams[slot] !== team) return;
		if (distance(globalPosition(world, slot), centre) <= radius)
			heroes.push({ id: slot, generation: world.entities.generations.data[slot]! });
	});
	return heroes;
}
