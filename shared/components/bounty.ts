/** The reward for killing an entity. */

import { component, scalar } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';

export const Bounty = component({
	name: 'bounty',
	title: 'Bounty',
	scope: 'state',
	summary: 'Reward for killing the entity',
	fields: {
		gold: scalar('i32', 'Gold for the killer'),
		xp: scalar('u32', 'Experience for the killer and its team', { unit: 'XP' }),
	},
	spawn: {
		fields: {
			gold_bounty: optional(integer('Gold for the killer', { min: -0x80000000, max: 0x7fffffff })),
			xp_bounty: optional(integer('Experience for the killer', { unit: 'XP' })),
		},
		row: ({ gold_bounty: gold, xp_bounty: xp }) =>
			gold == null && xp == null ? null : { gold: gold ?? 0, xp: xp ?? 0 },
		describe: (row) => ({ gold_bounty: row?.gold, xp_bounty: row?.xp }),
	},
});
