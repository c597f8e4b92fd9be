/** System that pays gold to the killers. */

import { Bounty } from '../../../shared/components/bounty.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Death } from '../../../shared/events/death.ts';
import type { System } from '../core/system.ts';
import { get, has, type World } from '../core/world.ts';
import { addGold } from '../economy/gold.ts';
import { drainPaidKills } from './paid-kills.ts';

/** Adds the bounty to the killer's gold. A killer without gold gets nothing. */
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
	for (const { killer, victim } of drainPaidKills(world, 'pay-gold')) {
		const bounty = get(world, victim.id, Bounty)!.gold;
		if (bounty !== 0 && has(world, killer.id, Gold)) addGold(world, killer, bounty);
	}
}
