/**
 * Definitions of items.
 * Owns: the registry, and the worth of an item.
 */

import * as z from 'zod';
import { STACK_MAX } from '../../../shared/components/inventory.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { itemFields } from '../../../shared/documents/item.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

const itemDefinition = z.strictObject({
	...itemFields,
	stack_max: itemFields.stack_max.unwrap().default(null),
	recipe: itemFields.recipe.unwrap().default(null),
	stock: itemFields.stock.unwrap().default(null),
	teams: itemFields.teams.unwrap().default(null),
});

export type ItemDefinition = Readonly<z.output<typeof itemDefinition>>;

export const Items: Resource<readonly ItemDefinition[]> = {
	name: 'items',
	scope: 'state',
	summary: 'Defined items, by id',
	schema: z.array(itemDefinition),
	entriesOf: (items = []) => keyedBy(items, ({ id }) => id),
	merge: (present, added) => added.reduce(withItem, present),
	initial: () => [],
};

/** Returns the definitions with `item`, which replaces any other with its id. */
function withItem(items: readonly ItemDefinition[], item: ItemDefinition): readonly ItemDefinition[] {
	return [...items.filter(({ id }) => id !== item.id), item].sort((a, b) => a.id - b.id);
}

/** Returns all definitions, by id. */
export function itemDefinitions(world: World): readonly ItemDefinition[] {
	return resource(world, Items) ?? [];
}

export function findItem(world: World, id: number): ItemDefinition | undefined {
	return itemDefinitions(world).find((item) => item.id === id);
}

/** Returns the definition of an item. Throws `unknown_item`. */
export function requireItem(world: World, id: number): ItemDefinition {
	const item = findItem(world, id);
	if (item === undefined) throw new ApiError('unknown_item', `There is no item ${id}.`);
	return item;
}

/** Defines an item, which replaces any other with its id. Returns true if there was one. */
export function defineItem(world: World, item: ItemDefinition): boolean {
	const isReplaced = findItem(world, item.id) !== undefined;
	setResource(world, Items, withItem(itemDefinitions(world), item));
	return isReplaced;
}

/** Removes the definition of an item. Entities keep the item, but it no longer has an effect. Throws `unknown_item`. */
export function removeItem(world: World, id: number): ItemDefinition {
	const item = requireItem(world, id);
	setResource(
		world,
		Items,
		itemDefinitions(world).filter((other) => other !== item),
	);
	return item;
}

/** Returns the maximum number of an item in one slot of an inventory. */
export function maxStackOf(world: World, id: number): number {
	return findItem(world, id)?.stack_max ?? STACK_MAX;
}

/** Returns the components of a recipe, each once with its count. */
export function recipeComponentsOf(item: ItemDefinition): Map<number, number> {
	const countById = new Map<number, number>();
	for (const { item_id, count } of item.recipe?.components ?? [])
		countById.set(item_id, (countById.get(item_id) ?? 0) + count);
	return countById;
}

/** Maximum worth of an item: twice the maximum gold of an entity, because a sale pays half by default. */
const MAX_WORTH = 2 * 0x7fffffff;

/**
 * Returns the worth of an item in gold: its cost, or the cost of its recipe with the worth of the components; null if it
 * has neither. `cache`: worth of items by id. An item that is a component of itself adds nothing.
 */
export function worthOf(
	world: World,
	item: ItemDefinition,
	cache = new Map<number, number>(),
): number | null {
	if (item.properties.cost !== undefined) return Math.trunc(item.properties.cost);
	if (item.recipe === null) return null;
	let sum = item.recipe.cost;
	cache.set(item.id, 0);
	for (const [id, count] of recipeComponentsOf(item)) {
		const component = findItem(world, id);
		sum += count * (cache.get(id) ?? ((component && worthOf(world, component, cache)) || 0));
	}
	const total = Math.min(MAX_WORTH, sum);
	cache.set(item.id, total);
	return total;
}
