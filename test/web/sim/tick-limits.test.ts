/** Work that grows with products of counts has limits. A tick beyond a limit is refused and changes nothing. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EFFORT_OF_ACT } from '../../../web/sim/abilities/perform.ts';
import { futureDigest } from '../../../web/sim/core/digest.ts';
import { tickLimits } from '../../../web/sim/core/tick-budget.ts';
import { canOverrun } from '../../../web/sim/step.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';

const USUAL = { ...tickLimits };
/** Limits that small worlds reach. */
const LOW = { actions: 2500, searched: 500_000, sent: 5000 };
const lower = (): void => void Object.assign(tickLimits, LOW);

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => {
	Object.assign(tickLimits, USUAL);
	engine.engine.close();
});

test('the guide lists the limits of a tick', () => {
	expect(tickLimits).toEqual({ spawned: 20_000, actions: 250_000, searched: 50_000_000, sent: 500_000 });
});

/** Makes many calls to a path, in batches. */
async function callMany(count: number, path: string, body: (i: number) => Json): Promise<void> {
	for (let from = 0; from < count; from += 1000) {
		const requests = Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({
			path,
			body: body(from + i),
		}));
		const answer = await engine.must('POST', '/batch', { requests });
		expect(answer).toMatchObject({ all_ok: true });
	}
}

/**
 * Checks that low limits refuse the next tick, that `canOverrun` predicts this, and that the world does not change. The
 * usual limits allow the tick.
 */
async function expectRefused(): Promise<void> {
	lower();
	const { world } = engine.engine.worlds.main;
	const before = futureDigest(world);
	expect(canOverrun(world)).toBe(true);
	const { body } = await engine.call('POST', '/step', {});
	expect(body).toMatchObject({ ok: false, code: 'too_many_actions', ticks_advanced: 0 });
	expect(futureDigest(world)).toBe(before);
	Object.assign(tickLimits, USUAL);
	await engine.must('POST', '/step', {});
}

describe('a tick is refused', () => {
	test('for the events that zones send about entities inside them', async () => {
		expect(80 * 80).toBeGreaterThan(LOW.sent);
		await callMany(80, '/spawn', () => ({ position: [0, 0, 0], health: 1e9 }));
		await callMany(80, '/trigger/create', () => ({ zone: [5, 5, 5], action: 'damage:1' }));
		await expectRefused();
	});

	test('for the reads of observers', async () => {
		expect(100 * 100 * 60).toBeGreaterThan(LOW.searched);
		const rules = Array.from({ length: 60 }, () => 'within:100000');
		await callMany(100, '/spawn', (i) => ({ position: [i, 0, 0] }));
		await callMany(100, '/view-filter/set', (i) => ({ entity_id: i, rules }));
		await expectRefused();
	});

	test('for the heroes that towers may target', async () => {
		expect(710 * 710).toBeGreaterThan(LOW.searched);
		const pair = (i: number) => 2 * Math.floor(i / 2) + 1 - (i % 2);
		await callMany(710, '/spawn', (i) => ({
			position: [i, 0, 0],
			health: 1e9,
			team: 1 + (i % 2),
			role: 'hero',
		}));
		await callMany(710, '/spawn', (i) => ({
			position: [i, 0, 1e5],
			health: 1e9,
			team: 1,
			role: 'tower',
			combat: true,
		}));
		// Fighters have their components from the first tick on.
		await engine.must('POST', '/step', {});
		await callMany(710, '/events', (i) => ({ type: 'DamageEvent', target: i, amount: 1, source: pair(i) }));
		await expectRefused();
	});

	test('for the minions that may be near protected buildings', async () => {
		await callMany(710, '/spawn', (i) => ({ position: [i, 0, 0], health: 9, team: 1, role: 'minion' }));
		await callMany(710, '/spawn', (i) => ({
			position: [i, 0, 1e5],
			health: 9,
			team: 2,
			building_type: 'ancient',
		}));
		await expectRefused();
	});

	test('for draws without an action', async () => {
		expect(60 * 50).toBeGreaterThan(LOW.actions);
		await callMany(60, '/spawn', () => ({ health: 5 }));
		await callMany(50, '/rule/create', () => ({
			when: 'field:health.current>0 level',
			outcomes: [
				{ label: 'a', weight: 1 },
				{ label: 'b', weight: 1 },
			],
		}));
		await expectRefused();
	});

	test('for the searches of many abilities', async () => {
		const count = 200;
		const reach = count * EFFORT_OF_ACT;
		expect((count - 2) * reach).toBeGreaterThan(LOW.searched / 2);
		const effect = {
			Chain: [{ AreaDamage: { radius: 1, damage: 1 } }, { AreaDamage: { radius: 1, damage: 1 } }],
		};
		await callMany(count, '/spawn', (i) => ({
			position: [10 * i, 0, 0],
			team: 1,
			health: 9,
			abilities: [{ slot: 'Q', name: 'all', effect }],
		}));
		await callMany(count, '/ability/use', (i) => ({ entity_id: i, slot: 'Q' }));
		await expectRefused();
	});
});

test('the draws of a traced step are limited to the size of an answer', async () => {
	await callMany(400, '/spawn', () => ({ health: 5 }));
	await callMany(260, '/rule/create', () => ({
		when: 'field:health.current>0 level',
		outcomes: [
			{ label: 'a', weight: 1 },
			{ label: 'b', weight: 1 },
		],
	}));
	const { body } = await engine.call('POST', '/step', { ticks: 20, trace: true });
	expect(body).toMatchObject({ ok: false, code: 'answer_too_large', ticks_advanced: 1, new_tick: 1 });
});

test('the observations of a step share one answer, and nothing beyond it is read', async () => {
	const tags = Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(96)}`);
	await callMany(400, '/spawn', () => ({ tags }));
	const parsed = vi.spyOn(JSON, 'parse');
	const capture = Array.from({ length: 100 }, () => ({ at: 0, observe: {} }));
	const { body } = await engine.call('POST', '/step', { ticks: 0, capture });
	const long = parsed.mock.calls.filter(([text]) => text.length > 1e6).length;
	parsed.mockRestore();
	expect(body).toMatchObject({ ok: false, code: 'answer_too_large' });
	expect(long).toBeLessThan(20);
});

test('an effect counts for the work of its changes, together with existing effects', async () => {
	const zone = { zone: [5, 5, 5], action: 'effect' };
	const modifiers = Array.from({ length: 20 }, () => 'armor:add:1');
	const each = 24 * 20 + 64;
	const zones = 10;
	const count = 25;
	expect((count * each * zones * zones) / 2).toBeGreaterThan(LOW.searched);
	await callMany(count, '/spawn', () => ({ position: [0, 0, 0], health: 9 }));
	await callMany(zones, '/trigger/create', (i) => ({
		...zone,
		effect: { tag: `t${i}`, duration: 99, modifiers },
	}));
	await engine.spawn({
		position: [0, 40, 0],
		physics_body: 'Dynamic',
		collider: { shape: 'Sphere', radius: 1 },
	});
	await expectRefused();
});

test('an effect that a rule applies to all entities counts together with existing effects', async () => {
	const modifiers = Array.from({ length: 20 }, () => 'armor:add:1');
	await callMany(30, '/spawn', () => ({ position: [0, 0, 0], health: 9 }));
	for (let i = 0; i < 10; i++)
		await engine.rule({
			when: 'tick:1',
			do: [{ action: 'apply_effect', target: { all: 'any' }, tag: `t${i}`, duration: 99, modifiers }],
		});
	await expectRefused();
});

test('walkers in one place are counted', async () => {
	await engine.must('POST', '/navmesh/generate', {});
	const count = Math.ceil(Math.sqrt(LOW.searched)) + 100;
	await callMany(count, '/spawn', () => ({ position: [0, 0, 0], path: { goal: [0, 0, 0.2], speed: 0.01 } }));
	// The first tick finds the paths of all walkers.
	await expectRefused();
});

describe('a script', () => {
	const load = (script_name: string, source: string) =>
		engine.must('POST', '/script/load', { script_name, source });

	test('with possible spawns may overrun a tick', async () => {
		const { world } = engine.engine.worlds.main;
		await load('still', 'function on_update(me) end');
		await engine.spawn({ script: 'still' });
		expect(canOverrun(world)).toBe(false);
		for (let i = 0; i < 25; i++) await load(`s${i}`, 'function on_update(me) engine.spawn() end');
		expect(canOverrun(world)).toBe(true);
	});

	test.each([
		[
			'spawn entities',
			'{ action = "spawn", mesh = "cube", position = {0,0,0}, count = 90 }',
			'at most 1000 entities',
		],
		['affect entities', '"heal all:any 1"', 'instructions for each'],
		['search entities', '"heal nearest:team:9&alive 1"', 'at most 4000000 entities and events'],
		[
			'stack effects',
			'{ action = "apply_effect", target = { all = "any" }, tag = "t", stack_policy = "stack:99" }',
			'at most 4000000',
		],
		['emit events', `{ action = "emit", name = "n", data = "${'x'.repeat(8000)}" }`, 'at most 40000 events'],
	])('cannot exceed a tick by actions that %s', async (_, action, text) => {
		await callMany(1000, '/spawn', (i) => ({ position: [i, 0, 0], health: 5 }));
		await load('doer', `function on_update(me) for i = 1, 100 do engine.act(${action}) end end`);
		await callMany(40, '/spawn', () => ({ script: 'doer' }));
		const { world } = engine.engine.worlds.main;
		expect(canOverrun(world)).toBe(false);
		await engine.must('POST', '/step', { ticks: 2 });
		const { events } = (await engine.get('/events')) as { events: { message?: string }[] };
		expect(events.some(({ message }) => message?.includes(text))).toBe(true);
	});
});

test('the reads of a probe on every tick are limited', async () => {
	const long = {
		kind: 'any',
		of: Array.from({ length: 15 }, (_, i) => ({
			kind: 'any',
			of: Array.from({ length: 18 }, (_, j) => ({
				kind: 'field',
				field: 'health.current',
				op: '==',
				value: 100 + 20 * i + j,
			})),
		})),
	};
	await callMany(200, '/spawn', () => ({ health: 9 }));
	const conditions = 270 + 15 + 1;
	const assertions = Math.floor(LOW.searched / 200 / conditions) + 2;
	for (let i = 0; i < assertions; i++)
		await engine.must('POST', '/assert/create', { name: `a${i}`, condition: long, held: 'throughout' });
	const before = await engine.digest();
	lower();
	expect(await engine.post('/probe', { ticks: 5 })).toMatchObject({ ok: false, code: 'too_many_actions' });
	expect(await engine.digest()).toBe(before);
});

test('the refusal of a condition with too many parts names the limit', async () => {
	const any = (of: readonly Json[]): Json => ({ kind: 'any', of });
	const long = any(
		Array.from({ length: 18 }, (_, i) =>
			any(
				Array.from({ length: 18 }, (_, j) => ({ kind: 'field', field: 'gold', op: '==', value: 20 * i + j })),
			),
		),
	);
	for (const [path, body] of [
		['/observe', { filter: long }],
		['/rule/create', { when: 'tick:1', filter: long, do: ['emit x'] }],
	] as const) {
		const { ok, error } = await engine.post(path, body as Json);
		expect([ok, error]).toEqual([false, expect.stringContaining('a condition has at most 300')]);
	}
});
