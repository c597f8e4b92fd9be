/** The shop, the recipes and the boots of the market work for a player. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../../web/host/engine.ts';
import { clientOf } from '../../support/engine.ts';
import { openScene } from '../../support/scenes.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await openScene('market', 1);
});
afterEach(() => engine.close());

const post = async (path: string, body: unknown = {}) =>
	(await clientOf(engine.handle).call('POST', path, body)).body;
const get = async (path: string) => (await clientOf(engine.handle).call('GET', path)).body;

const BAKER = 1;
const BREAD = 1;
const FLOUR = 10;
const BOOTS = 30;

test('the baker bakes bread from flour by the recipe, until the flour is used up', async () => {
	const carried = async (item: number) => {
		const { inventory } = await get(`/item/list/${BAKER}`);
		return inventory
			.filter(({ item_id }: { item_id: number }) => item_id === item)
			.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
	};
	expect([await carried(FLOUR), await carried(BREAD)]).toEqual([12, 0]);
	for (let i = 0; i < 6; i++)
		expect(await post('/shop/buy', { entity_id: BAKER, item_id: BREAD })).toMatchObject({
			ok: true,
			paid: 1,
		});
	expect([await carried(FLOUR), await carried(BREAD)]).toEqual([0, 6]);
	expect(await post('/shop/buy', { entity_id: BAKER, item_id: BREAD })).toMatchObject({
		ok: false,
		code: 'components_missing',
	});
	expect((await get(`/entities/${BAKER}`)).gold).toBe(24);
});

test('boots make traders faster', async () => {
	const { entities } = await post('/observe');
	const folk = entities.filter(({ tags }: { tags?: string[] }) => tags?.includes('townsfolk'));
	const shod = folk.filter(({ equipment }: { equipment?: object }) => equipment !== undefined);
	expect(folk.length).toBeGreaterThan(shod.length);
	const { items } = await get('/item/registry');
	const boots = items.find(({ id }: { id: number }) => id === BOOTS);
	await post('/step', { ticks: 5 });
	for (const { id } of shod) {
		const { velocity, ai_goal } = await get(`/entities/${id}`);
		const [x, y, z] = velocity.linear;
		expect(Math.hypot(x, y, z)).toBeCloseTo(ai_goal.speed + boots.properties.move_speed, 4);
	}
});
