/**
 * Buying and selling.
 * Owns: prices, recipes, stock, and the teams that may buy. A refused purchase or sale changes nothing.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { get, has, type World } from '../core/world.ts';
import { requireFree } from '../crowd-control/crowd-control.ts';
import { defineItem, type ItemDefinition, recipeComponentsOf, requireItem, worthOf } from '../items/items.ts';
import { tuning } from '../tuning/tuning.ts';
import { itemNameOf } from './equipment.ts';
import { addGold } from './gold.ts';
import { addToSlots, countCarried, removeFromSlots, setSlots, slotsOf } from './inventory.ts';

function requireTrader(world: World, id: number): void {
	if (has(world, id, Dead)) throw new ApiError('entity_dead', `Entity ${id} is dead.`);
	requireFree(world, id, 'use_items', 'buying and selling');
}

/** Returns the price of an item: the cost of its recipe if it has one, otherwise its own cost. Throws `no_price`. */
function priceOf(item: ItemDefinition): number {
	if (item.recipe !== null) return item.recipe.cost;
	if (item.properties.cost === undefined)
		throw new ApiError('no_price', `${item.name} (${item.id}) has no cost, so it is not for sale.`);
	return Math.trunc(item.properties.cost);
}

/**
 * Buys one item, and uses up the components of its recipe. Returns the price and the remaining gold. Throws `entity_dead`,
 * `silenced`, `unknown_item`, `no_price`, `not_for_team`, `out_of_stock`, `components_missing`, `no_gold`,
 * `not_enough_gold`, `inventory_full`.
 */
export function buyItem(world: World, entity: EntityHandle, itemId: number): { paid: number; gold: number } {
	const { id } = entity;
	requireTrader(world, id);
	const item = requireItem(world, itemId);
	const price = priceOf(item);
	const team = get(world, id, Team)?.team;
	if (item.teams !== null && (team === undefined || !item.teams.includes(team)))
		throw new ApiError(
			'not_for_team',
			`${item.name} is ${item.teams.length === 0 ? 'not sold to any team' : `sold only to teams ${item.teams.join(', ')}`}.`,
		);
	if (item.stock === 0) throw new ApiError('out_of_stock', `${item.name} is sold out.`);
	let slots = slotsOf(world, id);
	const missing: string[] = [];
	for (const [component, count] of recipeComponentsOf(item)) {
		const remaining = removeFromSlots(slots, component, count);
		if (remaining !== null) slots = remaining;
		else
			missing.push(
				`${count - countCarried(slots, component)} more ${itemNameOf(world, component)} (${component})`,
			);
	}
	if (missing.length > 0)
		throw new ApiError(
			'components_missing',
			`${item.name} needs components that entity ${id} does not carry: ${missing.join(', ')}.`,
		);
	const gold = get(world, id, Gold)?.amount;
	if (gold === undefined) throw new ApiError('no_gold', `Entity ${id} has no gold component.`);
	if (gold < price)
		throw new ApiError('not_enough_gold', `${item.name} costs ${price} gold; entity ${id} has ${gold}.`);
	const { slots: next, added } = addToSlots(world, slots, itemId, 1);
	if (added === 0)
		throw new ApiError('inventory_full', `The inventory of entity ${id} has no room for ${item.name}.`);
	setSlots(world, id, next);
	if (item.stock !== null) defineItem(world, { ...item, stock: item.stock - 1 });
	return { paid: price, gold: addGold(world, entity, -price)! };
}

/**
 * Sells one carried item for a share of its worth, rounded down. The share is in the tuning. Throws `entity_dead`,
 * `silenced`, `unknown_item`, `no_price`, `item_missing`, `no_gold`.
 */
export function sellItem(
	world: World,
	entity: EntityHandle,
	itemId: number,
): { earned: number; gold: number } {
	const { id } = entity;
	requireTrader(world, id);
	const item = requireItem(world, itemId);
	const value = worthOf(world, item);
	if (value === null)
		throw new ApiError('no_price', `${item.name} (${itemId}) has no cost, so it cannot be sold.`);
	const remaining = removeFromSlots(slotsOf(world, id), itemId, 1);
	if (remaining === null)
		throw new ApiError('item_missing', `Entity ${id} does not carry ${item.name} (${itemId}).`);
	if (!has(world, id, Gold))
		throw new ApiError('no_gold', `Entity ${id} has no gold component to receive the payment.`);
	setSlots(world, id, remaining);
	const earned = Math.floor(value * tuning(world).shop.resale);
	return { earned, gold: addGold(world, entity, earned)! };
}
