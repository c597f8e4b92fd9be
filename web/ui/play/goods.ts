/**
 * Goods of a shop in words, and the ones that a unit can buy.
 * Owns: which item is of use to a unit. Never: decides what can be bought; the engine does, and says why not.
 */

import type { Entity } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import type { ShopItem } from './game-state.ts';
import { goldOf, heldBy } from './units.ts';

const statName = (stat: string): string => stat.replaceAll('_', ' ');

/** Returns the effects of an item on its owner: `+14 attack damage`; empty for an item without any. */
export function effectsText({ properties }: Pick<ShopItem, 'properties'>): string {
	return Object.entries(properties)
		.filter(([stat]) => stat !== 'cost')
		.map(([stat, value]) => `${value < 0 ? '' : '+'}${formatNumber(value)} ${statName(stat)}`)
		.join(', ');
}

/** Returns true for an item that does something for a unit as it is sold. A recipe needs parts first. */
const isOfUse = (item: ShopItem): boolean => item.recipe === null && effectsText(item) !== '';

/** Returns the items that are sold to a unit, those of use first. */
export function goodsFor(hero: Entity, items: readonly ShopItem[]): readonly ShopItem[] {
	return items
		.filter(({ teams }) => teams === null || (hero.team !== undefined && teams.includes(hero.team)))
		.sort((a, b) => Number(isOfUse(b)) - Number(isOfUse(a)));
}

/** Returns the dearest item of use that a unit can pay and does not have; null without any. */
export function usefulItem(hero: Entity, items: readonly ShopItem[]): ShopItem | null {
	const gold = goldOf(hero) ?? 0;
	const held = new Set(heldBy(hero).map(({ item_id }) => item_id));
	const found = goodsFor(hero, items).filter(
		(item) => isOfUse(item) && item.cost <= gold && item.stock !== 0 && !held.has(item.id),
	);
	return found.sort((a, b) => b.cost - a.cost)[0] ?? null;
}
