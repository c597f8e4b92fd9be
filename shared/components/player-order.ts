/** Order of a played entity, beyond walking. */

import { component, words } from '../contract/component.ts';

export const PLAYER_ORDERS = ['none', 'attack', 'attack_move'] as const;

export const PlayerOrder = component({
	name: 'player_order',
	title: 'PlayerOrder',
	scope: 'state',
	summary:
		'Order of a player to its entity: attack from its position, or fight like other fighters, until the next order',
	fields: { order: words(PLAYER_ORDERS, 'The order') },
});
