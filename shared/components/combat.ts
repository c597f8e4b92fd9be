/** How an entity fights. */

import { component, scalar, words } from '../contract/component.ts';

export const COMBAT_STYLES = ['melee', 'stationary'] as const;

export const Combat = component({
	name: 'combat',
	title: 'AutoCombat',
	scope: 'state',
	summary: 'Fights by itself: picks targets, chases unless stationary, deals damage',
	fields: {
		damage: scalar('f32', 'Damage of a blow', { unit: 'HP', initial: 10 }),
		range: scalar('f32', 'Distance from which it can strike', { unit: 'm', initial: 1.5 }),
		speed: scalar('f32', 'Speed of walking', { unit: 'm/s', initial: 3 }),
		cooldown: scalar('f32', 'Time between blows', { unit: 's', initial: 1 }),
		detect_range: scalar('f32', 'Distance within which it notices enemies', { unit: 'm', initial: 20 }),
		style: words(COMBAT_STYLES, 'melee chases, stationary stays'),
	},
});
