/** Wearing items. Owns: moving items between an inventory and what is worn; nothing is lost on the way. */

import { Equipment } from '../../../shared/components/inventory.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { add, get, has, remove, type World } from '../core/world.ts';
import { requireFree } from '../crowd-control/crowd-control.ts';
import { findItem } from '../items/items.ts';
import { resolveStats } from '../stats/resolve-stats.ts';
import { putIn, setSlots, slotsOf, takeOut } from './inventory.ts';

/** Returns the items that an entity wears, by slot. */
export function wornBy(world: World, slot: number): Readonly<Record<string, number>> {
	return get(world, slot, Equipment)?.worn ?? {};
}

/** Replaces what an entity wears. */
export function setWorn(world: World, slot: number, worn: Readonly<Record<string, number>>): void {
	if (Object.keys(worn).length > 0) add(world, slot, Equipment, { worn });
	else if (has(world, slot, Equipment)) remove(world, slot, Equipment);
	resolveStats(world, slot);
}

export function itemName(world: World, itemId: number): string {
	return findItem(world, itemId)?.name ?? 'unknown';
}

/**
 * Puts one carried item into a slot. The item worn there goes back into the inventory. Returns its id, or null. Throws
 * `silenced`, `item_missing`, `inventory_full`.
 */
export function equip(world: World, id: number, slot: string, itemId: number): number | null {
	requireFree(world, id, 'use_items', 'wearing items');
	const remaining = takeOut(slotsOf(world, id), itemId, 1);
	if (remaining === null)
		throw new ApiError('item_missing', `Entity ${id} does not carry ${itemName(world, itemId)} (${itemId}).`);
	const worn = wornBy(world, id);
	const old = Object.hasOwn(worn, slot) ? worn[slot]! : null;
	setSlots(world, id, old === null ? remaining : putBack(world, id, remaining, old));
	setWorn(world, id, { ...worn, [slot]: itemId });
	return old;
}

/**
 * Puts the item worn in a slot back into the inventory. Returns its id. Throws `silenced`, `item_missing`,
 * `inventory_full`.
 */
export function unequip(world: World, id: number, slot: string): number {
	requireFree(world, id, 'use_items', 'taking off what it wears');
	const worn = wornBy(world, id);
	if (!Object.hasOwn(worn, slot))
		throw new ApiError('item_missing', `Entity ${id} wears nothing in the slot "${slot}".`);
	const { [slot]: old, ...others } = worn;
	setSlots(world, id, putBack(world, id, slotsOf(world, id), old!));
	setWorn(world, id, others);
	return old!;
}

function putBack(world: World, id: number, places: ReturnType<typeof slotsOf>, itemId: number) {
	const { slots: next, put } = putIn(world, places, itemId, 1);
	if (put === 1) return next;
	throw new ApiError(
		'inventory_full',
		`The inventory of entity ${id} has no room for ${itemName(world, itemId)}, which it wears. Nothing was changed.`,
	);
}
