/** Damage after armour and resistance. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, spawn, step, entity, health } = playing();

describe('damage', () => {
	test('armour 10 leaves 62.5 % of physical, all of magical and pure damage', async () => {
		const own = await spawn({ health: 1000, armor: 10 });
		await post('/entity/damage', { entity_id: own, amount: 80 });
		await step();
		expect(await health(own)).toBe(950);
		await post('/entity/damage', { entity_id: own, amount: 80, category: 'magical' });
		await post('/entity/damage', { entity_id: own, amount: 20, category: 'pure' });
		await step();
		expect(await health(own)).toBe(850);
	});

	test('magic resistance turns its share of magical damage away; negative armour adds damage', async () => {
		const own = await spawn({ health: 1000, armor: -10, magic_resist: 0.25 });
		await post('/entity/damage', { entity_id: own, amount: 100, category: 'magical' });
		await step();
		expect(await health(own)).toBe(925);
		await post('/entity/damage', { entity_id: own, amount: 80 });
		await step();
		expect(await health(own)).toBe(815);
	});

	test('an entity with any health lives', async () => {
		const own = await spawn({ health: 1 });
		await post('/entity/damage', { entity_id: own, amount: 0.75 });
		await step(2);
		expect(await health(own)).toBe(0.25);
		expect((await entity(own)).dead).toBeUndefined();
	});

	test('damage takes effect once, and the dead take none', async () => {
		const own = await spawn({ health: 30 });
		await post('/entity/damage', { entity_id: own, amount: 20 });
		await step(3);
		expect(await health(own)).toBe(10);
		await post('/entity/damage', { entity_id: own, amount: 50 });
		await step();
		expect(await health(own)).toBe(0);
		expect((await post('/entity/damage', { entity_id: own, amount: 1 })).code).toBe('entity_dead');
	});
});
