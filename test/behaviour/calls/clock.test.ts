/** Time in whole ticks: a tick is 1/60 s, N seconds are round(60 N) ticks, and only steps advance it. */

import { describe, expect, test } from 'vitest';
import { fighter, pay, playing } from '../../support/playing.ts';

const { call, post, get, spawn, rule, step, kill, entity, gold, position } = playing();

const readTick = async () => (await get('/')).tick;

describe('the clock', () => {
	test('advances only by steps of its own world', async () => {
		await spawn({ health: 5, team: 1, physics_body: 'Dynamic' });
		await rule({
			when: 'tick:1',
			outcomes: [
				{ label: 'a', weight: 1 },
				{ label: 'b', weight: 1 },
			],
		});
		for (const [path, body] of [
			['/observe', {}],
			['/peek', {}],
			['/snapshot', { label: 's' }],
			['/fork', { fork_id: 'f' }],
			['/fork/f/step', { ticks: 7 }],
			['/game/create', {}],
			['/assert/evaluate', {}],
		] as const)
			await post(path, body);
		for (const path of ['/scenario', '/events', '/diagnose', '/entities/0', '/rule/list']) await get(path);
		expect(await readTick()).toBe(0);
		expect((await get('/digest?world=f')).tick).toBe(7);
		expect(await post('/step', { ticks: 5 })).toMatchObject({ ticks_advanced: 5, new_tick: 5 });
		await post('/step', {});
		expect(await readTick()).toBe(6);
	});

	test('60 ticks are one second: 6 m/s for 60 ticks is 6 m', async () => {
		const id = await spawn({ physics_body: 'Kinematic', velocity: { linear: [6, 0, 0] } });
		await step(60);
		expect((await position(id))[0]).toBeCloseTo(6, 4);
	});

	test('a call may run 10 000 ticks; a larger number is refused and changes nothing', async () => {
		expect(await post('/step', { ticks: 10_000 })).toMatchObject({ new_tick: 10_000 });
		expect((await call('POST', '/step', { ticks: 10_001 })).status).toBe(422);
		expect((await call('POST', '/probe', { ticks: 10_001 })).status).toBe(422);
		expect(await readTick()).toBe(10_000);
	});
});

describe('seconds become ticks', () => {
	test.each([
		[0, 1],
		[0.5, 30],
		[1, 60],
		[2, 120],
		[5, 300],
		[10, 600],
		[20, 1200],
		[0.008, 1],
		[0.0249, 1],
		[0.026, 2],
	])('timer %d s: on tick %i and every such number of ticks', async (seconds, ticks) => {
		const purse = await spawn({ gold: 0 });
		await rule({ when: { kind: 'timer', interval: seconds }, actions: [pay({ entity: purse })] });
		if (ticks > 1) await step(ticks - 1);
		expect(await gold(purse)).toBe(0);
		await step();
		expect(await gold(purse)).toBe(1);
		await step(ticks * 3);
		expect(await gold(purse)).toBe(4);
	});

	test.each([
		[0.8, 48],
		[1, 60],
		[1.5, 90],
	])('cooldown %d s: the first blow on tick %i + 1', async (seconds, ticks) => {
		const own = await spawn(fighter(1, 0, { combat_cooldown: seconds }));
		await spawn({ position: [1, 0, 0], team: 2, health: 1e6 });
		await step(ticks);
		expect((await entity(own)).combat_state.ready_at).toBe(ticks);
		await step();
		expect((await entity(own)).combat_state.ready_at).toBe(2 * ticks);
	});

	test.each([
		[undefined, 300],
		[3, 180],
		[5, 300],
	])('respawn delay %d s: dead after tick N, alive after tick N + %i', async (respawn_delay, ticks) => {
		if (respawn_delay !== undefined) await post('/game/create', { respawn_delay });
		const id = await spawn({ health: 50, team: 1 });
		await kill(id);
		await step(ticks);
		expect((await entity(id)).dead).toBe(true);
		await step();
		expect((await entity(id)).dead).toBeUndefined();
	});

	test.each([
		[0, 1],
		[0.5, 30],
		[3, 180],
	])('a projectile of %d s exists before tick %i and is gone after it', async (lifetime, ticks) => {
		await post('/projectile/spawn', { speed: 1, lifetime });
		const countProjectiles = async () => (await get('/projectile/list')).count;
		if (ticks > 1) await step(ticks - 1);
		expect(await countProjectiles()).toBe(1);
		await step();
		expect(await countProjectiles()).toBe(0);
	});

	test('the match clock: 1 s after 60 ticks, 60 s after 3600', async () => {
		await post('/game/create', {});
		await step(60);
		expect((await get('/game/state')).elapsed).toBe(1);
		await step(3540);
		expect((await get('/game/state')).elapsed).toBe(60);
	});

	test('a time limit of 300 s ends the match on tick 18 000', async () => {
		await post('/game/create', { time_limit: 300 });
		await step(9000);
		await step(8999);
		expect((await get('/game/state')).phase).toBe('playing');
		await step();
		expect(await get('/game/state')).toMatchObject({ phase: 'post_match', elapsed: 300, ended_at: 18_000 });
	});

	test.each([
		[0, 1],
		[0.1, 6],
		[2, 120],
	])('an effect of %d s works on %i ticks', async (duration, ticks) => {
		const id = await spawn({ health: 1e6 });
		await post('/effect/apply', { entity_id: id, duration, modifiers: ['armor:add:1'] });
		const countEffects = async () => (await get(`/effect/list/${id}`)).count;
		if (ticks > 1) await step(ticks - 1);
		expect(await countEffects()).toBe(1);
		await step();
		expect(await countEffects()).toBe(0);
	});
});
