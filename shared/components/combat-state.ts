/** What a fighter is busy with. */

import { component, entityRef, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

export const CombatState = component({
	name: 'combat_state',
	title: 'CombatState',
	scope: 'state',
	summary: 'Whom a fighter attacks, and when it can strike next',
	fields: {
		target: entityRef('Whom it attacks; it keeps to it as long as it can'),
		override: entityRef('Whom it attacks first as long as it can reach it: who last hurt a hero of its team'),
		ready_at: scalar('u32', 'Tick from which it can strike', { unit: TICK }),
	},
});
