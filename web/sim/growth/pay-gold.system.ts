/** Pays gold for kills, to the killer. */

import { Bounty } from '../../../shared/components/bounty.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Death } from '../../../shared/events/death.ts';
import type { System } from '../core/system.ts';
import { get, has, type World } from '../core/world.ts';
import { addGold } from '../economy/gold.ts';
import { paidKills } from './paid-kills.ts';

/** The killer's purse grows by the bounty, if it has one. */
export const payGold: System = {
	name: 'pay-gold',
	awaits: [Death],
	access: {
		reads: ['bounty', 'gold.amount', 'team.team', 'tuning'],
		writes: ['gold.amount'],
		drains: ['death'],
	},
	run,
};

function run(world: World): void {
	for (const { killer, victim } of paidKills(world, 'pay-gold')) {
		const bounty = get(world, victim.id, Bounty)!.gold;
		if (bounty !== 0 && has(world, killer.id, Gold)) addGold(world, killer, bounty);
	}
}
