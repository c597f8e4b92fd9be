/** Protection of a building while no enemy minion is near. */

import { component, scalar, yesNo } from '../contract/component.ts';

export const Backdoor = component({
	name: 'backdoor',
	title: 'BackdoorProtection',
	scope: 'state',
	summary:
		'Protection while no minion of another team is near: enemies deal less damage and lost health regenerates',
	fields: {
		active: yesNo('1 while it protects, else 0', 1),
		restore_to: scalar(
			'f32',
			'Health up to which it regenerates: its health when the last minion left, or a higher value set since',
			{
				unit: 'HP',
			},
		),
	},
});
