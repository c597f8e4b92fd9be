/** Fighting order of a player to its entity. Walking needs no order. */

import { component, words } from '../contract/component.ts';

export const PLAYER_ORDERS = ['none', 'attack', 'attack_move'] as const;

export const PlayerOrder = component({
	name: 'player_order',
	title: 'PlayerOrder',
	scope: 'state',
	summary: "The player's current order: attack without moving, or fight like an AI fighter",
	fields: { order: words(PLAYER_ORDERS, 'The order') },
});
