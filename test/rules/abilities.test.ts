/** Rules of abilities, as claims over calls. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const get = async (path: string) => (await call(engine, 'GET', path)).body;
const spawn = async (document: object): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });
const entity = (id: number) => get(`/entities/${id}`);

type Effect = Record<string, unknown>;
const able = async (effect: Effect, more: object = {}, document: object = {}) => {
	const id = await spawn({ team: 1, health: 100, ...document });
	await post('/ability/set', {
		entity_id: id,
		abilities: [{ slot: 'Q', name: 'It', cooldown: 1, mana_cost: 0, effect, ...more }],
	});
	return id;
};
const use = (id: number, more: object = {}) => post('/ability/use', { entity_id: id, slot: 'q', ...more });
const health = async (id: number) => (await entity(id)).health[0];
const z = async (id: number) => (await entity(id)).local_transform.position[2];

describe('casting', () => {
	test('is answered at once, happens on the next tick, and again after exactly the cooldown', async () => {
		const id = await able({ Heal: { amount: 10 } }, {}, { health: 100 });
		await post('/entity/damage', { entity_id: id, amount: 50 });
		await step();
		expect(await use(id)).toMatchObject({ ok: true, ready_at: 61 });
		expect(await health(id)).toBe(50);
		await step();
		expect(await health(id)).toBe(60);
		expect(await use(id)).toMatchObject({ ok: false, code: 'on_cooldown' });
		await step(58);
		expect(await use(id)).toMatchObject({ ok: false, code: 'on_cooldown' });
		await step();
		expect(await use(id)).toMatchObject({ ok: true });
		await step();
		expect(await health(id)).toBe(70);
	});

	test('says honestly why it cannot be', async () => {
		const id = await able({ Dash: { distance: 1 } }, { mana_cost: 30 }, { mana: 50, mana_regen: 0 });
		expect(await post('/ability/use', { entity_id: id, slot: 'W' })).toMatchObject({ code: 'no_ability' });
		expect((await use(id)).ok).toBe(true);
		expect(await use(id)).toMatchObject({ ok: false, code: 'on_cooldown' });
		await step(60);
		expect((await entity(id)).mana).toEqual([20, 50]);
		expect(await use(id)).toMatchObject({ ok: false, code: 'no_mana' });
		await post('/entity/damage', { entity_id: id, amount: 1000 });
		await step();
		expect(await use(id)).toMatchObject({ ok: false, code: 'entity_dead' });
	});

	test('mana that one queued cast takes is not there for another', async () => {
		const id = await spawn({ mana: 100, mana_regen: 0 });
		const ability = { name: 'It', mana_cost: 60, effect: { Heal: { amount: 1 } } };
		await post('/ability/set', {
			entity_id: id,
			abilities: [
				{ slot: 'Q', ...ability },
				{ slot: 'W', ...ability },
			],
		});
		expect((await use(id)).ok).toBe(true);
		expect(await post('/ability/use', { entity_id: id, slot: 'W' })).toMatchObject({ code: 'no_mana' });
	});

	test('five mana a second come back: 5 after 60 ticks', async () => {
		const id = await able({ Heal: { amount: 1 } }, { mana_cost: 100 }, { mana: 300 });
		await use(id);
		await step();
		expect((await entity(id)).mana[0]).toBe(200);
		await step(60);
		expect((await entity(id)).mana[0]).toBe(205);
	});

	test('abilities can be read back with their effects, and taken away', async () => {
		const effect = {
			Chain: [{ Heal: { amount: 5 } }, { AreaEffect: { radius: 2, effect: { Heal: { amount: 1 } } } }],
		};
		const id = await able(effect);
		const { abilities } = await get(`/ability/list/${id}`);
		expect(abilities[0]).toMatchObject({ slot: 'Q', name: 'It', cooldown: 1, ready: true, effect });
		expect((await post('/ability/remove', { entity_id: id, slot: 'Q' })).removed).toBe(1);
		expect((await get(`/ability/list/${id}`)).abilities).toEqual([]);
		expect((await entity(id)).abilities).toBeUndefined();
	});
});

describe('effects', () => {
	test('AreaDamage hurts enemies within the radius, a tick after the cast', async () => {
		const id = await able({ AreaDamage: { radius: 5, damage: 30 } });
		const near = await spawn({ team: 2, health: 100, position: [0, 0, 5] });
		const far = await spawn({ team: 2, health: 100, position: [0, 0, 5.1] });
		const friend = await spawn({ team: 1, health: 100, position: [1, 0, 0] });
		await use(id);
		await step();
		expect(await health(near)).toBe(100);
		await step();
		expect(await Promise.all([near, far, friend, id].map(health))).toEqual([70, 100, 100, 100]);
		expect((await entity(near)).last_attacker.id).toBe(id);
	});

	test('Damage hits the caster, or the target it is aimed at, with its category', async () => {
		const id = await able({ Damage: { amount: 40, category: 'magical' } });
		const target = await spawn({ team: 2, health: 100, magic_resist: 0.5, armor: 1000 });
		await use(id);
		await step(2);
		expect(await health(id)).toBe(60);
		await step(60);
		await use(id, { target });
		await step(2);
		expect(await Promise.all([id, target].map(health))).toEqual([60, 80]);
	});

	test('a dash goes where the entity faces, -z turned by its rotation, or towards its aim and not past it', async () => {
		const id = await able({ Dash: { distance: 4 } });
		const turned = await able({ Dash: { distance: 4 } }, {}, { rotation: [0, 1, 0, 0] });
		await use(id);
		await use(turned);
		await step();
		expect(await z(id)).toBe(-4);
		expect(await z(turned)).toBe(4);
		await step(60);
		await use(id, { point: [0, 0, -5] });
		await step();
		expect(await z(id)).toBe(-5);
	});

	test('a projectile flies along the facing and hits what is there', async () => {
		const id = await able({
			SpawnProjectile: { speed: 60, range: 30, width: 0.5, damage: 25, category: 'pure' },
		});
		const before = await spawn({ team: 2, health: 100, position: [0, 0, -6] });
		const behind = await spawn({ team: 2, health: 100, position: [0, 0, 6] });
		await use(id);
		await step(20);
		expect(await Promise.all([before, behind].map(health))).toEqual([75, 100]);
	});

	test('SpeedBoost ends, and casting it again while it works does not make it last', async () => {
		const document = { combat: true, combat_speed: 2 };
		const id = await able({ SpeedBoost: { multiplier: 2, duration: 2 } }, {}, document);
		const speed = async () => (await entity(id)).stats?.move_speed ?? (await entity(id)).combat.speed;
		await use(id);
		await step();
		expect(await speed()).toBe(4);
		await step(60);
		await use(id);
		await step(121);
		expect(await speed()).toBe(2);
		expect((await entity(id)).stats).toBeUndefined();
	});

	test('a stun keeps from walking, hitting and casting for its time', async () => {
		const id = await able({ ApplyCc: { cc_type: 'stun', duration: 1, dispel: 'strongdispel' } });
		const fighter = await able({ Heal: { amount: 1 } }, {}, { team: 2, combat: true, position: [8, 0, 0] });
		await step();
		expect((await entity(fighter)).velocity.linear[0]).not.toBe(0);
		await use(id, { target: fighter });
		await step(2);
		expect((await entity(fighter)).velocity.linear[0]).toBe(0);
		expect(await use(fighter)).toMatchObject({ ok: false, code: 'silenced' });
		await step(58);
		expect((await entity(fighter)).crowd_control).toHaveLength(1);
		await step();
		expect((await entity(fighter)).crowd_control).toBeUndefined();
		expect((await use(fighter)).ok).toBe(true);
		await step();
		expect((await entity(fighter)).velocity.linear[0]).not.toBe(0);
	});

	test('silence stops casting but not walking; a root stops dashes', async () => {
		const dasher = await able({ Dash: { distance: 4 } }, {}, { team: 2 });
		const silencer = await able({ ApplyCc: { cc_type: 'Silence', duration: 1 } });
		const rooter = await able({ ApplyCc: { cc_type: 'Root', duration: 1 } });
		await use(silencer, { target: dasher });
		await step();
		expect(await use(dasher)).toMatchObject({ code: 'silenced' });
		expect((await post('/effect/cleanse', { entity_id: dasher, dispel: 'BasicDispel' })).removed).toBe(1);
		expect((await use(dasher)).ok).toBe(true);
		await step(61);
		await use(rooter, { target: dasher });
		await step();
		expect(await use(dasher)).toMatchObject({ code: 'silenced' });
	});

	test('AreaEffect reaches everybody else, or only enemies; ApplyEffect stays for its duration', async () => {
		const inner = { ApplyEffect: { tag: 'cold', modifiers: [['move_speed', 'multiply', 0.5]], duration: 1 } };
		const id = await able({ AreaEffect: { radius: 3, effect: inner } });
		const picky = await able({
			AreaEffect: { radius: 3, affects: 'enemies', effect: { Damage: { amount: 5 } } },
		});
		const enemy = await spawn({ team: 2, health: 100 });
		await use(id);
		await use(picky);
		await step(2);
		const tags = async (one: number) =>
			(await get(`/effect/list/${one}`)).effects.map(({ tag }: { tag: string }) => tag);
		expect(await Promise.all([id, picky, enemy].map(tags))).toEqual([[], ['cold'], ['cold']]);
		expect(await Promise.all([id, picky, enemy].map(health))).toEqual([100, 100, 95]);
		await step(59);
		expect(await tags(enemy)).toEqual([]);
	});
});
