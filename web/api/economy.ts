/** Handlers of the tag Inventory and economy. */

import { Inventory } from '../../shared/components/inventory.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/economy.ts';
import { entityAt } from '../sim/core/entities.ts';
import { has, type World } from '../sim/core/world.ts';
import { equip, itemNameOf, unequip, wornItemsOf } from '../sim/economy/equipment.ts';
import { addToSlots, countCarried, giveItems, slotsOf, takeItems } from '../sim/economy/inventory.ts';
import { buyItem, sellItem } from '../sim/economy/shop.ts';
import * as items from '../sim/items/items.ts';
import { resolveWearers, wornStats } from '../sim/stats/resolve-stats.ts';
import { misspeltStats } from '../sim/stats/stat.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';
import { warningsField } from './warnings-field.ts';

const itemView = (item: items.ItemDefinition) => ({
	...item,
	cost: Math.trunc(item.properties.cost ?? 0),
	recipe: item.recipe === null ? null : { ...item.recipe, components: [...item.recipe.components] },
	teams: item.teams === null ? null : [...item.teams],
});

/** Returns warnings about parts of a definition that do not work. */
function itemWarnings(world: World, item: items.ItemDefinition): string[] {
	const { cost, ...stats } = item.properties;
	const warnings = misspeltStats(Object.keys(stats));
	if (cost !== undefined && !Number.isInteger(cost))
		warnings.push(`cost ${cost} is rounded down to ${Math.trunc(cost)}`);
	for (const id of items.recipeComponentsOf(item).keys()) {
		if (id === item.id) warnings.push('the recipe contains the item itself');
		else if (items.findItem(world, id) === undefined)
			warnings.push(`the item ${id} in the recipe is not defined yet`);
	}
	return warnings;
}

export const handlers = [
	handler(routes.defineItem, ({ world }, { body }) => {
		const { id, name, properties, stack_max, recipe, stock, teams } = body;
		const replaced = items.defineItem(world, {
			id,
			name,
			properties,
			stack_max: stack_max ?? null,
			recipe: recipe ?? null,
			stock: stock ?? null,
			teams: teams ?? null,
		});
		resolveWearers(world);
		const warnings = itemWarnings(world, items.requireItem(world, id));
		return {
			message: `Item ${id} is defined as ${name}.`,
			item_id: id,
			replaced,
			...warningsField(warnings),
		};
	}),

	handler(routes.listItems, ({ world }) => {
		const list = items.itemDefinitions(world).map(itemView);
		return { items: list, count: list.length };
	}),

	handler(routes.removeItem, ({ world }, { params }) => {
		const { name } = items.removeItem(world, params.id);
		resolveWearers(world);
		return { message: `The definition of ${name} was removed.` };
	}),

	handler(routes.giveItem, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const { name } = items.requireItem(world, body.item_id);
		const { added } = addToSlots(world, slotsOf(world, entity.id), body.item_id, body.count);
		if (added < body.count)
			throw new ApiError(
				'inventory_full',
				`The inventory of entity ${entity.id} has room for ${added} of ${body.count} ${name}. Nothing was given.`,
			);
		giveItems(world, entity, body.item_id, body.count);
		const carriedCount = countCarried(slotsOf(world, entity.id), body.item_id);
		return { message: `Entity ${entity.id} carries ${carriedCount} ${name}.`, carried: carriedCount };
	}),

	handler(routes.takeItem, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const name = itemNameOf(world, body.item_id);
		const carriedBefore = countCarried(slotsOf(world, entity.id), body.item_id);
		if (!takeItems(world, entity, body.item_id, body.count))
			throw new ApiError(
				'item_missing',
				`Entity ${entity.id} carries ${carriedBefore} ${name}, not ${body.count}.`,
			);
		const carriedCount = carriedBefore - body.count;
		return { message: `Entity ${entity.id} carries ${carriedCount} ${name}.`, carried: carriedCount };
	}),

	handler(routes.equipItem, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		if (!has(world, id, Inventory)) throw new ApiError('no_inventory', `Entity ${id} has no inventory.`);
		const replaced = equip(world, id, body.slot, body.item_id);
		return { message: `Entity ${id} wears ${itemNameOf(world, body.item_id)} as ${body.slot}.`, replaced };
	}),

	handler(routes.unequipItem, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		const item_id = unequip(world, id, body.slot);
		return { message: `Entity ${id} no longer wears ${itemNameOf(world, item_id)}.`, item_id };
	}),

	handler(routes.listInventory, ({ world }, { params }) => {
		const { id } = entityAt(world, params.entity_id);
		const slots = has(world, id, Inventory) ? slotsOf(world, id) : [];
		const worn = wornItemsOf(world, id);
		return {
			entity_id: id,
			inventory: slots.flatMap((stack, slot) =>
				stack === null ? [] : [{ slot, ...stack, name: itemNameOf(world, stack.item_id) }],
			),
			capacity: slots.length,
			free: slots.filter((stack) => stack === null).length,
			equipment: Object.keys(worn)
				.sort()
				.map((slot) => ({ slot, item_id: worn[slot]!, name: itemNameOf(world, worn[slot]!) })),
			stat_modifiers: Object.fromEntries(wornStats(world, id)),
		};
	}),

	handler(routes.buyItem, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const { paid, gold } = buyItem(world, entity, body.item_id);
		return { message: `Bought ${itemNameOf(world, body.item_id)} for ${paid} gold.`, paid, gold };
	}),

	handler(routes.sellItem, ({ world }, { body }) => {
		const entity = requireNamedEntity(world, body);
		const { earned, gold } = sellItem(world, entity, body.item_id);
		return { message: `Sold ${itemNameOf(world, body.item_id)} for ${earned} gold.`, earned, gold };
	}),

	handler(routes.listShop, ({ world }) => {
		const list = items.itemDefinitions(world).map((item) => ({
			...itemView(item),
			for_sale: item.recipe !== null || item.properties.cost !== undefined,
		}));
		return { items: list, count: list.length };
	}),
];
