/** Giving a spawned entity its mana, stats, abilities, items and effects. */

import { Inventory } from '../../../shared/components/inventory.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { setAbilities } from '../abilities/ability.ts';
import type { World } from '../core/world.ts';
import { setWorn } from '../economy/equipment.ts';
import { putIn, type Slots, setSlots } from '../economy/inventory.ts';
import { applyEffect } from '../effects/effect.ts';
import { findItem, requireItem } from '../items/items.ts';
import { resolveStats } from '../stats/resolve-stats.ts';

/**
 * Checks what a document gives before anything is made. Throws `unknown_item`, `inventory_full`. During a tick nobody
 * could be told: what cannot be given is left out then.
 */
export function requireBelongings(world: World, document: SpawnDocument): void {
	if (world.chance !== null || (document.equipment == null && document.inventory == null)) return;
	for (const id of Object.values(document.equipment ?? {})) requireItem(world, id);
	for (const { item_id } of document.inventory ?? []) requireItem(world, item_id);
	const { left } = packed(world, document);
	if (left > 0)
		throw new ApiError('inventory_full', `The inventory has no room for ${left} of the items.`, {
			fix: 'Give the entity fewer kinds of items, or larger stacks.',
		});
}

/** The filled places of the inventory that a document describes, and how many items found no room. */
function packed(world: World, { inventory }: SpawnDocument): { slots: Slots; left: number } {
	let slots: Slots = Inventory.fields.slots.initial;
	let left = 0;
	for (const { item_id, count } of inventory ?? []) {
		if (findItem(world, item_id) === undefined) continue;
		const { slots: next, put } = putIn(world, slots, item_id, count);
		slots = next;
		left += count - put;
	}
	return { slots, left };
}

/** Gives an entity what its document says, once `requireBelongings` has passed. */
export function giveBelongings(
	world: World,
	entity: EntityHandle,
	document: SpawnDocument,
	warnings: string[],
): void {
	const { id } = entity;
	const { base_stats, abilities, inventory, equipment, effects } = document;
	if (abilities != null && abilities.length > 0) setAbilities(world, id, abilities);
	if (inventory != null) setSlots(world, id, packed(world, document).slots);
	if (equipment != null) setWorn(world, id, equipment);
	if (base_stats != null) resolveStats(world, id);
	(effects ?? []).forEach((effect, i) => {
		if (applyEffect(world, entity, effect) === null)
			warnings.push(`effects[${i}]: the stack policy ${effect.stack_policy} allows no more "${effect.tag}"`);
	});
}
