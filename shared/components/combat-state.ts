/** What a fighter is attacking. */

import { component, entityRef, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const CombatState = component({
	name: 'combat_state',
	title: 'CombatState',
	scope: 'state',
	summary: 'Which entity a fighter attacks, and when it can attack next',
	fields: {
		target: entityRef('Entity that it attacks, for as long as it can'),
		override: entityRef(
			'Entity that it attacks first while in reach: the last one that hurt a hero of its team',
		),
		ready_at: scalar('u32', 'First tick on which it can attack', { unit: TICK }),
	},
});
