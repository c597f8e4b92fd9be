/**
 * Carried items.
 * Owns: the order in which slots are filled: stacks of the item first, then empty slots, each up to the limit of the item.
 */

import { Inventory, type Stack } from '../../../shared/components/inventory.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, type World, write } from '../core/world.ts';
import { findItem, maxStackOf } from '../items/items.ts';

export type Slots = readonly (Stack | null)[];

/** Returns the slots of an entity's inventory; empty slots if it has no inventory yet. */
export function slotsOf(world: World, slot: number): Slots {
	return has(world, slot, Inventory)
		? read(world, Inventory, 'slots')[slot]!
		: Inventory.fields.slots.initial;
}

/** Returns the number of an item in slots. */
export function countCarried(slots: Slots, itemId: number): number {
	return slots.reduce((sum, stack) => (stack?.item_id === itemId ? sum + stack.count : sum), 0);
}

/** Returns the slots with up to `count` of an item added, and the number of added items. */
export function addToSlots(world: World, slots: Slots, itemId: number, count: number) {
	const maxCount = maxStackOf(world, itemId);
	const next = [...slots];
	let remaining = count;
	for (const kind of ['stacks', 'empty'] as const) {
		for (let i = 0; i < next.length && remaining > 0; i++) {
			const stack = next[i]!;
			if (kind === 'stacks' ? stack?.item_id !== itemId : stack !== null) continue;
			const moved = Math.min(remaining, maxCount - (stack?.count ?? 0));
			if (moved <= 0) continue;
			next[i] = { item_id: itemId, count: (stack?.count ?? 0) + moved };
			remaining -= moved;
		}
	}
	return { slots: next as Slots, added: count - remaining };
}

/** Returns the slots without `count` of an item, taken from the last stack first; null if there are fewer. */
export function removeFromSlots(slots: Slots, itemId: number, count: number): Slots | null {
	const next = [...slots];
	let remaining = count;
	for (let i = next.length - 1; i >= 0 && remaining > 0; i--) {
		const stack = next[i]!;
		if (stack?.item_id !== itemId) continue;
		const takenCount = Math.min(remaining, stack.count);
		next[i] = takenCount === stack.count ? null : { item_id: itemId, count: stack.count - takenCount };
		remaining -= takenCount;
	}
	return remaining > 0 ? null : next;
}

export function setSlots(world: World, slot: number, slots: Slots): void {
	if (has(world, slot, Inventory)) write(world, Inventory, 'slots')[slot] = slots;
	else add(world, slot, Inventory, { slots: slots });
}

/**
 * Adds as many of an item as there is room for. Adds an inventory if it is missing. Returns the number of added items: 0
 * for an item that is not defined.
 */
export function giveItems(world: World, entity: EntityHandle, itemId: number, count: number): number {
	const slot = slotOf(world, entity);
	if (slot < 0 || findItem(world, itemId) === undefined) return 0;
	const { slots, added } = addToSlots(world, slotsOf(world, slot), itemId, count);
	if (added > 0 || !has(world, slot, Inventory)) setSlots(world, slot, slots);
	return added;
}

/** Removes `count` of an item from an inventory, or none. Returns true if there were enough. */
export function takeItems(world: World, entity: EntityHandle, itemId: number, count: number): boolean {
	const slot = slotOf(world, entity);
	if (slot < 0 || !has(world, slot, Inventory)) return false;
	const remaining = removeFromSlots(slotsOf(world, slot), itemId, count);
	if (remaining !== null) setSlots(world, slot, remaining);
	return remaining !== null;
}
