/** Target of a fighter, and the time of its next attack. */

import { component, entityRef, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const CombatState = component({
	name: 'combat_state',
	title: 'CombatState',
	scope: 'state',
	summary: 'Current target of a fighter, and when it can attack next',
	fields: {
		target: entityRef('Entity it attacks, as long as it can'),
		override: entityRef('Entity it attacks first while in range: the last one that hurt a hero of its team'),
		ready_at: scalar('u32', 'First tick on which it can attack', { unit: TICK }),
	},
});
