/** Damage, healing and death, tick by tick. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../../support/engine.ts';

let testEngine: TestEngine;
beforeEach(async () => {
	testEngine = await startEngine();
	await testEngine.must('POST', '/spawn', { health: 100 });
	await testEngine.must('POST', '/spawn', { health: 50, team: 2 });
});
afterEach(() => testEngine.engine.close());

const entity = (id: number) => testEngine.must('GET', `/entities/${id}`);
const damage = (amount: number, source?: number) =>
	testEngine.must('POST', '/entity/damage', { entity_id: 0, amount, source });
const step = (ticks = 1) => testEngine.must('POST', '/step', { ticks });

describe('damage', () => {
	test('applies on the next tick, once', async () => {
		await damage(30);
		expect((await entity(0)).health).toEqual([100, 100]);
		await step();
		expect((await entity(0)).health).toEqual([70, 100]);
		await step(5);
		expect((await entity(0)).health).toEqual([70, 100]);
	});

	test('of one tick adds up', async () => {
		await damage(30);
		await damage(0.5);
		await damage(10);
		await step();
		expect((await entity(0)).health).toEqual([59.5, 100]);
	});

	test('never goes below zero', async () => {
		await damage(1e9);
		await step();
		expect((await entity(0)).health).toEqual([0, 100]);
	});

	test('stores its source', async () => {
		await damage(1, 1);
		await step();
		expect((await entity(0)).last_attacker).toEqual({ id: 1, generation: 0 });
		await damage(1);
		await step();
		expect((await entity(0)).last_attacker, 'damage without a source').toEqual({ id: 1, generation: 0 });
	});

	test('does not apply to the next entity in the slot', async () => {
		await damage(30);
		await testEngine.must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
		await testEngine.must('POST', '/spawn', { health: 40 });
		await step(2);
		expect(await entity(0)).toMatchObject({ generation: 1, health: [40, 40] });
	});

	test.each([
		['/entity/damage', { entity_id: 9, amount: 1 }, 'entity_not_found'],
		['/entity/damage', { entity_id: 0, amount: 1, source: 9 }, 'entity_not_found'],
		['/entity/damage', { entity_id: 2, amount: 1 }, 'no_health'],
		['/entity/heal', { entity_id: 2, amount: 1 }, 'no_health'],
		['/events', { type: 'DamageEvent', target: 2, amount: 1 }, 'no_health'],
	])('%s %j is refused with %s', async (path, body, code) => {
		await testEngine.must('POST', '/spawn', {});
		expect((await testEngine.call('POST', path, body)).body).toMatchObject({ ok: false, code });
		expect((await testEngine.must('GET', '/events')).count).toBe(0);
	});
});

describe('healing', () => {
	test('applies immediately, up to the maximum', async () => {
		await damage(40);
		await step();
		expect(await testEngine.must('POST', '/entity/heal', { entity_id: 0, amount: 15.5 })).toMatchObject({
			health: 75.5,
		});
		expect(await testEngine.must('POST', '/entity/heal', { entity_id: 0, amount: 500 })).toMatchObject({
			health: 100,
		});
		expect((await entity(0)).health).toEqual([100, 100]);
	});

	test('before the tick does not undo waiting damage', async () => {
		await damage(40);
		await testEngine.must('POST', '/entity/heal', { entity_id: 0, amount: 40 });
		await step();
		expect((await entity(0)).health).toEqual([60, 100]);
	});
});

describe('death', () => {
	test('occurs on the tick on which health reaches zero, is reported once, and names the killer', async () => {
		await damage(60, 1);
		await damage(60, 1);
		expect((await entity(0)).dead).toBeUndefined();
		await step();
		expect(await entity(0)).toMatchObject({ health: [0, 100], dead: true });
		const deaths = async () =>
			((await testEngine.must('GET', '/events')) as { events: { type: string }[] }).events.filter(
				({ type }) => type === 'DeathEvent',
			);
		expect(await deaths()).toMatchObject([{ type: 'DeathEvent', tick: 0, entity: 0, killer: 1 }]);
		await step();
		expect(await deaths()).toEqual([]);
	});

	test('ends damage and healing', async () => {
		await damage(100);
		await step();
		for (const path of ['/entity/damage', '/entity/heal'])
			expect((await testEngine.call('POST', path, { entity_id: 0, amount: 5 })).body.code).toBe(
				'entity_dead',
			);
	});

	test('of an entity spawned with zero health occurs on the first tick', async () => {
		await testEngine.must('POST', '/spawn', { health: 0 });
		expect((await entity(2)).dead).toBeUndefined();
		await step();
		expect((await entity(2)).dead).toBe(true);
	});

	test('is undone by health', async () => {
		await damage(100);
		await step();
		await testEngine.must('POST', '/entities/0/components', { health: 30 });
		await step(3);
		expect(await entity(0)).toMatchObject({ health: [30, 30] });
		expect((await entity(0)).dead).toBeUndefined();
	});

	test('keeps the entity with its tags in the world', async () => {
		await testEngine.must('POST', '/tag', { entity_id: 0, add: ['boss'] });
		await damage(100);
		await step();
		expect((await testEngine.must('GET', '/')).entity_count).toBe(2);
		expect((await entity(0)).tags).toEqual(['boss']);
	});
});
