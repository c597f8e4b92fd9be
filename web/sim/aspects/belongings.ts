/** Aspect: items of an entity are defined, and fit into its inventory. It also starts abilities, stats and effects. */

import { Inventory } from '../../../shared/components/inventory.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { setAbilities } from '../abilities/ability.ts';
import type { World } from '../core/world.ts';
import { setWorn } from '../economy/equipment.ts';
import { addToSlots, type Slots, setSlots } from '../economy/inventory.ts';
import { applyEffect } from '../effects/effect.ts';
import { findItem, requireItem } from '../items/items.ts';
import { resolveStats } from '../stats/resolve-stats.ts';
import type { Aspect } from './aspect.ts';

/** It has no `requireExisting`, because an item may be removed from the registry while entities carry it. */
export const belongings: Aspect = {
	isOptionalDuringTick: true,
	require(world, { document }) {
		for (const id of Object.values(document.equipment ?? {})) requireItem(world, id);
		for (const { item_id } of document.inventory ?? []) requireItem(world, item_id);
		const { overflow: left } = fillSlots(world, document);
		if (left > 0)
			throw new ApiError('inventory_full', `The inventory has no room for ${left} of the items.`, {
				fix: 'Give the entity fewer kinds of items, or larger stacks.',
			});
	},
	begin(world, entity, { document }) {
		const { id } = entity;
		const { base_stats, abilities, inventory, equipment, effects } = document;
		if (abilities != null && abilities.length > 0) setAbilities(world, id, abilities);
		if (inventory != null) setSlots(world, id, fillSlots(world, document).slots);
		if (equipment != null) setWorn(world, id, equipment);
		if (base_stats != null) resolveStats(world, id);
		return (effects ?? []).flatMap((effect, i) =>
			applyEffect(world, entity, effect) === null
				? [`effects[${i}]: the stack policy ${effect.stack_policy} allows no more "${effect.tag}"`]
				: [],
		);
	},
};

/** Returns the filled slots of a document's inventory, and the number of items that do not fit. */
function fillSlots(world: World, { inventory }: SpawnDocument): { slots: Slots; overflow: number } {
	let slots: Slots = Inventory.fields.slots.initial;
	let overflow = 0;
	for (const { item_id, count } of inventory ?? []) {
		if (findItem(world, item_id) === undefined) continue;
		const { slots: next, added } = addToSlots(world, slots, item_id, count);
		slots = next;
		overflow += count - added;
	}
	return { slots, overflow: overflow };
}
