/** Targets of fighters. */

import { describe, expect, test } from 'vitest';
import { fighter, playing } from '../../support/playing.ts';

const { post, spawn, step, kill, change, entity, health } = playing();

describe('targets', () => {
	test('anything with a team and health can be attacked', async () => {
		await spawn(fighter(1, 0));
		const house = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(200);
		expect(await health(house)).toBeLessThan(100);
	});

	test('a hero prefers heroes, a minion prefers minions, at any distance', async () => {
		const hero = await spawn(fighter(1, 0, { role: 'hero' }));
		const minion = await spawn(fighter(1, 0, { role: 'minion' }));
		const enemyMinion = await spawn({ position: [3, 0, 0], team: 2, health: 100, role: 'minion' });
		const enemyHero = await spawn({ position: [6, 0, 0], team: 2, health: 100, role: 'hero' });
		await step();
		expect((await entity(hero)).combat_state.target.id).toBe(enemyHero);
		expect((await entity(minion)).combat_state.target.id).toBe(enemyMinion);
	});

	const all = ['hero', 'minion', 'tower', 'structure'] as const;
	test.each([
		['hero', all],
		[undefined, all],
		['minion', ['minion', 'hero', 'tower', 'structure']],
		['tower', ['minion', 'hero', 'structure', 'tower']],
		// A structure has no preference: the nearest target first.
		['structure', ['structure', 'tower', 'minion', 'hero']],
	] as const)('%s attacks in the order %j, the nearest last', async (role, order) => {
		const own = await spawn(
			fighter(1, 0, { role, combat_style: 'stationary', combat_range: 15, combat_damage: 0 }),
		);
		const ids = new Map<number, string>();
		for (const [i, other] of all.entries())
			ids.set(await spawn({ position: [12 - i * 3, 0, 0], team: 2, health: 100, role: other }), other);
		const attacked: (string | undefined)[] = [];
		for (let i = 0; i < 4; i++) {
			await step();
			const { target } = (await entity(own)).combat_state;
			attacked.push(ids.get(target.id));
			await post('/despawn', { entity_id: target.id, entity_generation: 0 });
		}
		expect(attacked).toEqual(order);
	});

	test('within a role the nearest, by distance in space', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [3, 4.1, 0], team: 2, health: 100 });
		const near = await spawn({ position: [0, 0, 5], team: 2, health: 100 });
		await spawn({ position: [0, 5.1, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(near);
	});

	test('an entity without a role counts as a hero, a building as its kind', async () => {
		const own = await spawn(fighter(1, 0, { role: 'hero' }));
		await spawn({ position: [2, 0, 0], team: 2, health: 100, role: 'minion' });
		await spawn({ position: [3, 0, 0], team: 2, building_type: 'tier1_tower' });
		const plain = await spawn({ position: [9, 0, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(plain);
	});

	test('an entity 20 m away is not noticed and is forgotten; 19.9 m is near enough', async () => {
		const own = await spawn(fighter(1, 0, { march: [0, 0, 0], combat_speed: 0 }));
		const other = await spawn({ position: [0, 20, 0], team: 2, health: 100 });
		const target = async () => (await entity(own)).combat_state.target?.id;
		const go = (y: number) => change(other, { transform: { position: [0, y, 0] } });
		await step();
		expect(await target()).toBeUndefined();
		await go(19.9);
		await step();
		expect(await target()).toBe(other);
		await go(20);
		await step();
		expect(await target()).toBeUndefined();
	});

	test('a target in reach is noticed beyond the sight', async () => {
		const own = await spawn(fighter(1, 0, { combat_range: 5, combat_detect_range: 1 }));
		const other = await spawn({ position: [4.9, 0, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(other);
	});

	test('a dead or allied target is released, and the next one chosen on the same tick', async () => {
		const own = await spawn(fighter(1, 0, { combat_style: 'stationary', combat_range: 10 }));
		const first = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		const second = await spawn({ position: [2, 0, 0], team: 2, health: 100 });
		const target = async () => (await entity(own)).combat_state.target?.id;
		await step();
		await kill(first);
		await step();
		expect(await target()).toBe(second);
		await change(second, { team: 1 });
		await step();
		expect(await target()).toBeUndefined();
	});

	test('a target is kept when a nearer one comes', async () => {
		const own = await spawn(fighter(1, 0));
		const far = await spawn({ position: [10, 0, 0], team: 2, health: 100 });
		await step();
		await spawn({ position: [2, 0, 0], team: 2, health: 100 });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(far);
	});

	test('equal distances select the lowest id, and never a teammate or a dead entity', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [1, 0, 0], team: 1, health: 100 });
		await spawn({ position: [1, 0, 0], team: 2, health: 0 });
		const first = await spawn({ position: [0, 0, 4], team: 3, health: 100 });
		await spawn({ position: [4, 0, 0], team: 2, health: 100 });
		await step(2);
		expect((await entity(own)).combat_state.target.id).toBe(first);
	});

	test('a stationary fighter selects only targets in its reach', async () => {
		const tower = await spawn(fighter(1, 0, { combat_style: 'stationary', combat_range: 5 }));
		const far = await spawn({ position: [6, 0, 0], team: 2, health: 100 });
		await step(2);
		expect((await entity(tower)).combat_state.target).toBeNull();
		const near = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await step(62);
		expect((await entity(tower)).combat_state.target.id).toBe(near);
		expect(await health(near)).toBe(90);
		expect(await health(far)).toBe(100);
		expect((await entity(tower)).transform.position).toEqual([0, 0, 0]);
	});
});

describe('tower aggro', () => {
	async function scene(tower: object = { role: 'tower', combat_style: 'stationary', combat_range: 8 }) {
		const own = await spawn(fighter(1, 0, tower));
		const minion = await spawn({ position: [2, 0, 0], team: 2, health: 1000, role: 'minion' });
		const enemy = await spawn({ position: [4, 0, 0], team: 2, health: 1000, role: 'hero' });
		const friend = await spawn({ position: [500, 0, 0], team: 1, health: 1000, role: 'hero' });
		await step();
		return { own, minion, enemy, friend };
	}
	const hurt = (entity_id: number, source: number) =>
		post('/entity/damage', { entity_id, amount: 1, source });
	const target = async (id: number) => (await entity(id)).combat_state.target?.id;

	test.each([
		['of the role', undefined],
		['that is a building', { combat: undefined, health: undefined, building_type: 'tier2_tower' }],
	])('a tower %s turns to an enemy hero that hurt a hero of its team, at any place', async (_, tower) => {
		const { own, minion, enemy, friend } = await scene(tower);
		expect(await target(own)).toBe(minion);
		await hurt(friend, enemy);
		await step();
		expect((await entity(own)).combat_state.override.id).toBe(enemy);
		expect(await target(own)).toBe(enemy);
	});

	test('only while the hero is in reach', async () => {
		const { own, minion, enemy, friend } = await scene();
		await change(enemy, { transform: { position: [8.1, 0, 0] } });
		await hurt(friend, enemy);
		await step();
		expect(await target(own)).toBe(minion);
		await change(enemy, { transform: { position: [8, 0, 0] } });
		await step();
		expect(await target(own)).toBe(enemy);
	});

	test('ends when another entity hurts the hero, or either of the two dies', async () => {
		const { own, enemy, friend, minion } = await scene();
		const override = async () => (await entity(own)).combat_state.override?.id;
		await hurt(friend, enemy);
		await step();
		expect(await override()).toBe(enemy);
		await hurt(friend, minion);
		await step();
		expect(await override()).toBeUndefined();
		await hurt(friend, enemy);
		await step();
		expect(await override()).toBe(enemy);
		await kill(enemy);
		await step();
		expect([await override(), await target(own)]).toEqual([undefined, minion]);
	});

	test('concerns heroes that hurt heroes, and towers only', async () => {
		const { own, enemy, minion, friend } = await scene();
		const soldier = await spawn(fighter(1, 0, { role: 'minion', combat_range: 8 }));
		const ally = await spawn({ position: [500, 0, 0], team: 1, health: 1000, role: 'minion' });
		await hurt(ally, enemy);
		await hurt(friend, minion);
		await step();
		expect((await entity(own)).combat_state.override).toBeNull();
		await hurt(friend, enemy);
		await step();
		expect((await entity(soldier)).combat_state.override).toBeNull();
	});

	test('selects the nearest of several', async () => {
		const { own, enemy, friend } = await scene();
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 1000, role: 'hero' });
		const second = await spawn({ position: [500, 0, 0], team: 1, health: 1000, role: 'hero' });
		await hurt(friend, enemy);
		await hurt(second, other);
		await step();
		expect((await entity(own)).combat_state.override.id).toBe(other);
	});
});
