/** Input over HTTP: what keys mean, playing by calls alone, and the same played again to the bit. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_BINDINGS, PLAYER_ACTIONS } from '../../../shared/documents/input.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
let post: TestEngine['post'];
let get: TestEngine['get'];
let must: (path: string, body?: unknown) => Promise<Json>;
beforeEach(async () => {
	engine = await startEngine();
	({ post, get } = engine);
	must = (path, body = {}) => engine.must('POST', path, body);
});
afterEach(() => engine.engine.close());

const inputs = async (): Promise<readonly Json[]> =>
	(await engine.events()).filter(({ type }: Json) => type === 'InputEvent');

describe('keys', () => {
	test('have the meaning of the active context', async () => {
		const { bindings, contexts, actions } = await get('/input/list');
		expect(bindings).toHaveLength(DEFAULT_BINDINGS.length);
		expect(contexts).toEqual(['gameplay']);
		expect(actions.map(({ action }: Json) => action)).toEqual(Object.keys(PLAYER_ACTIONS));
		expect(await post('/input/bind', { key: 'keyw', action: 'jump' })).toMatchObject({
			key: 'W',
			replaced: 'ability_w',
		});
		await must('/input/bind', { key: 'w', action: 'choose', context: 'menu' });
		expect(await post('/input/press', { key: 'W' })).toMatchObject({ ok: true, action: 'jump' });
		await must('/input/context/push', { context: 'menu' });
		expect(await post('/input/press', { key: 'W' })).toMatchObject({ ok: true, action: 'choose' });
		expect(await post('/input/press', { key: 'Q' })).toMatchObject({ ok: false, code: 'unbound_key' });
		expect(await post('/input/context/pop')).toMatchObject({ context: 'menu', contexts: ['gameplay'] });
		expect(await post('/input/context/pop')).toMatchObject({ ok: false, code: 'last_context' });
		expect(await post('/input/unbind', { key: 'W' })).toMatchObject({ ok: true, action: 'jump' });
		expect(await post('/input/unbind', { key: 'W' })).toMatchObject({ ok: false, code: 'unbound_key' });
	});

	test('with default bindings are no part of the state, and others are forked, saved and exported', async () => {
		const fresh = await engine.digest();
		await must('/input/bind', { key: 'Space', action: 'jump' });
		const bound = await engine.digest();
		expect(bound).not.toBe(fresh);
		const scenario = await get('/scenario');
		await must('/fork', { fork_id: 'plan' });
		await must('/input/bind', { key: 'Space', action: 'center_camera' });
		expect(await engine.digest()).toBe(fresh);
		expect(await engine.digest('plan')).toBe(bound);
		await must('/scenario', scenario);
		expect(await engine.digest()).toBe(bound);
	});

	test.each([
		[{ key: 'Spcae' }, 'did you mean \\"Space\\"'],
		[{ key: 'W', action: 'jump' }, 'either a key or an action'],
		[{}, 'either a key or an action'],
		[{ action: 'Jump!' }, 'lower-case letters'],
		[{ action: 'jump', hold: true, ticks: 5 }, 'either ticks or hold'],
	])('%j is refused with a clear error', async (body, words) => {
		const before = await engine.digest();
		const answer = await post('/input/press', body);
		expect(answer).toMatchObject({ ok: false, code: 'invalid_body' });
		expect(JSON.stringify(answer)).toContain(words);
		expect(await engine.digest()).toBe(before);
	});
});

describe('an entity that is played', () => {
	test('walks at its speed while a direction is held, and stands after a release', async () => {
		const id = await engine.spawn({ player: true, position: [0, 0, 0] });
		expect(await post('/input/press', { key: 'ArrowRight', ticks: 60 })).toMatchObject({
			entity_id: id,
			tick: 0,
			until: 60,
		});
		await engine.step(60);
		const [x] = await engine.position(id);
		expect(x).toBeCloseTo(5, 3);
		await engine.step(30);
		expect(await engine.position(id)).toEqual([x, 0, 0]);
		expect((await engine.entity(id)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('walks at the same speed on diagonals, and slower with a half-pressed stick', async () => {
		const id = await engine.spawn({ player: true, position: [0, 0, 0] });
		await must('/input/press', { action: 'move_left', hold: true });
		await must('/input/press', { action: 'move_forward', hold: true });
		await engine.step(60);
		const [x, , z] = await engine.position(id);
		expect(Math.hypot(x!, z!)).toBeCloseTo(5, 3);
		expect(x).toBeCloseTo(z!, 5);
		await must('/input/release', { action: 'move_left' });
		await must('/input/release', { action: 'move_forward' });
		await must('/input/axis', { key: 'GamepadLeftX', value: 0.5 });
		await engine.step(60);
		const [after, , still] = await engine.position(id);
		expect(after! - x!).toBeCloseTo(2.5, 3);
		expect(still).toBe(z);
	});

	test('stands on a stop order, also if no key or goal moved it', async () => {
		const id = await engine.spawn({ player: true, position: [0, 0, 0], velocity: { linear: [4, 0, 4] } });
		await must('/input/press', { action: 'stop' });
		await engine.step(30);
		expect((await engine.position(id)).map(Math.abs)).toEqual([0, 0, 0]);
	});

	test('stays within the bounds of players, by keys and by orders, and returns from outside', async () => {
		await must('/tuning', { players: { bounds: { min_x: -2, max_x: 2, min_z: -3, max_z: 3 } } });
		const id = await engine.spawn({ player: true, position: [0, 0, 0] });
		await must('/input/press', { key: 'ArrowRight', ticks: 120 });
		await must('/input/press', { key: 'ArrowUp', ticks: 20 });
		await engine.step(120);
		const [x, , z] = await engine.position(id);
		expect([x, z]).toEqual([expect.closeTo(2, 3), expect.closeTo(-1.18, 1)]);
		await must('/input/press', { action: 'move_or_attack', point: [0, 0, 50] });
		await engine.step(180);
		expect((await engine.position(id))[2]).toBeLessThan(3.01);
		await engine.change(id, { position: [9, 0, 0] });
		await must('/input/press', { key: 'ArrowLeft', ticks: 60 });
		await engine.step(60);
		expect((await engine.position(id))[0]).toBeCloseTo(4, 3);
		expect(
			await post('/tuning', { players: { bounds: { min_x: 2, max_x: 1, min_z: 0, max_z: 0 } } }),
		).toMatchObject({ ok: false, message: expect.stringContaining('smallest value') });
	});

	test('strikes enemies in range while it attacks, and no other entity', async () => {
		const fighter = { combat: true, combat_damage: 10, combat_range: 2, combat_cooldown: 0.5, health: 100 };
		const id = await engine.spawn({ ...fighter, player: true, team: 1, position: [0, 0, 0] });
		const foe = await engine.spawn({ health: 100, team: 2, position: [1, 0, 0] });
		const far = await engine.spawn({ health: 100, team: 2, position: [9, 0, 0] });
		await engine.step(120);
		expect(await engine.health(foe)).toBe(100);
		await must('/input/press', { key: 'F', ticks: 60 });
		await engine.step(62);
		expect(await engine.health(foe)).toBe(80);
		expect(await engine.health(far)).toBe(100);
		expect((await engine.position(id))[0]).toBe(0);
		await engine.step(60);
		expect(await engine.health(foe)).toBe(80);
		expect((await engine.entity(id)).player_order).toBeUndefined();
	});

	test('walks to its order, and fights an enemy there', async () => {
		const fighter = { combat: true, combat_damage: 50, combat_range: 1.5, combat_speed: 6, health: 100 };
		const id = await engine.spawn({ ...fighter, player: true, team: 1, position: [0, 0, 0] });
		await must('/input/press', { key: 'MouseRight', point: [3, 0, 4] });
		await engine.step(120);
		const [x, , z] = await engine.position(id);
		expect(Math.hypot(x! - 3, z! - 4)).toBeLessThan(0.6);
		const foe = await engine.spawn({ health: 100, team: 2, position: [9, 0, 4] });
		await must('/input/press', { key: 'MouseRight', target_id: foe });
		await engine.step(300);
		expect(await engine.health(foe)).toBe(0);
		await must('/input/press', { key: 'S' });
		await engine.step();
		expect((await engine.entity(id)).velocity.linear).toEqual([0, 0, 0]);
	});

	test('casts, or reports the refusal', async () => {
		const id = await engine.spawn({ player: true, health: 50, position: [0, 0, 0] });
		await must('/ability/set', {
			entity_id: id,
			abilities: [{ slot: 'Q', name: 'mend', mana_cost: 0, cooldown: 5, effect: { Heal: { amount: 20 } } }],
		});
		await must('/entity/damage', { entity_id: id, amount: 30 });
		await engine.step();
		await must('/input/press', { key: 'Q' });
		await engine.step();
		expect(await engine.health(id)).toBe(40);
		await must('/input/press', { key: 'Q' });
		await must('/input/press', { key: 'W' });
		await engine.step();
		const reasons = (await engine.events()).filter(({ type }: Json) => type === 'CastFailedEvent');
		expect(reasons.map(({ reason }: Json) => reason)).toEqual(['on_cooldown', 'no_ability']);
	});

	test('must be named among several; without one, an input is only an event', async () => {
		expect(await post('/input/press', { action: 'jump' })).toMatchObject({ ok: true, entity_id: null });
		const [a, b] = [await engine.spawn({ player: true }), await engine.spawn({ player: true })];
		const other = await engine.spawn({});
		expect(await post('/input/press', { action: 'jump' })).toMatchObject({ code: 'no_player' });
		expect(await post('/input/press', { action: 'jump', entity_id: other })).toMatchObject({
			code: 'no_player',
		});
		await must('/input/press', { action: 'jump', entity_id: b });
		await engine.step();
		expect(await inputs()).toMatchObject([
			{ action: 'jump', entity: null, phase: 'pressed' },
			{ action: 'jump', entity: b, phase: 'pressed' },
		]);
		await must('/input/press', { action: 'jump', entity_id: a, hold: true });
		await engine.step();
		await must('/despawn', { entity_id: a });
		await engine.step();
		expect((await get('/input/list')).held).toEqual([]);
	});
});

describe('inputs', () => {
	test('are events that rules see on their tick, pressed once and released once', async () => {
		await engine.rule({
			when: {
				kind: 'event',
				event: 'input',
				where: [
					{ field: 'action', value: 'jump' },
					{ field: 'phase', value: 'pressed' },
				],
			},
			do: [{ action: 'set_text', id: 'said', text: 'jumped' }],
		});
		await must('/input/press', { action: 'jump', tick: 3, ticks: 2 });
		await engine.step(3);
		expect((await get('/ui/list')).elements).toEqual([]);
		await engine.step();
		expect((await get('/ui/list')).elements).toMatchObject([{ id: 'said', text: 'jumped' }]);
		const { events } = await post('/step', { ticks: 4, events: ['input'] });
		expect(events).toMatchObject([{ action: 'jump', phase: 'released', tick: 5 }]);
		expect(await post('/input/press', { action: 'jump', tick: 2 })).toMatchObject({ code: 'past_tick' });
	});

	test('of a step equal those of single calls, bit for bit, also in a fork', async () => {
		const scene = async () => {
			await must('/reset', { fresh: true, seed: 7 });
			await engine.spawn({
				player: true,
				position: [0, 0, 0],
				combat: true,
				combat_speed: 4,
				health: 9,
				team: 1,
			});
			await engine.spawn({ health: 30, team: 2, combat: true, position: [6, 0, 0] });
		};
		const played = [
			{ at: 0, key: 'ArrowRight', ticks: 40 },
			{ at: 5, action: 'jump' },
			{ at: 20, key: 'ArrowUp', hold: true },
			{ at: 33, key: 'ArrowUp', release: true },
			{ at: 40, key: 'GamepadLeftX', value: -0.25 },
			{ at: 50, key: 'A', point: [6, 0, 0] },
		];
		await scene();
		await must('/fork', { fork_id: 'whole' });
		await must('/fork/whole/step', { ticks: 240, inputs: played });
		for (const { at, release, value, ...input } of played as Json[]) {
			if (at !== 0) await engine.step((at as number) - (await get('/')).tick);
			if (release === true) await must('/input/release', input);
			else if (value !== undefined) await must('/input/axis', { ...input, value });
			else await must('/input/press', input);
		}
		await engine.step(240 - (await get('/')).tick);
		expect(await engine.digest()).toBe(await engine.digest('whole'));
	});

	test('of a refused step leave no effect', async () => {
		await engine.spawn({ player: true });
		const before = await engine.digest();
		const answer = await post('/step', { ticks: 5, inputs: [{ action: 'jump' }, { at: 2, key: 'Z' }] });
		expect(answer).toMatchObject({ ok: false, code: 'unbound_key' });
		expect(answer.message).toContain('inputs[1]');
		expect(await engine.digest()).toBe(before);
	});
});

describe('a step', () => {
	test('answers observations of the requested ticks', async () => {
		const id = await engine.spawn({ velocity: { linear: [6, 0, 0] }, physics_body: 'Kinematic' });
		const { captures, new_tick } = await post('/step', {
			ticks: 30,
			capture: [
				{ at: 30, observe: { filter: `entity:${id}` } },
				{ at: 0, observe: {} },
				{ at: 10, observe: {} },
			],
		});
		expect(new_tick).toBe(30);
		expect(captures.map(({ tick }: Json) => tick)).toEqual([0, 10, 30]);
		const places = captures.map(
			({ observed }: Json) => (observed as Json & { entities: Json[] }).entities[0]!,
		);
		expect(places.map((item: Json) => (item.local_transform as Json).position)).toEqual(
			[
				[0, 0, 0],
				[1, 0, 0],
				[3, 0, 0],
			].map((at) => at.map((part) => expect.closeTo(part, 4))),
		);
		expect(await post('/step', { ticks: 3, capture: [{ at: 4, observe: {} }] })).toMatchObject({
			code: 'invalid_body',
		});
		expect((await get('/')).tick).toBe(30);
	});
});
