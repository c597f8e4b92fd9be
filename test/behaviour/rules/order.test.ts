/**
 * The order of systems within a tick: effects in the same tick, and effects one tick later.
 * Owns: one test for each visible order of two systems.
 */

import { describe, expect, test } from 'vitest';
import { titleOf } from '../../../shared/contract/title.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { fighter, pay, playing } from '../../support/playing.ts';

const { post, get, spawn, rule, step, kill, entity, health, gold, position } = playing();

const worldPosition = async (id: number) => (await entity(id)).transform.position;
const cast = (effect: object) => ({
	abilities: [{ slot: 'Q', name: 'It', cooldown: 0, mana_cost: 0, effect }],
});

describe('the pose in the world (transform) is the pose after physics', () => {
	test('a new entity is at the origin until its first tick; its local pose is current', async () => {
		const id = await spawn({ position: [4, 5, 6], scale: [2, 2, 2] });
		expect(await entity(id)).toMatchObject({
			transform: { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] },
			local_transform: { position: [4, 5, 6], scale: [2, 2, 2] },
		});
		await step();
		expect((await entity(id)).transform).toMatchObject({ position: [4, 5, 6], scale: [2, 2, 2] });
	});

	test('zones and rules see movement of physics in the same tick', async () => {
		const id = await spawn({ physics_body: 'Kinematic', velocity: { linear: [60, 0, 0] } });
		const body = await spawn({
			position: [0, 50, 0],
			physics_body: 'Kinematic',
			collider: { shape: 'Sphere', radius: 1 },
			velocity: { linear: [60, 0, 0] },
		});
		await step();
		expect([(await worldPosition(id))[0], (await worldPosition(body))[0]]).toEqual([1, 1]);
	});

	test.each<[string, (id: number) => Promise<unknown>]>([
		[
			'a rule that teleports',
			(id) => rule({ when: 'tick:1', once: true, actions: [`teleport entity:${id} 5,0,0`] }),
		],
		['a trigger that teleports', () => post('/trigger/create', { action: 'teleport:5,0,0', once: true })],
		[
			'a dash',
			async (id) => {
				await post('/ability/set', { entity_id: id, ...cast({ Dash: { distance: 5 } }) });
				return post('/ability/use', { entity_id: id, point: [5, 0, 0] });
			},
		],
		[
			'a respawn',
			async (id) => {
				await spawn({ position: [5, 0, 0], spawn_point: 1 });
				await post('/game/create', { respawn_delay: 0 });
				return kill(id);
			},
		],
	])('%s comes after it: transform follows one tick later', async (_, prepare) => {
		const id = await spawn({ health: 10, team: 1 });
		await prepare(id);
		await step();
		expect([await position(id), await worldPosition(id)]).toEqual([
			[5, 0, 0],
			[0, 0, 0],
		]);
		await step();
		expect(await worldPosition(id)).toEqual([5, 0, 0]);
	});

	test('a projectile and the rotation of a walker follow one tick later, too', async () => {
		const { entity_id } = await post('/projectile/spawn', { speed: 60 });
		const walker = await spawn();
		await post('/ai/set', { entity_id: walker, behavior: 'patrol', waypoints: [[9, 0, 0]] });
		await step();
		expect([await position(entity_id), await worldPosition(entity_id)]).toEqual([
			[1, 0, 0],
			[0, 0, 0],
		]);
		const turned = (await entity(walker)).local_transform.rotation;
		expect(turned[1]).not.toBe(0);
		expect((await entity(walker)).transform.rotation).toEqual([0, 0, 0, 1]);
		await step();
		expect((await entity(walker)).transform.rotation).toEqual(turned);
	});
});

describe('damage', () => {
	test('from calls before the tick, and from effects, is taken in the tick', async () => {
		const [a, b] = [await spawn({ health: 100 }), await spawn({ health: 100 })];
		await post('/entity/damage', { entity_id: a, amount: 1 });
		await post('/effect/apply', { entity_id: b, duration: 1, tick_effect: 'dps:60' });
		await step();
		expect([await health(a), await health(b)]).toEqual([99, 99]);
	});

	test.each<[string, (id: number) => Promise<unknown>]>([
		['projectiles', () => post('/projectile/spawn', { from: [-0.6, 0, 0], damage: 1 })],
		['triggers', () => post('/trigger/create', { action: 'damage:1' })],
		['blows', () => spawn(fighter(2, 1, { combat_cooldown: 0, combat_damage: 1, team: 2 }))],
		['rules', (id) => rule({ when: 'tick:1', actions: [`damage entity:${id} 1`] })],
		[
			'abilities',
			async () => {
				const caster = await spawn({ team: 2, ...cast({ AreaDamage: { radius: 5, damage: 1 } }) });
				return post('/ability/use', { entity_id: caster });
			},
		],
	])('of %s is taken on the next tick, once', async (source, prepare) => {
		const id = await spawn({ health: 100, team: 1 });
		await prepare(id);
		await step();
		expect(await health(id)).toBe(100);
		await step();
		expect(await health(id)).toBe(99);
		const lasting = ['triggers', 'blows', 'rules'].includes(source);
		await step(3);
		expect(await health(id)).toBe(lasting ? 96 : 99);
	});

	test('kills in the same tick, before any other action', async () => {
		const victim = await spawn({ health: 10, team: 2, position: [1, 0, 0] });
		const striker = await spawn(fighter(1, 0, { combat_cooldown: 0 }));
		const zone = await post('/trigger/create', { position: [1, 0, 0], action: 'damage:1' });
		const { entity_id } = await post('/projectile/spawn', { from: [0.9, 0, 0], speed: 1 });
		await kill(victim);
		await step();
		expect(zone.ok).toBe(true);
		expect((await entity(victim)).dead).toBe(true);
		expect((await entity(striker)).combat_state.target).toBeNull();
		expect((await entity(entity_id)).projectile).toBe(true);
		const damage = (await get('/events')).events.filter(
			({ type }: { type: string }) => type === 'DamageEvent',
		);
		expect(damage, 'nothing but the blow that killed').toHaveLength(1);
	});
});

describe('health set by a rule', () => {
	const healthAndDeath = async (id: number) => {
		const { health, dead } = await entity(id);
		return [health[0], dead === true];
	};

	test.each<[string, string, [number, boolean][]]>([
		[
			'damage is taken on the next tick, with the death',
			'damage',
			[
				[50, false],
				[0, true],
			],
		],
		[
			'a change to 0 applies immediately, and the death comes on the next tick',
			'add_field',
			[
				[0, false],
				[0, true],
			],
		],
	])('%s', async (_, word, expected) => {
		const id = await spawn({ health: 50, gold: 0 });
		const amount = word === 'damage' ? `entity:${id} 50` : `entity:${id} health -50`;
		await rule({ when: 'tick:1', once: true, actions: [`${word} ${amount}`], priority: 9 });
		await rule({ when: 'field:health<1 & alive', actions: [pay({ entity: id })] });
		for (const state of expected) {
			await step();
			expect(await healthAndDeath(id)).toEqual(state);
		}
		// A later rule of the same tick sees an immediate change: the entity is alive with health 0.
		expect(await gold(id)).toBe(word === 'damage' ? 0 : 1);
	});

	test('healing applies immediately', async () => {
		const id = await spawn({ health: 100 });
		await post('/entity/damage', { entity_id: id, amount: 50 });
		await step();
		await rule({ when: 'timer:0', once: true, actions: [`heal entity:${id} 10`] });
		await step();
		expect(await health(id)).toBe(60);
	});

	test('the schema of every action has its time of effect, and that of a death', async () => {
		for (const { kind } of ACTIONS) {
			const definition = `${titleOf(kind)}Action`;
			const { definitions } = await get(`/schema?definition=${definition}`);
			const { description } = definitions[definition];
			expect(description, kind).toMatch(/Takes effect (immediately|on (this|the next) tick)/);
			if (['damage', 'add_field', 'set_field'].includes(kind)) expect(description).toMatch(/dead/);
		}
	});
});

describe('within a tick', () => {
	test('a healing zone acts after the damage of the tick', async () => {
		await post('/trigger/create', { action: 'heal:5' });
		const id = await spawn({ health: 100 });
		await post('/entity/damage', { entity_id: id, amount: 20 });
		await step();
		expect(await health(id)).toBe(85);
	});

	test('fighters see positions after zones and projectiles', async () => {
		await post('/trigger/create', { position: [100, 0, 0], action: 'teleport:1,0,0', once: true });
		const own = await spawn(fighter(1, 0));
		const other = await spawn({ team: 2, health: 100, position: [100, 0, 0] });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(other);
		expect((await entity(own)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('an enemy in reach overrides a goal', async () => {
		const own = await spawn(fighter(1, 0, { ai_patrol: [[0, 0, 9]] }));
		await spawn({ team: 2, health: 100, position: [9, 0, 0] });
		await step();
		expect((await entity(own)).velocity.linear[0]).toBeCloseTo(3, 3);
		expect((await entity(own)).velocity.linear[2]).toBeCloseTo(0, 3);
	});

	test('a kill is counted and paid before rules are evaluated', async () => {
		const killer = await spawn({ team: 1, health: 10, gold: 0, role: 'hero' });
		const victim = await spawn({ team: 2, health: 10, gold_bounty: 7, xp_bounty: 180 });
		await post('/game/create', { score_limit: 1 });
		const seen: [string, object][] = [
			['score', { kind: 'score', threshold: 1 }],
			['phase', { kind: 'phase', phase: 'post_match' }],
			['gold', { kind: 'field', field: 'gold', op: '>=', value: 7 }],
			['level', { kind: 'field', field: 'level', op: '>=', value: 2 }],
		];
		for (const [tag, when] of seen) await rule({ when, actions: [`tag entity:${killer} +${tag}`] });
		await kill(victim, killer);
		await step();
		expect((await entity(killer)).tags).toEqual(seen.map(([tag]) => tag).sort());
	});

	test('rules run before return timers start, so they can prevent a return', async () => {
		const [saved, gone, other] = [
			await spawn({ team: 1, health: 10, tags: ['phoenix'] }),
			await spawn({ team: 1, health: 10, tags: ['dust'] }),
			await spawn({ team: 1, health: 10 }),
		];
		await rule({ when: 'death', filter: 'tag:dust', actions: ['despawn this'] });
		for (const id of [saved, gone, other]) await kill(id);
		await step();
		expect((await entity(saved)).respawn_timer).toEqual({ at: 300 });
		expect((await entity(gone)).ok).toBe(false);
	});

	test('mana regenerates before casts are paid', async () => {
		const id = await spawn({ mana: 60, mana_regen: 60, ...cast({ Heal: { amount: 1 } }) });
		await post('/ability/set', {
			entity_id: id,
			abilities: [{ slot: 'W', name: 'All', cooldown: 0, mana_cost: 60, effect: { Heal: { amount: 1 } } }],
		});
		await post('/ability/use', { entity_id: id, slot: 'W' });
		await step();
		expect((await entity(id)).mana[0]).toBe(0);
		await step();
		expect((await entity(id)).mana[0]).toBeCloseTo(1, 2);
	});

	test('sight is computed last, from the final positions', async () => {
		const eye = await spawn();
		const id = await spawn({ position: [50, 0, 0] });
		await post('/view-filter/set', { entity_id: eye, rules: ['within:5'] });
		await rule({ when: 'tick:1', once: true, actions: [`teleport entity:${id} 3,0,0`] });
		await step();
		expect((await entity(id)).visible_to).toEqual([eye]);
	});
});

describe('every event takes effect once (5.3)', () => {
	test('a death: one score, one firing, one bounty, one share of experience, one timer', async () => {
		const killer = await spawn({ team: 1, health: 10, gold: 0, role: 'hero' });
		const victim = await spawn({ team: 2, health: 10, gold: 0, gold_bounty: 7, xp_bounty: 50 });
		await post('/game/create', { score_limit: 2 });
		await rule({ when: 'death', actions: [pay('this'), 'spawn cube 1,2,3 red 50 9'] });
		await kill(victim, killer);
		await step(4);
		const state = await get('/game/state');
		expect(state.scores).toMatchObject([{ score: 1 }]);
		expect(state.phase, 'one kill does not reach a limit of 2').toBe('playing');
		expect(await entity(killer)).toMatchObject({ gold: 7, xp: 50 });
		expect(await gold(victim)).toBe(1);
		const { entities } = await post('/observe');
		expect(entities.filter(({ team }: { team?: number }) => team === 9)).toHaveLength(1);
	});

	test('a cast, whatever its cooldown', async () => {
		const id = await spawn({ ...cast({ Dash: { distance: 1 } }) });
		await post('/ability/use', { entity_id: id });
		await step(3);
		expect(await position(id)).toEqual([0, 0, -1]);
	});

	test('damage of an effect: 6 a second for 2 s take 12', async () => {
		const id = await spawn({ health: 100 });
		await post('/effect/apply', { entity_id: id, duration: 2, tick_effect: 'dps:6' });
		await step(130);
		expect(await health(id)).toBe(88);
	});

	test('two deaths of one entity are two', async () => {
		const killer = await spawn({ team: 1, health: 10, gold: 0 });
		const victim = await spawn({ team: 2, health: 10, gold_bounty: 7 });
		await post('/game/create', { respawn_delay: 0.1 });
		await kill(victim, killer);
		await step(10);
		await kill(victim, killer);
		await step(10);
		expect(await gold(killer)).toBe(14);
		expect((await get('/game/state')).scores[0].score).toBe(2);
	});
});
