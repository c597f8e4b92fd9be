/** Rules of items, equipment and the shop. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, remove, spawn, step, entity, digest } = playing();

const readBag = async (id: number) =>
	(await get(`/item/list/${id}`)).inventory.map((held: { item_id: number; count: number }) => [
		held.item_id,
		held.count,
	]);
const define = (id: number, more: object = {}) => post('/item/define', { id, name: `Item ${id}`, ...more });

/** Expects that a call is refused with a code, and changes nothing. */
async function expectRefusal(path: string, body: object, code: string): Promise<void> {
	const before = await digest();
	expect(await post(path, body)).toMatchObject({ ok: false, code });
	expect(await digest()).toBe(before);
}

describe('inventory', () => {
	test('stacks fill before empty places, up to the limit of the item', async () => {
		await define(1, { stack_max: 5 });
		const id = await spawn({});
		await post('/item/give', { entity_id: id, item_id: 1, count: 3 });
		await post('/item/give', { entity_id: id, item_id: 1, count: 4 });
		expect(await readBag(id)).toEqual([
			[1, 5],
			[1, 2],
		]);
		expect(await get(`/item/list/${id}`)).toMatchObject({ capacity: 8, free: 6 });
	});

	test('a gift without enough room gives nothing', async () => {
		await define(1, { stack_max: 1 });
		const id = await spawn({});
		await post('/item/give', { entity_id: id, item_id: 1, count: 7 });
		await expectRefusal('/item/give', { entity_id: id, item_id: 1, count: 2 }, 'inventory_full');
		await expectRefusal('/item/give', { entity_id: id, item_id: 9 }, 'unknown_item');
		expect(await readBag(id)).toHaveLength(7);
	});

	test('POST /item/take takes the whole count, or nothing', async () => {
		await define(1);
		const id = await spawn({ inventory: [{ item_id: 1, count: 3 }] });
		await expectRefusal('/item/take', { entity_id: id, item_id: 1, count: 4 }, 'item_missing');
		expect(await post('/item/take', { entity_id: id, item_id: 1, count: 2 })).toMatchObject({ carried: 1 });
		expect(await readBag(id)).toEqual([[1, 1]]);
	});
});

describe('equipment', () => {
	test('worn items change all stats except their cost, in combat and in the read-out', async () => {
		await define(1, { properties: { cost: 100, attack_damage: 40, max_health: 25 } });
		const id = await spawn({ team: 1, health: 100, combat: true, inventory: [{ item_id: 1 }] });
		const target = await spawn({ team: 2, health: 1000, position: [1, 0, 0] });
		await post('/item/equip', { entity_id: id, slot: 'weapon', item_id: 1 });
		expect(await entity(id)).toMatchObject({
			stats: { attack_damage: 50, max_health: 125 },
			health: [100, 125],
		});
		expect((await get(`/item/list/${id}`)).stat_modifiers).toEqual({ attack_damage: 40, max_health: 25 });
		await step(70);
		expect((await entity(target)).health[0]).toBe(950);
		await post('/item/unequip', { entity_id: id, slot: 'weapon' });
		expect(await entity(id)).toMatchObject({ health: [100, 100] });
		expect((await entity(id)).equipment).toBeUndefined();
		expect(await readBag(id)).toEqual([[1, 1]]);
	});

	test('a replaced item returns to the bag, and nothing is lost without room', async () => {
		await define(1);
		await define(2);
		await define(3, { stack_max: 1 });
		const id = await spawn({ inventory: [{ item_id: 1 }, { item_id: 2, count: 2 }] });
		await post('/item/equip', { entity_id: id, item_id: 1 });
		await post('/item/give', { entity_id: id, item_id: 3, count: 7 });
		await expectRefusal('/item/equip', { entity_id: id, item_id: 2 }, 'inventory_full');
		await expectRefusal('/item/unequip', { entity_id: id }, 'inventory_full');
		await expectRefusal('/item/equip', { entity_id: id, item_id: 1 }, 'item_missing');
		await post('/item/take', { entity_id: id, item_id: 2, count: 1 });
		expect(await post('/item/equip', { entity_id: id, item_id: 2 })).toMatchObject({ ok: true, replaced: 1 });
	});

	test('an entity without an inventory stays unchanged', async () => {
		await define(1);
		const id = await spawn({});
		await expectRefusal('/item/equip', { entity_id: id, item_id: 1 }, 'no_inventory');
	});
});

describe('shop', () => {
	test('buying makes an inventory, stacks, and pays; selling gives half, rounded down', async () => {
		await define(1, { properties: { cost: 75 } });
		const id = await spawn({ gold: 200 });
		expect(await post('/shop/buy', { entity_id: id, item_id: 1 })).toMatchObject({ paid: 75, gold: 125 });
		await post('/shop/buy', { entity_id: id, item_id: 1 });
		expect(await readBag(id)).toEqual([[1, 2]]);
		await expectRefusal('/shop/buy', { entity_id: id, item_id: 1 }, 'not_enough_gold');
		expect(await post('/shop/sell', { entity_id: id, item_id: 1 })).toMatchObject({ earned: 37, gold: 87 });
	});

	test('gold that equals the price is enough', async () => {
		await define(1, { properties: { cost: 75 } });
		const id = await spawn({ gold: 75 });
		expect(await post('/shop/buy', { entity_id: id, item_id: 1 })).toMatchObject({ ok: true, gold: 0 });
	});

	test('a full bag still takes items that stack', async () => {
		await define(1, { properties: { cost: 1 } });
		await define(2, { stack_max: 1 });
		const id = await spawn({ gold: 5, inventory: [{ item_id: 1 }, { item_id: 2, count: 7 }] });
		expect((await post('/shop/buy', { entity_id: id, item_id: 1 })).ok).toBe(true);
		expect((await readBag(id))[0]).toEqual([1, 2]);
	});

	test('a recipe uses up its components; a component listed twice is needed twice', async () => {
		await define(1, { properties: { cost: 50 } });
		await define(2, { recipe: { components: [{ item_id: 1 }, { item_id: 1 }], cost: 30 } });
		const id = await spawn({ gold: 100, inventory: [{ item_id: 1 }] });
		await expectRefusal('/shop/buy', { entity_id: id, item_id: 2 }, 'components_missing');
		await post('/item/give', { entity_id: id, item_id: 1 });
		expect(await post('/shop/buy', { entity_id: id, item_id: 2 })).toMatchObject({ paid: 30, gold: 70 });
		expect(await readBag(id)).toEqual([[2, 1]]);
		expect(await post('/shop/sell', { entity_id: id, item_id: 2 })).toMatchObject({ earned: 65 });
	});

	test('a refusal names all missing components', async () => {
		await define(1, { name: 'Blade', properties: { cost: 50 } });
		await define(2, { name: 'Plate', properties: { cost: 50 } });
		const components = [{ item_id: 1, count: 3 }, { item_id: 2 }];
		await define(3, { recipe: { components, cost: 30 } });
		const id = await spawn({ gold: 100, inventory: [{ item_id: 1 }] });
		const { error } = await post('/shop/buy', { entity_id: id, item_id: 3 });
		expect(error).toContain('2 more Blade (1), 1 more Plate (2).');
	});

	test('the dead, entities without gold and the wrong team neither buy nor lose anything', async () => {
		await define(1, { properties: { cost: 5 }, teams: [2], stock: 1 });
		const poor = await spawn({ team: 2, inventory: [{ item_id: 1 }] });
		await expectRefusal('/shop/sell', { entity_id: poor, item_id: 1 }, 'no_gold');
		await expectRefusal('/shop/buy', { entity_id: poor, item_id: 1 }, 'no_gold');
		const other = await spawn({ team: 1, gold: 50 });
		await expectRefusal('/shop/buy', { entity_id: other, item_id: 1 }, 'not_for_team');
		const dead = await spawn({ team: 2, gold: 50, health: 1, inventory: [{ item_id: 1 }] });
		await post('/entity/damage', { entity_id: dead, amount: 9 });
		await step();
		await expectRefusal('/shop/buy', { entity_id: dead, item_id: 1 }, 'entity_dead');
		await expectRefusal('/shop/sell', { entity_id: dead, item_id: 1 }, 'entity_dead');
		const rich = await spawn({ team: 2, gold: 50 });
		expect((await post('/shop/buy', { entity_id: rich, item_id: 1 })).ok).toBe(true);
		await expectRefusal('/shop/buy', { entity_id: rich, item_id: 1 }, 'out_of_stock');
	});

	test('definitions are listed whole and can be removed, and a cost below 0 is refused', async () => {
		await define(4, { properties: { cost: 9, armor: 1 }, stack_max: 3, teams: [1], stock: 2 });
		const shown = {
			id: 4,
			name: 'Item 4',
			cost: 9,
			properties: { cost: 9, armor: 1 },
			stack_max: 3,
			recipe: null,
			stock: 2,
			teams: [1],
		};
		expect((await get('/item/registry')).items).toEqual([shown]);
		expect((await get('/shop/list')).items).toEqual([{ ...shown, for_sale: true }]);
		expect((await call('POST', '/item/define', { id: 5, properties: { cost: -1 } })).status).toBe(422);
		expect((await remove('/item/4')).ok).toBe(true);
		expect((await get('/item/registry')).items).toEqual([]);
		expect((await call('DELETE', '/item/4')).body).toMatchObject({ ok: false, code: 'unknown_item' });
	});

	test('an item of many components costs at most what a purse holds, and its price is found fast', async () => {
		const recipeOf = (...ids: number[]) => ({
			recipe: { components: ids.map((item_id) => ({ item_id, count: 1_000_000 })), cost: 1 },
		});
		await define(1, { properties: { cost: 1e9 } });
		await define(2, { properties: { cost: 1e9 } });
		for (let id = 3; id < 100; id += 2) {
			await define(id, recipeOf(id - 2, id - 1));
			await define(id + 1, recipeOf(id - 2, id - 1));
		}
		const id = await spawn({ gold: 1, inventory: [{ item_id: 99, count: 2 }] });
		expect(await post('/shop/sell', { entity_id: id, item_id: 99 })).toMatchObject({ earned: 0x7fffffff });
		await post('/tuning', { shop: { resale: 0 } });
		expect(await post('/shop/sell', { entity_id: id, item_id: 99 })).toMatchObject({ earned: 0 });
		expect((await entity(id)).gold).toBe(0x7fffffff);
	});
});
