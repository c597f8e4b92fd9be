/** Protection of a building while no minion of the enemy is near. */

import { component, scalar } from '../contract/component.ts';

export const Backdoor = component({
	name: 'backdoor',
	title: 'BackdoorProtection',
	scope: 'state',
	summary: 'While no minion of another team is near, enemies do less damage and lost health returns',
	fields: {
		active: scalar('u8', '1 while it protects, else 0', { initial: 1 }),
		restore_to: scalar(
			'f32',
			'Health to which it returns: what was left when the last minion went, or the most that it was given since',
			{
				unit: 'HP',
			},
		),
	},
});
