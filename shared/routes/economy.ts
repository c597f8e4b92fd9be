/** Routes of the tag Inventory and economy: items, inventories, equipment and the shop. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	entityReference,
	existingEntityId,
	keyText,
	listLength,
	message,
	nullMeansDefault,
} from '../contract/values.ts';
import { amount, itemFields, itemId } from '../documents/item.ts';
import { entityErrors, warnings } from './world.ts';

/** Schema of the id of a defined item. */
const definedItemId = itemId.meta(namesThing('item'));

const tag = 'Inventory and economy' as const;

const itemView = z.strictObject({
	id: itemId,
	name: z.string(),
	cost: z.int().describe('Price in gold; 0 without one'),
	properties: z
		.record(z.string(), z.number())
		.describe('Stat -> amount it adds while worn; cost is its price'),
	stack_max: z.int().nullable().describe('Largest stack in one slot; null: no limit'),
	recipe: z
		.strictObject({
			components: z.array(z.strictObject({ item_id: itemId, count: z.int().describe('Number of items') })),
			cost: z.int().describe('Additional price in gold'),
		})
		.nullable(),
	stock: z.int().nullable().describe('Number left in the shop; null: no limit'),
	teams: z.array(z.int()).nullable().describe('Teams that may buy it; null: all'),
});

const sword = { id: 1, name: 'Sword', properties: { cost: 100, attack_damage: 12 } };
const spawnBuyer = { path: '/spawn', body: { health: 100, gold: 500 } } as const;
const buyerAndSword = [{ path: '/item/define', body: sword }, spawnBuyer] as const;
const buyerWithSword = [
	...buyerAndSword,
	{ path: '/item/give', body: { entity_id: 0, item_id: 1 } },
] as const;

export const defineItem = route({
	id: 'items.define',
	tag,
	method: 'POST',
	path: '/item/define',
	cli: ['item', 'define'],
	summary: 'Defines an item, or replaces the one with its id',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({
			...itemFields,
			id: itemId.default(0),
			name: itemFields.name.default('Unnamed'),
			properties: itemFields.properties.default({}),
		}),
	),
	answer: message.extend({
		item_id: itemId,
		replaced: z.boolean().describe('true: it replaced an earlier one'),
		warnings,
	}),
	makes: { thing: 'item', named: { item: '$response.body#/item_id' } },
	errors: [],
	examples: [
		{ name: 'A sword', body: sword },
		{
			name: 'Made of two swords',
			given: buyerAndSword,
			body: { id: 2, name: 'Twin', recipe: { components: [{ item_id: 1, count: 2 }], cost: 50 } },
		},
	],
});

export const listItems = route({
	id: 'items.registry',
	tag,
	method: 'GET',
	path: '/item/registry',
	cli: ['item', 'registry'],
	summary: 'All defined items, by id',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), items: z.array(itemView), count: listLength }),
	errors: [],
	examples: [{ name: 'List the items', given: buyerAndSword }],
});

export const removeItem = route({
	id: 'items.remove_definition',
	tag,
	method: 'DELETE',
	path: '/item/{id}',
	cli: ['item', 'delete'],
	summary: 'Removes the definition of an item; entities keep such items, but they have no effect',
	effect: 'write',
	params: z.strictObject({ id: definedItemId }),
	answer: message,
	errors: ['unknown_item'],
	examples: [{ name: 'Remove the sword', given: buyerAndSword, path: '/item/1' }],
});

const count = amount.default(1);
const carriedAnswer = message.extend({ carried: z.int().describe('Number it carries now') });

export const giveItem = route({
	id: 'items.give',
	tag,
	method: 'POST',
	path: '/item/give',
	cli: ['item', 'give'],
	summary: 'Gives an entity items, all or none; creates an inventory of 8 slots if it has none',
	effect: 'write',
	body: z.strictObject(nullMeansDefault({ ...entityReference, item_id: definedItemId.default(0), count })),
	answer: carriedAnswer,
	errors: ['unknown_item', 'inventory_full'],
	inside: entityErrors,
	examples: [{ name: 'Give two', given: buyerAndSword, body: { entity_id: 0, item_id: 1, count: 2 } }],
});

export const takeItem = route({
	id: 'items.take',
	tag,
	method: 'POST',
	path: '/item/take',
	cli: ['item', 'take'],
	summary: 'Takes items from an inventory, all or none',
	effect: 'write',
	body: z.strictObject(nullMeansDefault({ ...entityReference, item_id: definedItemId, count })),
	answer: carriedAnswer,
	errors: [...entityErrors, 'item_missing'],
	examples: [{ name: 'Take it back', given: buyerWithSword, body: { entity_id: 0, item_id: 1 } }],
});

const slotName = keyText('Name of the slot; any but __proto__', 80).default('weapon');

export const equipItem = route({
	id: 'items.equip',
	tag,
	method: 'POST',
	path: '/item/equip',
	cli: ['item', 'equip'],
	summary: 'Equips a carried item; the item worn in the slot returns to the inventory',
	description: 'Each property except `cost` is added to the stat of its name while the item is worn.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({ ...entityReference, slot: slotName, item_id: definedItemId.default(0) }),
	),
	answer: message.extend({ replaced: itemId.nullable().describe('Item worn there before, or null') }),
	errors: ['silenced', 'inventory_full'],
	inside: [...entityErrors, 'no_inventory', 'item_missing'],
	examples: [
		{ name: 'Equip the sword', given: buyerWithSword, body: { entity_id: 0, slot: 'weapon', item_id: 1 } },
	],
});

export const unequipItem = route({
	id: 'items.unequip',
	tag,
	method: 'POST',
	path: '/item/unequip',
	cli: ['item', 'unequip'],
	summary: 'Returns the item worn in a slot to the inventory',
	effect: 'write',
	body: z.strictObject(nullMeansDefault({ ...entityReference, slot: slotName })),
	answer: message.extend({ item_id: itemId }),
	errors: [...entityErrors, 'silenced', 'item_missing', 'inventory_full'],
	examples: [
		{
			name: 'Unequip the sword',
			given: [...buyerWithSword, { path: '/item/equip', body: { entity_id: 0, item_id: 1 } }],
			body: { entity_id: 0, slot: 'weapon' },
		},
	],
});

export const listInventory = route({
	id: 'items.list',
	tag,
	method: 'GET',
	path: '/item/list/{entity_id}',
	cli: ['item', 'list'],
	summary: 'Items that an entity carries and wears, and the stats they add',
	effect: 'read',
	params: z.strictObject({ entity_id: existingEntityId }),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		inventory: z
			.array(
				z.strictObject({
					slot: z.int().describe('Inventory slot, from 0'),
					item_id: itemId,
					name: z.string(),
					count: z.int().describe('Number of items'),
				}),
			)
			.describe('Slots that are not empty'),
		capacity: z.int().describe('Number of slots; 0 without an inventory'),
		free: z.int().describe('Number of empty slots'),
		equipment: z
			.array(z.strictObject({ slot: z.string(), item_id: itemId, name: z.string() }))
			.describe('By slot'),
		stat_modifiers: z.record(z.string(), z.number()).describe('Amounts that worn items add, by stat'),
	}),
	errors: [],
	inside: ['entity_not_found'],
	examples: [{ name: 'Read the inventory', given: buyerWithSword, path: '/item/list/0' }],
});

const trade = z.strictObject({ ...entityReference, item_id: definedItemId });

export const buyItem = route({
	id: 'shop.buy',
	tag,
	method: 'POST',
	path: '/shop/buy',
	cli: ['shop', 'buy'],
	summary: 'Buys one item, or crafts it from its recipe',
	description: 'With a recipe, its components are used up and only its own cost is paid.',
	effect: 'write',
	body: trade,
	answer: message.extend({ paid: z.int().describe('Gold paid'), gold: z.int().describe('Gold left') }),
	errors: ['silenced', 'not_for_team', 'out_of_stock'],
	inside: [
		...entityErrors,
		'entity_dead',
		'unknown_item',
		'no_price',
		'components_missing',
		'no_gold',
		'not_enough_gold',
		'inventory_full',
	],
	examples: [{ name: 'Buy a sword', given: buyerAndSword, body: { entity_id: 0, item_id: 1 } }],
});

export const sellItem = route({
	id: 'shop.sell',
	tag,
	method: 'POST',
	path: '/shop/sell',
	cli: ['shop', 'sell'],
	summary: 'Sells one carried item for half its cost, rounded down',
	description:
		'POST /tuning can set another share. An item with a recipe but no cost is worth its components plus the cost of the recipe.',
	effect: 'write',
	body: trade,
	answer: message.extend({ earned: z.int().describe('Gold earned'), gold: z.int().describe('Gold now') }),
	errors: ['entity_dead', 'silenced'],
	inside: [...entityErrors, 'unknown_item', 'no_price', 'item_missing', 'no_gold'],
	examples: [{ name: 'Sell the sword', given: buyerWithSword, body: { entity_id: 0, item_id: 1 } }],
});

export const listShop = route({
	id: 'shop.list',
	tag,
	method: 'GET',
	path: '/shop/list',
	cli: ['shop', 'list'],
	summary: 'Items in the shop by id, with price, recipe, stock and teams',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		items: z.array(itemView.extend({ for_sale: z.boolean().describe('true: it has a cost or a recipe') })),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'See what is for sale', given: buyerAndSword }],
});
