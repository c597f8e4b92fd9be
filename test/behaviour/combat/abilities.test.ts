/** Rules of abilities. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step, entity, health, events } = playing();

type Effect = Record<string, unknown>;
const spawnCaster = async (effect: Effect, more: object = {}, document: object = {}) => {
	const id = await spawn({ team: 1, health: 100, ...document });
	await post('/ability/set', {
		entity_id: id,
		abilities: [{ slot: 'Q', name: 'It', cooldown: 1, mana_cost: 0, effect, ...more }],
	});
	return id;
};
const use = (id: number, more: object = {}) => post('/ability/use', { entity_id: id, slot: 'q', ...more });
const readZ = async (id: number) => (await entity(id)).local_transform.position[2];

describe('casting', () => {
	test('is answered immediately, applies on the next tick, and again after exactly the cooldown', async () => {
		const id = await spawnCaster({ Heal: { amount: 10 } }, {}, { health: 100 });
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

	test('reports the real reason for a refusal', async () => {
		const id = await spawnCaster({ Dash: { distance: 1 } }, { mana_cost: 30 }, { mana: 50, mana_regen: 0 });
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

	test('areas within areas end, and report entities that they did not reach', async () => {
		const nested = (depth: number): Effect =>
			depth === 0
				? { Damage: { amount: 1e-3 } }
				: { AreaEffect: { radius: 50, affects: 'enemies', effect: nested(depth - 1) } };
		const id = await spawnCaster(nested(7));
		await post('/batch', {
			requests: Array.from({ length: 100 }, () => ({ path: '/spawn', body: { team: 2, health: 100 } })),
		});
		await use(id);
		const castEvents = async () =>
			(await get('/events')).events.filter(({ type }: { type: string }) => /^Cast/.test(type));
		await step();
		expect(await castEvents()).toMatchObject([{ type: 'CastEvent' }, { reason: 'too_many_effects' }]);
		await spawnCaster(nested(2), {}, { position: [0, 0, 1] }).then(use);
		await step();
		expect((await castEvents()).at(-1)).toMatchObject({ type: 'CastEvent', tick: 1 });
	});

	test('mana reserved by a queued cast is not available to another', async () => {
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

	test('five mana a second return: 5 after 60 ticks', async () => {
		const id = await spawnCaster({ Heal: { amount: 1 } }, { mana_cost: 100 }, { mana: 300 });
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
		const id = await spawnCaster(effect);
		const { abilities } = await get(`/ability/list/${id}`);
		expect(abilities[0]).toMatchObject({ slot: 'Q', name: 'It', cooldown: 1, ready: true, effect });
		expect((await post('/ability/remove', { entity_id: id, slot: 'Q' })).removed).toBe(1);
		expect((await get(`/ability/list/${id}`)).abilities).toEqual([]);
		expect((await entity(id)).abilities).toBeUndefined();
	});
});

describe('effects', () => {
	test('AreaDamage hurts enemies within the radius, a tick after the cast', async () => {
		const id = await spawnCaster({ AreaDamage: { radius: 5, damage: 30 } });
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
		const id = await spawnCaster({ Damage: { amount: 40, category: 'magical' } });
		const target = await spawn({ team: 2, health: 100, magic_resist: 0.5, armor: 1000 });
		await use(id);
		await step(2);
		expect(await health(id)).toBe(60);
		await step(60);
		await use(id, { target });
		await step(2);
		expect(await Promise.all([id, target].map(health))).toEqual([60, 80]);
	});

	test('a dash goes where the entity faces (-z turned by its rotation), or towards its aim, but not past it', async () => {
		const id = await spawnCaster({ Dash: { distance: 4 } });
		const turned = await spawnCaster({ Dash: { distance: 4 } }, {}, { rotation: [0, 1, 0, 0] });
		await use(id);
		await use(turned);
		await step();
		expect(await readZ(id)).toBe(-4);
		expect(await readZ(turned)).toBe(4);
		await step(60);
		await use(id, { point: [0, 0, -5] });
		await step();
		expect(await readZ(id)).toBe(-5);
	});

	test('a caster that looks up dashes up', async () => {
		const id = await spawnCaster(
			{ Dash: { distance: 4 } },
			{},
			{ rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
		);
		await use(id);
		await step();
		const [x, y, depth] = (await entity(id)).local_transform.position;
		expect(y).toBeCloseTo(4, 4);
		for (const part of [x, depth]) expect(part).toBeCloseTo(0, 4);
	});

	test('a projectile flies along the facing and hits what is there', async () => {
		const id = await spawnCaster({
			SpawnProjectile: { speed: 60, range: 30, width: 0.5, damage: 25, category: 'pure' },
		});
		const before = await spawn({ team: 2, health: 100, position: [0, 0, -6] });
		const behind = await spawn({ team: 2, health: 100, position: [0, 0, 6] });
		await use(id);
		await step(20);
		expect(await Promise.all([before, behind].map(health))).toEqual([75, 100]);
	});

	test('a projectile of an ability can spare the team, and go astray by declared chance', async () => {
		const shot = { speed: 60, range: 30, width: 0.5, damage: 25 };
		const id = await spawnCaster({ SpawnProjectile: { ...shot, hits: 'enemies' } });
		const friend = await spawn({ team: 1, health: 100, position: [0, 0, -3] });
		const enemy = await spawn({ team: 2, health: 100, position: [0, 0, -6] });
		await use(id);
		await step(20);
		expect(await Promise.all([friend, enemy].map(health))).toEqual([100, 75]);
		const wild = await spawnCaster(
			{ SpawnProjectile: { ...shot, spread: { cone: 0.2, rays: 3 } } },
			{},
			{ position: [50, 0, 0] },
		);
		expect((await get(`/ability/list/${wild}`)).abilities[0].effect.SpawnProjectile).toMatchObject({
			spread: { cone: 0.2, rays: 3 },
		});
		await use(wild);
		expect((await step()).sampled ?? []).toEqual([]);
		const { distribution } = await post('/peek', {});
		expect(distribution.map(({ p }: { p: number }) => p)).toEqual([1 / 3, 1 / 3, 1 / 3]);
		expect((await step()).sampled).toMatchObject([{ rule: 'spread' }]);
	});

	test('SpeedBoost ends, and a second cast during its effect does not extend it', async () => {
		const document = { combat: true, combat_speed: 2 };
		const id = await spawnCaster({ SpeedBoost: { multiplier: 2, duration: 2 } }, {}, document);
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

	test('a stun prevents walking, striking and casting for its duration', async () => {
		const id = await spawnCaster({ ApplyCc: { cc_type: 'stun', duration: 1, dispel: 'strongdispel' } });
		const fighter = await spawnCaster(
			{ Heal: { amount: 1 } },
			{},
			{ team: 2, combat: true, position: [8, 0, 0] },
		);
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
		const dasher = await spawnCaster({ Dash: { distance: 4 } }, {}, { team: 2 });
		const silencer = await spawnCaster({ ApplyCc: { cc_type: 'Silence', duration: 1 } });
		const rooter = await spawnCaster({ ApplyCc: { cc_type: 'Root', duration: 1 } });
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

	test('AreaEffect affects every other entity, or only enemies; ApplyEffect stays for its duration', async () => {
		const inner = { ApplyEffect: { tag: 'cold', modifiers: [['move_speed', 'multiply', 0.5]], duration: 1 } };
		const id = await spawnCaster({ AreaEffect: { radius: 3, effect: inner } });
		const picky = await spawnCaster({
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

describe('targets and positions', () => {
	test('enemies need a team on both sides; the rim counts; armour and category matter', async () => {
		const id = await spawnCaster({ AreaDamage: { radius: 5, damage: 40 } });
		const magic = await spawnCaster(
			{ AreaDamage: { radius: 5, damage: 40, category: 'magical' } },
			{},
			{ position: [100, 0, 0] },
		);
		const loner = await spawnCaster(
			{ AreaDamage: { radius: 5, damage: 40 } },
			{},
			{ team: undefined, position: [200, 0, 0] },
		);
		const enemy = (x: number, more: object = {}) =>
			spawn({ team: 2, health: 100, position: [x, 3, 4], ...more });
		const hit = [await enemy(0), await enemy(0, { team: undefined }), await enemy(0, { armor: 10 })];
		const far = [await enemy(100, { armor: 10 }), await enemy(200)];
		for (const caster of [id, magic, loner]) await use(caster);
		await step(2);
		expect(await Promise.all([...hit, ...far].map(health))).toEqual([60, 100, 75, 60, 100]);
	});

	test('an AreaEffect affects every other entity, friend or foe, and credits damage to the caster', async () => {
		const id = await spawnCaster({
			AreaEffect: { radius: 3, effect: { Damage: { amount: 10, category: 'pure' } } },
		});
		const [friend, foe, nobody, out] = [
			await spawn({ team: 1, health: 100, position: [3, 0, 0] }),
			await spawn({ team: 2, health: 100, position: [0, 3, 0] }),
			await spawn({ health: 100 }),
			await spawn({ health: 100, position: [3.01, 0, 0] }),
		];
		await use(id);
		await step(2);
		expect(await Promise.all([id, friend, foe, nobody, out].map(health))).toEqual([100, 90, 90, 90, 100]);
		expect((await entity(friend)).last_attacker.id).toBe(id);
	});

	test('a chain runs in order: an effect that moves the caster moves the later ones', async () => {
		const id = await spawnCaster({
			Chain: [{ Dash: { distance: 10 } }, { AreaDamage: { radius: 2, damage: 30 } }],
		});
		const [here, there] = [
			await spawn({ team: 2, health: 100 }),
			await spawn({ team: 2, health: 100, position: [0, 0, -10] }),
		];
		await use(id);
		await step(2);
		expect([await health(here), await health(there)]).toEqual([100, 70]);
	});

	test('areas can be aimed at a position or at an entity', async () => {
		const id = await spawnCaster({ AreaDamage: { radius: 2, damage: 10 } }, { cooldown: 0 });
		const far = await spawn({ team: 2, health: 100, position: [50, 0, 0] });
		await use(id, { point: [51, 0, 0] });
		await step(2);
		expect(await health(far)).toBe(90);
		await use(id, { target: far });
		await step(2);
		expect(await health(far)).toBe(80);
		expect(await use(id, { target: far, point: [0, 0, 0] })).toMatchObject({ ok: false, code: 'bad_aim' });
	});

	test('a cast at an entity that no longer exists costs nothing and sends an event', async () => {
		const id = await spawnCaster({ Damage: { amount: 10 } }, { mana_cost: 30 }, { mana: 50, mana_regen: 0 });
		const target = await spawn({ health: 100 });
		await use(id, { target });
		await post('/despawn', { entity_id: target, entity_generation: 0 });
		await spawn({ health: 100 });
		await step();
		expect(await events()).toEqual([
			expect.objectContaining({ type: 'CastFailedEvent', entity: id, slot: 'Q', reason: 'target_gone' }),
		]);
		await step();
		expect([await health(id), await health(target)]).toEqual([100, 100]);
		expect((await entity(id)).mana).toEqual([50, 50]);
		expect(await use(id)).toMatchObject({ ok: true });
	});

	test('a shot flies as far as its range, hits within its width, and shows its pose', async () => {
		const shot = { speed: 60, range: 6, width: 1, damage: 10 };
		const id = await spawnCaster({ SpawnProjectile: shot }, { cooldown: 0 });
		const beside = await spawn({ team: 2, health: 100, position: [0.9, 0, -5] });
		const beyond = await spawn({ team: 2, health: 100, position: [0, 0, -7.5] });
		await use(id, { point: [0, 0, -50] });
		await step();
		const [flying] = (await get('/projectile/list')).projectiles;
		expect(flying).toMatchObject({ radius: 1, owner: { id }, ticks_left: 6 });
		expect((await entity(flying.id)).transform).toBeDefined();
		await step(10);
		expect([await health(beside), await health(beyond)]).toEqual([90, 100]);
		await post('/despawn', { entity_id: beside, entity_generation: 0 });
		await use(id, { point: [0, 0, -50] });
		await step(6);
		expect((await get('/projectile/list')).count).toBe(1);
		await step();
		expect((await get('/projectile/list')).count).toBe(0);
		expect(await health(beyond)).toBe(100);
	});
});

describe('costs', () => {
	test('cooldown 10 s and cost 100 mana are the defaults, and an entity without mana casts free', async () => {
		const ability = { slot: 'W', name: 'It', effect: { Heal: { amount: 1 } } };
		const [mage, brute] = [
			await spawn({ health: 9, mana: 300, abilities: [ability] }),
			await spawn({ health: 9, abilities: [ability] }),
		];
		for (const id of [mage, brute]) expect((await use(id, { slot: 'W' })).ready_at).toBe(600);
		await step();
		expect((await entity(mage)).mana).toEqual([200, 300]);
		const { abilities } = await get(`/ability/list/${brute}`);
		expect(abilities[0]).toMatchObject({ cooldown: 10, mana_cost: 100, ready: false, ready_at: 600 });
		expect(abilities[0].cooldown_remaining).toBeCloseTo(599 / 60, 4);
		await step(700);
		expect((await get(`/ability/list/${mage}`)).abilities[0]).toMatchObject({
			cooldown_remaining: 0,
			ready: true,
		});
	});

	test('mana regenerates to its maximum, also for entities without abilities', async () => {
		const id = await spawn({ mana: 100, mana_regen: 60 });
		await post('/rule/create', { when: 'tick:1', once: true, actions: [`add_field entity:${id} mana -2.5`] });
		await step();
		const before = (await entity(id)).mana[0];
		await step(1);
		expect((await entity(id)).mana[0]).toBeCloseTo(before + 1, 2);
		await step(5);
		expect((await entity(id)).mana).toEqual([100, 100]);
	});

	test('a cast that is no longer possible is reported, and costs nothing', async () => {
		const id = await spawnCaster({ Heal: { amount: 1 } }, { mana_cost: 30 }, { mana: 50, mana_regen: 0 });
		await use(id);
		await post('/entity/damage', { entity_id: id, amount: 1e6 });
		await step();
		expect((await get('/events')).events).toContainEqual({
			type: 'CastFailedEvent',
			tick: 0,
			entity: id,
			entity_generation: 0,
			slot: 'Q',
			reason: 'entity_dead',
		});
		expect((await entity(id)).mana[0]).toBe(50);
	});

	test('effects of an unknown kind, or two in one place, are refused with the list of kinds', async () => {
		const id = await spawn();
		for (const effect of [
			{ Heel: { amount: 1 } },
			{ Heal: { amount: 1 }, Dash: { distance: 1 } },
			{ Heal: { much: 1 } },
		]) {
			const { ok, error, fix } = await post('/ability/set', {
				entity_id: id,
				abilities: [{ slot: 'Q', name: 'It', effect }],
			});
			expect(ok).toBe(false);
			expect(`${error} ${fix}`).toMatch(/Heal|amount/);
		}
	});
});

test('abilities hold effects eight levels deep, not nine', async () => {
	const nested = (depth: number): object =>
		depth === 0 ? { Heal: { amount: 1 } } : { AreaEffect: { radius: 1, effect: nested(depth - 1) } };
	for (let i = 0; i < 2; i++) {
		const body = (depth: number) => ({ abilities: [{ slot: 'Q', name: 'a', effect: nested(depth) }] });
		expect((await post('/spawn', body(9))).message).toContain('at most 8 deep');
		expect((await post('/spawn', body(8))).ok).toBe(true);
	}
});
