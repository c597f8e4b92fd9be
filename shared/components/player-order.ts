/** What an entity that is played was told to do beyond walking. */

import { component, words } from '../contract/component.ts';

export const PLAYER_ORDERS = ['none', 'attack', 'attack_move'] as const;

export const PlayerOrder = component({
	name: 'player_order',
	title: 'PlayerOrder',
	scope: 'state',
	summary:
		'What an entity that is played was told: to attack from where it is, or to fight like other fighters until told otherwise',
	fields: { order: words(PLAYER_ORDERS, 'What it was told') },
});
