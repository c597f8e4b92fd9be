/** What a kill is worth. */

import { component, scalar } from '../contract/component.ts';

export const Bounty = component({
	name: 'bounty',
	title: 'Bounty',
	scope: 'state',
	summary: 'What the killer of the entity is given',
	fields: {
		gold: scalar('i32', 'Gold for the killer'),
		xp: scalar('u32', 'Experience for the killer and its team', { unit: 'XP' }),
	},
});
