/** Worn items. Owns: the move of items between inventory and equipment, in which no item is lost. */

import { Equipment } from '../../../shared/components/inventory.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { add, get, has, remove, type World } from '../core/world.ts';
import { requireFree } from '../crowd-control/crowd-control.ts';
import { findItem } from '../items/items.ts';
import { resolveStats } from '../stats/resolve-stats.ts';
import { addToSlots, removeFromSlots, setSlots, slotsOf } from './inventory.ts';

/** Returns the items that an entity wears, by slot. */
export function wornItemsOf(world: World, slot: number): Readonly<Record<string, number>> {
	return get(world, slot, Equipment)?.worn ?? {};
}

/** Replaces the items that an entity wears, and resolves its stats. */
export function setWorn(world: World, slot: number, worn: Readonly<Record<string, number>>): void {
	if (Object.keys(worn).length > 0) add(world, slot, Equipment, { worn });
	else if (has(world, slot, Equipment)) remove(world, slot, Equipment);
	resolveStats(world, slot);
}

/** Returns the name of an item for messages. */
export function itemNameOf(world: World, itemId: number): string {
	return findItem(world, itemId)?.name ?? 'unknown';
}

/**
 * Puts one carried item into a slot. The item worn there goes back into the inventory. Returns its id, or null. Throws
 * `silenced`, `item_missing`, `inventory_full`.
 */
export function equip(world: World, id: number, slot: string, itemId: number): number | null {
	requireFree(world, id, 'use_items', 'wearing items');
	const inventory = removeFromSlots(slotsOf(world, id), itemId, 1);
	if (inventory === null)
		throw new ApiError(
			'item_missing',
			`Entity ${id} does not carry ${itemNameOf(world, itemId)} (${itemId}).`,
		);
	const worn = wornItemsOf(world, id);
	const oldItemId = Object.hasOwn(worn, slot) ? worn[slot]! : null;
	setSlots(world, id, oldItemId === null ? inventory : putBack(world, id, inventory, oldItemId));
	setWorn(world, id, { ...worn, [slot]: itemId });
	return oldItemId;
}

/**
 * Puts the item worn in a slot back into the inventory. Returns its id. Throws `silenced`, `item_missing`,
 * `inventory_full`.
 */
export function unequip(world: World, id: number, slot: string): number {
	requireFree(world, id, 'use_items', 'taking off what it wears');
	const worn = wornItemsOf(world, id);
	if (!Object.hasOwn(worn, slot))
		throw new ApiError('item_missing', `Entity ${id} wears nothing in the slot "${slot}".`);
	const { [slot]: oldItemId, ...otherSlots } = worn;
	setSlots(world, id, putBack(world, id, slotsOf(world, id), oldItemId!));
	setWorn(world, id, otherSlots);
	return oldItemId!;
}

function putBack(world: World, id: number, inventory: ReturnType<typeof slotsOf>, itemId: number) {
	const { slots: next, added } = addToSlots(world, inventory, itemId, 1);
	if (added === 1) return next;
	throw new ApiError(
		'inventory_full',
		`The inventory of entity ${id} has no room for ${itemNameOf(world, itemId)}, which it wears. Nothing was changed.`,
	);
}
