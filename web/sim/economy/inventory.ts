/**
 * Carrying items.
 * Owns: the order of stacks: places with the item first, then empty ones, each up to the limit of the item.
 */

import { Inventory, type Stack } from '../../../shared/components/inventory.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, type World, write } from '../core/world.ts';
import { findItem, stackMax } from '../items/items.ts';

export type Slots = readonly (Stack | null)[];

/** Returns the places of an entity's inventory; empty places when it has none yet. */
export function slotsOf(world: World, slot: number): Slots {
	return has(world, slot, Inventory)
		? read(world, Inventory, 'slots')[slot]!
		: Inventory.fields.slots.initial;
}

/** Returns the carried number of an item. */
export function carried(slots: Slots, itemId: number): number {
	return slots.reduce((sum, stack) => (stack?.item_id === itemId ? sum + stack.count : sum), 0);
}

/** Returns the places with up to `count` of an item put in, and how many found room. */
export function putIn(world: World, slots: Slots, itemId: number, count: number) {
	const most = stackMax(world, itemId);
	const next = [...slots];
	let remaining = count;
	for (const kind of ['stacks', 'empty'] as const) {
		for (let i = 0; i < next.length && remaining > 0; i++) {
			const stack = next[i]!;
			if (kind === 'stacks' ? stack?.item_id !== itemId : stack !== null) continue;
			const room = Math.min(remaining, most - (stack?.count ?? 0));
			if (room <= 0) continue;
			next[i] = { item_id: itemId, count: (stack?.count ?? 0) + room };
			remaining -= room;
		}
	}
	return { slots: next as Slots, put: count - remaining };
}

/** Returns the places with `count` of an item taken out, last stack first; null if there are fewer. */
export function takeOut(slots: Slots, itemId: number, count: number): Slots | null {
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
 * Gives as many of an item as there is room for, and makes an inventory if there is none. Returns the number given: 0
 * for items that are not defined.
 */
export function give(world: World, entity: EntityHandle, itemId: number, count: number): number {
	const slot = slotOf(world, entity);
	if (slot < 0 || findItem(world, itemId) === undefined) return 0;
	const { slots, put } = putIn(world, slotsOf(world, slot), itemId, count);
	if (put > 0 || !has(world, slot, Inventory)) setSlots(world, slot, slots);
	return put;
}

/** Takes items away, all of them or none. Returns true if there were enough. */
export function take(world: World, entity: EntityHandle, itemId: number, count: number): boolean {
	const slot = slotOf(world, entity);
	if (slot < 0 || !has(world, slot, Inventory)) return false;
	const remaining = takeOut(slotsOf(world, slot), itemId, count);
	if (remaining !== null) setSlots(world, slot, remaining);
	return remaining !== null;
}
