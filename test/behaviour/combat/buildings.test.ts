/** Rules of buildings. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, spawn, step, kill, entity } = playing();

describe('buildings', () => {
	test('have armour: 12 for a tower of the first tier', async () => {
		const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
		await post('/entity/damage', { entity_id: tower, amount: 172 });
		await step();
		expect((await entity(tower)).health[0]).toBeCloseTo(1700, 3);
	});

	test('are protected from enemies without a near minion, and regain their health as of the last minion', async () => {
		const effigy = await spawn({ building_type: 'effigy', team: 1 });
		expect((await entity(effigy)).backdoor).toBeUndefined();
		const tower = await spawn({ building_type: 'ancient', team: 1 });
		const enemy = await spawn({ position: [30, 0, 0], team: 2, health: 10 });
		const hit = () =>
			post('/entity/damage', { entity_id: tower, amount: 100, category: 'pure', source: enemy });
		await hit();
		await step();
		expect((await entity(tower)).health[0]).toBe(4460);
		await step(250);
		expect((await entity(tower)).health[0]).toBe(4500);
		const minion = await spawn({ position: [15, 0, 0], team: 2, health: 10, role: 'minion' });
		await hit();
		await step();
		expect(await entity(tower)).toMatchObject({ health: [4400, 4500], backdoor: { active: 0 } });
		await step(100);
		await post('/despawn', { entity_id: minion, entity_generation: 0 });
		await step(100);
		expect(await entity(tower)).toMatchObject({
			health: [4400, 4500],
			backdoor: { active: 1, restore_to: 4400 },
		});
	});

	test('remain as ruins when they are destroyed', async () => {
		const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
		await kill(tower);
		await step(1000);
		expect((await entity(tower)).dead).toBe(true);
	});

	test('a fountain has no health and still shoots', async () => {
		const fountain = await spawn({ building_type: 'fountain', team: 1 });
		const enemy = await spawn({ position: [5, 0, 0], team: 2, health: 1000 });
		await step(20);
		expect((await entity(fountain)).health).toBeUndefined();
		expect((await entity(enemy)).health[0]).toBe(400);
	});
});

describe('kinds of buildings', () => {
	test.each([
		['tier1_tower', 1800, { damage: 110, range: 7, cooldown: 1 }, 12, true],
		['tier2_tower', 2500, { damage: 150, range: 7, cooldown: 1 }, 16, true],
		['tier3_tower', 2500, { damage: 175, range: 7, cooldown: 1 }, 16, true],
		['tier4_tower', 2600, { damage: 195, range: 7, cooldown: 1 }, 21, true],
		['melee_barracks', 2200, null, 15, true],
		['ranged_barracks', 1300, null, 9, true],
		['ancient', 4500, null, 13, true],
		['fountain', null, { damage: 300, range: 12, cooldown: 0.15 }, 0, false],
		['effigy', 100, null, 0, false],
		['outpost', null, null, 0, false],
	])(
		'%s: %j HP, weapon %j, armour %d, protected: %j',
		async (building_type, hp, weapon, armor, isProtected) => {
			const id = await spawn({ building_type, team: 1, lane: 'mid' });
			const view = await entity(id);
			expect(view.health).toEqual(hp === null ? undefined : [hp, hp]);
			if (weapon === null) expect(view.combat).toBeUndefined();
			else
				expect(view.combat).toMatchObject({
					...weapon,
					detect_range: weapon.range,
					speed: 0,
					style: 'stationary',
				});
			expect(view.building).toEqual({ building_type, lane: 'mid' });
			expect(view.backdoor?.active).toBe(isProtected ? 1 : undefined);
			if (hp !== null) {
				await post('/entity/damage', { entity_id: id, amount: 50 });
				await step();
				const damageShare = 1 - (0.06 * armor) / (1 + 0.06 * armor);
				expect((await entity(id)).health[0]).toBeCloseTo(hp - 50 * damageShare, 2);
			}
			await step(5);
			expect((await entity(id)).dead).toBeUndefined();
		},
	);

	test('shoot at targets in range, without a role', async () => {
		const tower = await spawn({ building_type: 'tier2_tower', team: 1 });
		const [near, far] = [
			await spawn({ team: 2, health: 1000, position: [7, 0, 0] }),
			await spawn({ team: 2, health: 1000, position: [0, 0, 7.01] }),
		];
		await step(62);
		expect((await entity(near)).health[0]).toBe(850);
		expect((await entity(far)).health[0]).toBe(1000);
		expect((await entity(tower)).role).toBeUndefined();
	});

	test('may have other health, and critical hits; unknown words are refused', async () => {
		const id = await spawn({ building_type: 'TIER1_Tower', team: 1, health: 7, crit: { chance: '1/2' } });
		expect(await entity(id)).toMatchObject({ health: [7, 7], combat: { crit: { chance: '1/2' } } });
		expect((await call('POST', '/spawn', { building_type: 'tower' })).status).toBe(422);
		expect((await call('POST', '/spawn', { building_type: 'effigy', lane: 'middle' })).status).toBe(422);
	});

	test('cannot be targeted if indestructible', async () => {
		const own = await spawn({ team: 2, health: 10, combat: true });
		await spawn({ building_type: 'outpost', team: 1, position: [1, 0, 0] });
		await step(2);
		expect((await entity(own)).combat_state.target).toBeNull();
	});
});

describe('backdoor protection', () => {
	const minion = (x: number, team = 2) => spawn({ position: [x, 0, 0], team, health: 10, role: 'minion' });

	test.each([
		['exactly 15 m away', 15, 2, 0],
		['more than 15 m away', 15.01, 2, 1],
		['of its own team', 1, 1, 1],
	])('a minion %s: active %#', async (_, x, team, active) => {
		const id = await spawn({ building_type: 'ancient', team: 1 });
		await minion(x, team);
		await step();
		expect((await entity(id)).backdoor.active).toBe(active);
	});

	test('prevents 60 % of enemy damage alone, and restores 10 HP a second', async () => {
		const id = await spawn({ building_type: 'ancient', team: 1 });
		const [enemy, friend] = [await spawn({ team: 2, health: 1 }), await spawn({ team: 1, health: 1 })];
		const hurt = (source?: number) =>
			post('/entity/damage', { entity_id: id, amount: 100, category: 'pure', source });
		const hp = async () => (await entity(id)).health[0];
		await hurt(enemy);
		await step();
		expect(await hp()).toBe(4460);
		await step(60);
		expect(await hp()).toBeCloseTo(4470, 1);
		await step(300);
		await hurt(friend);
		await hurt();
		await step();
		expect(await hp()).toBe(4300);
	});

	test('restores the given amount each second', async () => {
		const id = await spawn({ building_type: 'ancient', team: 1 });
		await step();
		await post('/entity/damage', { entity_id: id, amount: 500, category: 'pure' });
		await step();
		expect((await entity(id)).health[0]).toBe(4000);
		await step(60);
		expect((await entity(id)).health[0]).toBe(4010);
	});

	test('restores up to the health set later, by healing or by a rebuild', async () => {
		await post('/tuning', {
			buildings: { ancient: { respawns: true } },
			respawn: { delay: 1, place: [0, 0, 0] },
		});
		const id = await spawn({ building_type: 'ancient', team: 1 });
		const minion = await spawn({ position: [10, 0, 0], team: 2, health: 10, role: 'minion' });
		const hurt = async (amount: number) => {
			await post('/entity/damage', { entity_id: id, amount, category: 'pure' });
			await step();
			return (await entity(id)).health[0];
		};
		await step();
		await hurt(2500);
		await step();
		await post('/despawn', { entity_id: minion, entity_generation: 0 });
		await step();
		await post('/entity/heal', { entity_id: id, amount: 1000 });
		await step();
		expect(await hurt(500)).toBe(2500);
		await step(60);
		expect((await entity(id)).health[0]).toBe(2510);
		await kill(id);
		await step(90);
		expect(await hurt(500)).toBe(4000);
		await step(60);
		expect((await entity(id)).health[0]).toBe(4010);
	});
});
