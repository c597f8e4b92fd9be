/** Rules of status effects and resolved stats. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { call, post, get, remove, rule, spawn, step, entity, health } = playing();

const apply = (id: number, more: object) => post('/effect/apply', { entity_id: id, ...more });
const list = async (id: number) => (await get(`/effect/list/${id}`)).effects;

describe('ticking', () => {
	test('6 damage a second for 2 s take exactly 12, over 120 ticks', async () => {
		const id = await spawn({ health: 100 });
		await apply(id, { tag: 'burn', duration: 2, tick_effect: 'dps:6' });
		await step(60);
		expect(await health(id)).toBe(94);
		await step(59);
		expect(await list(id)).toHaveLength(1);
		await step();
		expect(await health(id)).toBe(88);
		expect(await list(id)).toEqual([]);
		await step(10);
		expect(await health(id)).toBe(88);
	});

	test('rates that do not divide evenly are exact too', async () => {
		const id = await spawn({ health: 100 });
		await apply(id, { duration: 0.5, tick_effect: 'dps:7' });
		await step(30);
		expect(await health(id)).toBe(96.5);
	});

	test('healing stops at the maximum, and the dead get none', async () => {
		const id = await spawn({ health: 100 });
		await post('/entity/damage', { entity_id: id, amount: 5 });
		await step();
		await apply(id, { tag: 'mend', duration: 2, tick_effect: 'hps:4' });
		await step(60);
		expect(await health(id)).toBe(99);
		await step(60);
		expect(await health(id)).toBe(100);
		await post('/entity/damage', { entity_id: id, amount: 500 });
		await apply(id, { tag: 'mend', duration: 2, tick_effect: 'hps:4' });
		await step(30);
		expect(await entity(id)).toMatchObject({ dead: true, health: [0, 100] });
	});

	test('damage is credited to the source, and the end is an event', async () => {
		const [id, source] = [await spawn({ health: 1, team: 1 }), await spawn({ health: 1, team: 2 })];
		await apply(id, { duration: 1, tick_effect: 'dps:60', source });
		await step();
		const { events } = await get('/events');
		const death = events.find(({ type }: { type: string }) => type === 'DeathEvent');
		expect(death).toMatchObject({ tick: 0, entity: id, killer: source });
		await apply(source, { tag: 'short', duration: 0.05 });
		await step(3);
		expect((await get('/events')).events).toContainEqual({
			type: 'EffectExpiredEvent',
			tick: 3,
			entity: source,
			entity_generation: 0,
			tag: 'short',
			effect_id: 1,
			source: null,
		});
	});

	test('a custom tick sends a signal of its name', async () => {
		const id = await spawn({});
		await apply(id, { tag: 'clock', duration: 1, tick_effect: 'custom:tock' });
		await step();
		expect((await get('/events')).events).toEqual([
			{
				type: 'SignalEvent',
				tick: 0,
				name: 'tock',
				data: { entity: id, effect_id: 1, tag: 'clock', source: null },
				entity: id,
				entity_generation: 0,
				source: null,
			},
		]);
	});
});

describe('stacking', () => {
	const ids = async (id: number) => (await list(id)).map((effect: { id: number }) => effect.id);

	test('replace, refresh, stack:N and stack:N:refresh', async () => {
		const id = await spawn({});
		expect((await apply(id, { tag: 'a' })).effect_id).toBe(1);
		expect((await apply(id, { tag: 'a' })).effect_id).toBe(2);
		expect(await ids(id)).toEqual([2]);
		await step(60);
		expect((await apply(id, { tag: 'a', duration: 6, stack_policy: 'refresh' })).effect_id).toBe(2);
		expect((await list(id))[0]).toMatchObject({ remaining: 6, duration: 6 });
		await apply(id, { tag: 'b', stack_policy: 'stack:2' });
		await apply(id, { tag: 'b', stack_policy: 'stack:2' });
		expect(await apply(id, { tag: 'b', stack_policy: 'stack:2' })).toMatchObject({
			ok: false,
			code: 'stack_full',
		});
		expect(await apply(id, { tag: 'b', stack_policy: 'stack:2:refresh' })).toMatchObject({
			ok: true,
			effect_id: 3,
		});
		expect(await ids(id)).toEqual([2, 3, 4]);
	});

	test.each(['refresh', 'stack:1:refresh'])(
		'%s: the new values and the longer duration apply',
		async (stack_policy) => {
			const id = await spawn({ health: 100 });
			const again = (more: object) => apply(id, { tag: 'x', stack_policy, ...more });
			await again({ duration: 10, modifiers: ['armor:add:5'] });
			await step(60);
			await again({
				duration: 2,
				modifiers: ['armor:add:50', 'move_speed:multiply:0.5'],
				tick_effect: 'dps:60',
			});
			expect(await list(id)).toMatchObject([
				{
					id: 1,
					remaining: 9,
					modifiers: ['armor:add:50', 'move_speed:multiply:0.5'],
					tick_effect: 'dps:60',
				},
			]);
			expect((await call('GET', `/entities/${id}`)).body.stats.armor).toBe(50);
			await step(60);
			expect(await list(id)).toMatchObject([{ remaining: 8 }]);
			expect((await call('GET', `/entities/${id}`)).body.health[0]).toBeLessThan(90);
			await again({ duration: 20 });
			expect(await list(id)).toMatchObject([{ remaining: 20, modifiers: [], tick_effect: null }]);
			await again({ permanent: true });
			await again({ duration: 1 });
			expect(await list(id)).toMatchObject([{ remaining: null }]);
		},
	);

	test('cleansing removes effects by a part of their tag, and DELETE removes one by its id', async () => {
		const id = await spawn({});
		for (const tag of ['fire-slow', 'ice-slow', 'ice-burn']) await apply(id, { tag });
		expect(await post('/effect/cleanse', { entity_id: id, filter: 'slow' })).toMatchObject({
			removed: 2,
			tags: ['fire-slow', 'ice-slow'],
		});
		expect(await remove(`/effect/${id}/3`)).toMatchObject({ ok: true });
		expect(await remove(`/effect/${id}/3`)).toMatchObject({ ok: false, code: 'unknown_effect' });
	});

	test('texts that are not a modifier, tick effect or policy are refused', async () => {
		const id = await spawn({});
		for (const bad of [
			{ modifiers: ['speed:plus:1'] },
			{ modifiers: ['speed:add:x'] },
			{ tick_effect: 'dsp:4' },
			{ stack_policy: 'stack:0' },
		])
			expect((await call('POST', '/effect/apply', { entity_id: id, ...bad })).status).toBe(422);
		expect(await list(id)).toEqual([]);
	});
});

describe('stats', () => {
	test('a stat is (last set, else base) + adds, times multiplies; it applies immediately and ends with the effect', async () => {
		const id = await spawn({ health: 100, combat: true, combat_damage: 10 });
		await apply(id, { tag: 'a', modifiers: ['attack_damage:add:5', 'luck:add:1'] });
		await apply(id, { tag: 'b', modifiers: ['attack_damage:mul:2'], duration: 1 });
		expect((await entity(id)).stats).toEqual({ attack_damage: 30, luck: 1 });
		await step(59);
		expect((await entity(id)).stats.attack_damage).toBe(30);
		await step();
		expect((await entity(id)).stats.attack_damage).toBe(15);
		await apply(id, { tag: 'c', modifiers: ['attack_damage:set:100'] });
		expect((await entity(id)).stats.attack_damage).toBe(105);
		await post('/effect/cleanse', { entity_id: id });
		expect((await entity(id)).stats).toBeUndefined();
		expect((await entity(id)).modifiers).toBeUndefined();
	});

	test('blows use the stat that is shown: (last set, else base) + adds, times multiplies', async () => {
		const own = await spawn({ team: 1, health: 10, combat: true, combat_damage: 10 });
		const other = await spawn({ team: 2, health: 1000, position: [1, 0, 0] });
		for (const [tag, modifier] of Object.entries({
			a: 'attack_damage:add:5',
			b: 'attack_damage:multiply:2',
			c: 'attack_speed:multiply:2',
			d: 'attack_range:set:3',
		}))
			await apply(own, { tag, permanent: true, modifiers: [modifier] });
		expect((await entity(own)).stats).toEqual({ attack_damage: 30, attack_range: 3, attack_speed: 2 });
		await step(62);
		expect(await health(other)).toBe(970);
		await step(30);
		expect(await health(other), 'twice as fast after the first').toBe(940);
		await post(`/entities/${other}/components`, { transform: { position: [2.9, 0, 0] } });
		await step(30);
		expect(await health(other)).toBe(910);
	});

	test('armour, resistance and damage_taken change the damage', async () => {
		const id = await spawn({ health: 1000 });
		await apply(id, {
			permanent: true,
			modifiers: ['armor:add:10', 'magic_resist:set:0.25', 'damage_taken:multiply:2'],
		});
		const hit = async (category: string) => {
			const before = await health(id);
			await post('/entity/damage', { entity_id: id, amount: 80, category });
			await step();
			return before - (await health(id));
		};
		expect([await hit('physical'), await hit('magical'), await hit('pure')]).toEqual([100, 120, 160]);
	});

	test('chance and weight of critical blows are stats too', async () => {
		const own = await spawn({
			team: 1,
			health: 10,
			combat: true,
			combat_cooldown: 0,
			crit: { chance: '1/4', multiplier: 2 },
		});
		const other = await spawn({ team: 2, health: 1000, position: [1, 0, 0] });
		await apply(own, { permanent: true, modifiers: ['crit_chance:add:1', 'crit_multiplier:set:5'] });
		await step(3);
		expect(await health(other)).toBe(900);
	});

	test('a slow halves the distance walked', async () => {
		const [slow, free] = [
			await spawn({ combat: true, team: 1, health: 10 }),
			await spawn({ combat: true, team: 1, health: 10, position: [0, 0, 50] }),
		];
		await apply(slow, { modifiers: ['move_speed:multiply:0.5'], duration: 2 });
		await step(61);
		const x = async (id: number) => (await entity(id)).local_transform.position[0];
		expect(await x(slow)).toBeCloseTo((await x(free)) / 2, 4);
	});

	test('more maximum health comes and goes exactly, and health above it is lost', async () => {
		const id = await spawn({ health: 100.1 });
		await apply(id, { modifiers: ['max_health:multiply:1.7', 'health_regen:add:60'], duration: 2 });
		expect((await entity(id)).health).toEqual([100.1, 170.17]);
		await step(120);
		expect((await entity(id)).health).toEqual([100.1, 100.1]);
	});

	test('health returns to living entities only', async () => {
		const id = await spawn({ health: 100 });
		await apply(id, { modifiers: ['health_regen:add:60'], permanent: true });
		await post('/entity/damage', { entity_id: id, amount: 90 });
		await step(11);
		expect(await health(id)).toBeCloseTo(21, 1);
		await post('/entity/damage', { entity_id: id, amount: 90 });
		await step(11);
		expect(await entity(id)).toMatchObject({ dead: true, health: [0, 100] });
	});

	test('max_mana and mana_regen apply', async () => {
		const id = await spawn({ mana: 100, mana_regen: 0 });
		await apply(id, { modifiers: ['max_mana:add:50', 'mana_regen:set:30'], duration: 1 });
		await step(59);
		expect((await entity(id)).mana).toEqual([129.5, 150]);
		await step();
		expect((await entity(id)).mana).toEqual([100, 100]);
	});

	test('a fork ends its effects as its parent does', async () => {
		const id = await spawn({ health: 100, combat: true, team: 1 });
		await apply(id, { modifiers: ['max_health:add:50'], tick_effect: 'dps:6', duration: 1 });
		await step(20);
		await post('/fork', { fork_id: 'f' });
		await step(60);
		const { state_digest } = await post('/fork/f/step', { ticks: 60 });
		expect((await get('/digest')).state_digest).toBe(
			state_digest ?? (await get('/digest?world=f')).state_digest,
		);
	});

	test('effects in a spawn document are there from the start', async () => {
		const id = await spawn({
			health: 100,
			effects: [{ tag: 'aura', permanent: true, modifiers: ['armor:add:4'] }],
		});
		expect((await list(id))[0]).toMatchObject({ tag: 'aura', remaining: null, duration: null });
		expect((await entity(id)).stats).toEqual({ armor: 4 });
	});

	test('mana_regen below 0 also drains full mana', async () => {
		const id = await spawn({ mana: 100, mana_regen: 0 });
		await apply(id, { tag: 'drain', duration: 60, modifiers: ['mana_regen:add:-6'] });
		await step(60);
		expect((await entity(id)).mana).toEqual([94, 100]);
	});

	test('a new maximum is the base value, to which effects add again', async () => {
		const doubled = { tag: 'big', duration: 1, modifiers: ['max_health:multiply:2'] };
		const [sent, set] = [await spawn({ health: 100 }), await spawn({ health: 100 })];
		await apply(sent, doubled);
		await apply(set, doubled);
		await post(`/entities/${sent}/components`, { health: 50 });
		await rule({ when: 'tick:1', once: true, do: [`set_field entity:${set} health.max 50`] });
		expect((await entity(sent)).health).toEqual([50, 100]);
		await step(2);
		for (const id of [sent, set]) expect((await entity(id)).health[1]).toBe(100);
		await step(60);
		for (const id of [sent, set]) expect((await entity(id)).health).toEqual([50, 50]);
	});

	test('stats stay numbers that a document can hold, for any number of multipliers', async () => {
		const huge = (stat: string) => Array(40).fill(`${stat}:multiply:1e9`);
		const id = await spawn({ health: 100, mana: 100 });
		for (const stat of ['armor', 'mana_regen', 'max_health', 'health_regen'])
			await apply(id, { tag: stat, modifiers: [...huge(stat), `${stat}:add:1`] });
		await post('/entity/damage', { entity_id: id, amount: 1 });
		await step(2);
		expect((await entity(id)).stats).toEqual({
			armor: 1e9,
			health_regen: 1e9,
			mana_regen: 1e9,
			max_health: 1e9,
		});
		expect((await entity(id)).mana).toEqual([100, 100]);
		expect((await post('/scenario', await get('/scenario?exact=false'))).ok).toBe(true);
	});
});
