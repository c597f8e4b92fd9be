/**
 * Buying and selling.
 * Owns: prices, recipes, stock, and which teams may buy. A refused purchase or sale changes nothing.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Gold } from '../../../shared/components/gold.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { get, has, type World } from '../core/world.ts';
import { requireFree } from '../crowd-control/crowd-control.ts';
import { componentsOf, defineItem, type ItemDefinition, requireItem, worth } from '../items/items.ts';
import { tuning } from '../tuning/tuning.ts';
import { itemName } from './equipment.ts';
import { addGold } from './gold.ts';
import { carried, putIn, setSlots, slotsOf, takeOut } from './inventory.ts';

function requireTrader(world: World, id: number): void {
	if (has(world, id, Dead)) throw new ApiError('entity_dead', `Entity ${id} is dead.`);
	requireFree(world, id, 'use_items', 'buying and selling');
}

/** Returns the cost of a purchase: the recipe's own cost if it has one, else the item's. Throws `no_price`. */
function priceOf(item: ItemDefinition): number {
	if (item.recipe !== null) return item.recipe.cost;
	if (item.properties.cost === undefined)
		throw new ApiError('no_price', `${item.name} (${item.id}) has no cost, so it is not for sale.`);
	return Math.trunc(item.properties.cost);
}

/**
 * Buys one item, and uses up what its recipe asks for. Returns the price paid and the gold left. Throws `entity_dead`,
 * `silenced`, `unknown_item`, `no_price`, `not_for_team`, `out_of_stock`, `components_missing`, `no_gold`,
 * `not_enough_gold`, `inventory_full`.
 */
export function buy(world: World, entity: EntityHandle, itemId: number): { paid: number; gold: number } {
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
	const lacking: string[] = [];
	for (const [component, count] of componentsOf(item)) {
		const remaining = takeOut(slots, component, count);
		if (remaining !== null) slots = remaining;
		else
			lacking.push(`${count - carried(slots, component)} more ${itemName(world, component)} (${component})`);
	}
	if (lacking.length > 0)
		throw new ApiError(
			'components_missing',
			`${item.name} needs components that entity ${id} does not carry: ${lacking.join(', ')}.`,
		);
	const gold = get(world, id, Gold)?.amount;
	if (gold === undefined) throw new ApiError('no_gold', `Entity ${id} has no gold component.`);
	if (gold < price)
		throw new ApiError('not_enough_gold', `${item.name} costs ${price} gold; entity ${id} has ${gold}.`);
	const { slots: next, put } = putIn(world, slots, itemId, 1);
	if (put === 0)
		throw new ApiError('inventory_full', `The inventory of entity ${id} has no room for ${item.name}.`);
	setSlots(world, id, next);
	if (item.stock !== null) defineItem(world, { ...item, stock: item.stock - 1 });
	return { paid: price, gold: addGold(world, entity, -price)! };
}

/** Sells one carried item for its share of what it is worth, half unless the designer says otherwise, rounded down. Throws `entity_dead`, `silenced`, `unknown_item`, `no_price`, `item_missing`, `no_gold`. */
export function sell(world: World, entity: EntityHandle, itemId: number): { earned: number; gold: number } {
	const { id } = entity;
	requireTrader(world, id);
	const item = requireItem(world, itemId);
	const value = worth(world, item);
	if (value === null)
		throw new ApiError('no_price', `${item.name} (${itemId}) has no cost, so it cannot be sold.`);
	const remaining = takeOut(slotsOf(world, id), itemId, 1);
	if (remaining === null)
		throw new ApiError('item_missing', `Entity ${id} does not carry ${item.name} (${itemId}).`);
	if (!has(world, id, Gold))
		throw new ApiError('no_gold', `Entity ${id} has no gold component to receive the payment.`);
	setSlots(world, id, remaining);
	const earned = Math.floor(value * tuning(world).shop.resale);
	return { earned, gold: addGold(world, entity, earned)! };
}
