/** Rules, as claims over calls: every condition, action, target and filter, with tick numbers, and every refusal. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { encodeWorld } from '../../web/sim/core/codec.ts';
import { call } from '../support/play.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});
afterEach(() => engine.close());

const post = async (path: string, body: unknown = {}) => (await call(engine, 'POST', path, body)).body;
const get = async (path: string) => (await call(engine, 'GET', path)).body;
const spawn = async (document: object = {}): Promise<number> => (await post('/spawn', document)).id;
const step = (ticks = 1) => post('/step', { ticks });
const entity = (id: number) => get(`/entities/${id}`);
const gold = async (id: number): Promise<number> => (await entity(id)).gold;
const rule = async (document: object): Promise<number> => {
	const answer = await post('/rule/create', document);
	expect(answer.ok, JSON.stringify(answer)).toBe(true);
	return answer.rule_id;
};
const pay = (target: unknown = 'this', value = 1) => ({ action: 'add_field', target, field: 'gold', value });

/** Gold of an entity after each of some ticks. */
async function ledger(id: number, ticks: number): Promise<number[]> {
	const amounts: number[] = [];
	for (let i = 0; i < ticks; i++) {
		await step();
		amounts.push(await gold(id));
	}
	return amounts;
}

describe('timers and ticks', () => {
	test.each([
		['timer:1', 60],
		['timer:0.5', 30],
		['TIMER:2', 120],
		['timer:0.1', 6],
		['timer:0', 1],
		['tick:7', 7],
	])('%s created at tick 5 fires on every %i-th tick after it', async (when, period) => {
		const purse = await spawn({ gold: 0 });
		await step(5);
		await rule({ when, actions: [pay({ entity: purse })] });
		await step(period - 1);
		expect(await gold(purse)).toBe(0);
		await step();
		expect(await gold(purse)).toBe(1);
		await step(period - 1);
		expect(await gold(purse)).toBe(1);
		await step();
		expect(await gold(purse)).toBe(2);
	});

	test('the typed forms mean the same', async () => {
		const purse = await spawn({ gold: 0 });
		await rule({ when: { kind: 'timer', interval: 0.05 }, do: [pay({ entity: purse })] });
		await rule({ when: { kind: 'tick', every: 2 }, do: [pay({ entity: purse }, 10)] });
		expect(await ledger(purse, 6)).toEqual([0, 10, 11, 21, 21, 32]);
	});

	test('are about nobody: this does nothing', async () => {
		const first = await spawn({ gold: 0 });
		await rule({ when: 'tick:1', actions: [pay()] });
		await step(3);
		expect(await gold(first)).toBe(0);
	});
});

describe('death', () => {
	test('once per death; this is the dead one, source the killer', async () => {
		const killer = await spawn({ gold: 0, health: 10, team: 1 });
		const victim = await spawn({ gold: 0, health: 10, team: 2 });
		const other = await spawn({ health: 10, team: 3 });
		await rule({
			when: 'death',
			filter: 'team:2',
			actions: ['add_field this gold 1', 'add_field source gold 10'],
		});
		await post('/entity/damage', { entity_id: victim, amount: 99, source: killer });
		await post('/entity/damage', { entity_id: other, amount: 99, source: killer });
		expect(await ledger(victim, 3)).toEqual([1, 1, 1]);
		expect(await gold(killer)).toBe(10);
	});

	test('a replacement is spawned once', async () => {
		const victim = await spawn({ health: 10, role: 'minion' });
		await rule({ when: 'death', actions: ['spawn cube 1,2,3 red 50 2'] });
		await post('/entity/damage', { entity_id: victim, amount: 99 });
		await step(5);
		const { entities } = await post('/observe');
		expect(entities.filter(({ team }: { team?: number }) => team === 2)).toHaveLength(1);
	});

	test('a death before the rule is not its concern, nor is one without a killer a source', async () => {
		const victim = await spawn({ health: 10, gold: 0 });
		await post('/entity/damage', { entity_id: victim, amount: 99 });
		await step();
		await rule({ when: 'death', actions: ['add_field this gold 1', 'add_field source gold 1'] });
		await step(2);
		expect(await gold(victim)).toBe(0);
	});
});

describe('health below', () => {
	test('strictly below, for each entity once in its life, not again after healing', async () => {
		const a = await spawn({ health: 100, gold: 0 });
		await rule({ when: 'health-below:50', actions: ['add_field this gold 1'] });
		await post('/entity/damage', { entity_id: a, amount: 50 });
		expect(await ledger(a, 1)).toEqual([0]);
		await post('/entity/damage', { entity_id: a, amount: 1 });
		expect(await ledger(a, 3)).toEqual([1, 1, 1]);
		await post('/entity/heal', { entity_id: a, amount: 50 });
		await step();
		await post('/entity/damage', { entity_id: a, amount: 60 });
		expect(await ledger(a, 2)).toEqual([1, 1]);
	});

	test('a new entity in the same slot counts anew, and the dead do not count', async () => {
		await rule({ when: { kind: 'health_below', threshold: 50 }, actions: ['add_field this gold 1'] });
		const a = await spawn({ health: 10, gold: 0 });
		expect(await ledger(a, 1)).toEqual([1]);
		await post('/despawn', { entity_id: a, entity_generation: 0 });
		const b = await spawn({ health: 10, gold: 0 });
		expect(b).toBe(a);
		expect(await ledger(b, 2)).toEqual([1, 1]);
		const dead = await spawn({ health: 60, gold: 0 });
		await post('/entity/damage', { entity_id: dead, amount: 60 });
		expect(await ledger(dead, 2)).toEqual([0, 0]);
	});
});

describe('score and phase', () => {
	test('score fires once, when any score reaches it; rules of kind tick come after it', async () => {
		const a = await spawn({ gold: 0, team: 1 });
		await rule({ when: 'score:2', actions: [pay({ entity: a })] });
		await rule({ when: 'tick:2', actions: [`score entity:${a} +1`] });
		expect(await ledger(a, 2)).toEqual([0, 0]);
		await post('/game/create', { score_limit: 100 });
		expect(await ledger(a, 6)).toEqual([0, 0, 0, 0, 1, 1]);
	});

	test('phase fires when the phase is entered; endgame ends the match', async () => {
		const a = await spawn({ gold: 0 });
		await rule({ when: 'phase:post_match', actions: [pay({ entity: a })] });
		await rule({ when: { kind: 'phase', phase: 'Playing' }, actions: ['endgame 2'] });
		await step(2);
		expect(await gold(a)).toBe(0);
		await post('/game/create', {});
		expect(await ledger(a, 3)).toEqual([0, 1, 1]);
		expect(await get('/game/state')).toMatchObject({ phase: 'post_match' });
	});
});

describe('events', () => {
	test('each is had once; this is whom it is about, source who caused it', async () => {
		const a = await spawn({ health: 100, gold: 0 });
		const b = await spawn({ health: 100, gold: 0 });
		await rule({ when: 'event:damage', actions: ['add_field this gold 1', 'add_field source gold 10'] });
		await post('/entity/damage', { entity_id: a, amount: 1, source: b });
		expect(await ledger(a, 3)).toEqual([1, 1, 1]);
		expect(await gold(b)).toBe(10);
	});

	test('field tests choose among them', async () => {
		const a = await spawn({ health: 100, gold: 0 });
		const b = await spawn({ health: 100, gold: 0 });
		const when = (...where: object[]) => ({ kind: 'event', event: 'damage', where });
		await rule({ when: when({ field: 'amount', op: '>=', value: 5 }), actions: [pay('this', 1)] });
		await rule({ when: when({ field: 'target.id', value: b }), actions: [pay('this', 10)] });
		await rule({ when: when({ field: 'source', op: 'not_equal', value: a }), actions: [pay('this', 100)] });
		await rule({
			when: when({ field: 'amount', op: '<', value: 9 }, { field: 'amount', op: 'gt', value: 4 }),
			actions: [pay('this', 1000)],
		});
		await post('/entity/damage', { entity_id: a, amount: 5 });
		await post('/entity/damage', { entity_id: b, amount: 1, source: a });
		await step();
		expect([await gold(a), await gold(b)]).toEqual([1101, 10]);
	});

	test('a signal that a rule emits is heard by rules on the next tick, with its data', async () => {
		const a = await spawn({ gold: 0 });
		const heard = (value: string) => ({
			kind: 'event',
			event: 'signal',
			where: [
				{ field: 'name', value: 'horn' },
				{ field: 'data.tone', value },
			],
		});
		await rule({ when: heard('low'), actions: [pay({ entity: a })], priority: 5 });
		await rule({ when: heard('high'), actions: [pay({ entity: a }, 100)] });
		await rule({ when: 'tick:1', once: true, do: [{ action: 'emit', name: 'horn', data: { tone: 'low' } }] });
		expect(await ledger(a, 3)).toEqual([0, 1, 1]);
	});
});

describe('zones', () => {
	const go = (id: number, x: number) =>
		post(`/entities/${id}/components`, { transform: { position: [x, 0, 0] } });

	test.each([
		['a ball', { center: [0, 0, 0], radius: 2 }],
		['a box', { center: [0, 0, 0], half: [2, 1, 1] }],
	])('enter and leave %s, each time', async (_, zone) => {
		const a = await spawn({ position: [5, 0, 0], gold: 0 });
		await rule({ when: { kind: 'enter', zone }, actions: [pay()] });
		await rule({ when: { kind: 'leave', zone }, actions: [pay('this', 10)] });
		expect(await ledger(a, 2)).toEqual([0, 0]);
		await go(a, 1);
		expect(await ledger(a, 2)).toEqual([1, 1]);
		await go(a, 2);
		expect(await ledger(a, 2)).toEqual([11, 11]);
		await go(a, 1.5);
		expect(await ledger(a, 1)).toEqual([12]);
	});

	test('a zone round an entity goes with it and does not hold it; filters choose who counts', async () => {
		const center = await spawn({ position: [0, 0, 0], gold: 0, tags: ['x'] });
		const a = await spawn({ position: [5, 0, 0], gold: 0, tags: ['x'] });
		const b = await spawn({ position: [5, 0, 0], gold: 0 });
		await rule({
			when: { kind: 'enter', zone: { entity: center, radius: 2 } },
			filter: 'tag:x',
			actions: [pay()],
		});
		expect(await ledger(a, 1)).toEqual([0]);
		await go(center, 4);
		expect(await ledger(a, 2)).toEqual([1, 1]);
		expect([await gold(center), await gold(b)]).toEqual([0, 0]);
	});
});

describe('fields', () => {
	test('rising: when it begins to hold; level: on every tick on which it holds', async () => {
		const a = await spawn({ gold: 0, health: 100 });
		const when = { kind: 'field', field: 'health', op: '<', value: 50 };
		await rule({ when, actions: [pay()] });
		await rule({ when: { ...when, edge: 'level' }, actions: [pay('this', 10)] });
		await post('/entity/damage', { entity_id: a, amount: 60 });
		expect(await ledger(a, 3)).toEqual([11, 21, 31]);
		await post('/entity/heal', { entity_id: a, amount: 60 });
		expect(await ledger(a, 2)).toEqual([31, 31]);
		await post('/entity/damage', { entity_id: a, amount: 60 });
		expect(await ledger(a, 2)).toEqual([42, 52]);
	});

	test.each(
		[
			['>', 4, 1],
			['greater_equal', 5, 1],
			['lt', 6, 1],
			['<=', 4, 0],
			['==', 5, 1],
			['ne', 5, 0],
			['EQUAL', 5, 1],
		].map((row) => (row[0] === '>' ? ['>', 4, 1] : row)),
	)('op %s %d', async (op, value, paid) => {
		const a = await spawn({ gold: 0, health: 5 });
		await rule({ when: { kind: 'field', field: 'health.current', op, value }, actions: [pay()] });
		expect(await ledger(a, 1)).toEqual([paid]);
	});

	test('short names and single numbers of vectors are fields', async () => {
		const a = await spawn({ gold: 3, team: 2, position: [1, 2, 3], velocity: { linear: [4, 5, 6] } });
		const fields = ['team', 'level', 'x', 'pos.y', 'position.z', 'velocity.linear.y', 'GOLD.amount'];
		for (const field of fields)
			await rule({
				when: { kind: 'field', field, value: 0 },
				filter: `entity:${a}`,
				once: true,
				actions: [pay()],
			});
		await step();
		expect(await gold(a)).toBe(3 + fields.length);
	});
});

describe('all, any, not', () => {
	const rich = { kind: 'field', field: 'gold', op: '>=', value: 10 };
	const hurt = { kind: 'field', field: 'health', op: '<', value: 50 };

	test('all of entities is who all hold for, and fires when that begins', async () => {
		const a = await spawn({ gold: 10, health: 10 });
		const b = await spawn({ gold: 10, health: 90 });
		const c = await spawn({ gold: 1, health: 10 });
		await rule({ when: { kind: 'all', of: [rich, hurt] }, actions: [pay('this', 100)] });
		await step(3);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([110, 10, 1]);
	});

	test('all with a tick in it fires on those ticks', async () => {
		const a = await spawn({ gold: 10 });
		await rule({ when: { kind: 'all', of: [{ kind: 'tick', every: 2 }, rich] }, actions: [pay()] });
		expect(await ledger(a, 4)).toEqual([10, 11, 11, 12]);
	});

	test('all with a level field in it fires on every tick', async () => {
		const a = await spawn({ gold: 10 });
		await rule({ when: { kind: 'all', of: [{ ...rich, edge: 'level' }] }, actions: [pay()] });
		expect(await ledger(a, 3)).toEqual([11, 12, 13]);
	});

	test('any is who one holds for, once each; conditions about nobody join', async () => {
		const a = await spawn({ gold: 10, health: 10 });
		const b = await spawn({ gold: 1, health: 10 });
		const c = await spawn({ gold: 1, health: 90 });
		await rule({ when: { kind: 'any', of: [rich, hurt] }, actions: [pay('this', 100)] });
		await step(2);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([110, 101, 1]);
		const d = await spawn({ gold: 0 });
		await rule({
			when: {
				kind: 'any',
				of: [
					{ kind: 'tick', every: 2 },
					{ kind: 'tick', every: 3 },
				],
			},
			actions: [pay({ entity: d })],
		});
		expect(await ledger(d, 6)).toEqual([0, 1, 2, 3, 3, 4]);
	});

	test('not is everybody else with a place that the filter lets through', async () => {
		const a = await spawn({ gold: 10, team: 1 });
		const b = await spawn({ gold: 1, team: 1 });
		const c = await spawn({ gold: 1, team: 2 });
		await rule({ when: { kind: 'not', of: rich }, filter: 'team:1', actions: [pay()] });
		await step(3);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([10, 2, 1]);
	});

	test('may be nested twice, not deeper', async () => {
		const a = await spawn({ gold: 0 });
		const every = { kind: 'tick', every: 1 };
		const nested = { kind: 'all', of: [{ kind: 'not', of: { kind: 'tick', every: 2 } }, every] };
		await rule({ when: nested, actions: [pay({ entity: a })] });
		expect(await ledger(a, 4)).toEqual([1, 1, 2, 2]);
		const deeper = { kind: 'all', of: [nested] };
		expect(await post('/rule/create', { when: deeper, actions: ['despawn this'] })).toMatchObject({
			ok: false,
		});
	});
});

describe('order', () => {
	test('higher priority first, then the order of kinds, then the older rule', async () => {
		const a = await spawn({ gold: 1, health: 5 });
		const set = (value: number) => [{ action: 'set_field', target: { entity: a }, field: 'gold', value }];
		const twice = [{ action: 'teleport', target: { entity: a }, position: [1, 0, 0] }];
		await rule({ when: 'tick:1', do: [...set(3), ...twice] });
		expect(await ledger(a, 1)).toEqual([3]);
		await rule({ when: 'tick:1', do: set(4) });
		expect(await ledger(a, 1)).toEqual([4]);
		await rule({ when: 'timer:0', do: set(5) });
		expect(await ledger(a, 1)).toEqual([4]);
		await rule({ when: 'timer:0', do: set(6), priority: -1 });
		expect(await ledger(a, 1)).toEqual([6]);
	});

	test('what one rule did is what the next one sees, in the same tick', async () => {
		const a = await spawn({ gold: 0 });
		await rule({ when: { kind: 'field', field: 'gold', op: '>', value: 4 }, actions: [pay('this', 100)] });
		await rule({ when: 'tick:3', actions: [pay({ entity: a }, 5)], priority: 1 });
		expect(await ledger(a, 4)).toEqual([0, 0, 105, 105]);
	});

	test('once fires once in the life of the rule, for one entity', async () => {
		const a = await spawn({ gold: 5 });
		const b = await spawn({ gold: 5 });
		const id = await rule({
			when: { kind: 'field', field: 'gold', value: 0, edge: 'level' },
			once: true,
			actions: [pay()],
		});
		expect((await get(`/rule/${id}`)).rule.fired).toBe(false);
		await step(3);
		expect([await gold(a), await gold(b)]).toEqual([6, 5]);
		expect((await get(`/rule/${id}`)).rule.fired).toBe(true);
	});
});

describe('targets', () => {
	test('entity, tag, team, nearest and all, in words and typed', async () => {
		const me = await spawn({ gold: 0, tags: ['me'], position: [0, 0, 0], health: 1 });
		const near = await spawn({ gold: 0, team: 1, position: [1, 0, 0], role: 'hero' });
		const far = await spawn({ gold: 0, team: 1, tags: ['far'], position: [5, 0, 0] });
		const all = async () => [await gold(me), await gold(near), await gold(far)];
		const when = { kind: 'health_below', threshold: 5 };
		const expected: [unknown, number[]][] = [
			['this', [1, 0, 0]],
			['tag:far', [0, 0, 1]],
			[{ tag: 'far' }, [0, 0, 1]],
			['team:1', [0, 1, 1]],
			[{ team: 1 }, [0, 1, 1]],
			[`entity:${far}`, [0, 0, 1]],
			[{ entity: far }, [0, 0, 1]],
			['nearest:any', [0, 1, 0]],
			[{ nearest: 'tag:far' }, [0, 0, 1]],
			['all:any', [1, 1, 1]],
			[{ all: 'role:hero+team:1' }, [0, 1, 0]],
			['source', [0, 0, 0]],
			['entity:999', [0, 0, 0]],
		];
		for (const [target, more] of expected) {
			const before = await all();
			const action = typeof target === 'string' ? `add_field ${target} gold 1` : pay(target);
			const id = await rule({ when, actions: [action] });
			await step();
			expect(await all(), JSON.stringify(target)).toEqual(before.map((amount, i) => amount + more[i]!));
			await call(engine, 'DELETE', `/rule/${id}`);
		}
	});
});

describe('filters', () => {
	test.each([
		['any', [1, 1, 1]],
		['entity:1', [0, 1, 0]],
		['team:2', [0, 1, 1]],
		['role:hero', [0, 0, 1]],
		['ROLE:Hero', [0, 0, 1]],
		['tag:a', [1, 1, 0]],
		['component:health', [0, 1, 0]],
		['tag:a+team:2', [0, 1, 0]],
		['tag:a + role:hero', [0, 0, 0]],
	])('%s', async (filter, paid) => {
		await spawn({ gold: 0, tags: ['a'] });
		await spawn({ gold: 0, tags: ['a', 'b'], team: 2, health: 5 });
		await spawn({ gold: 0, team: 2, role: 'hero' });
		await rule({ when: { kind: 'field', field: 'gold', op: '==', value: 0 }, filter, actions: [pay()] });
		await step();
		expect([await gold(0), await gold(1), await gold(2)]).toEqual(paid);
	});
});

describe('actions in words (contract 6.3)', () => {
	const once = (...actions: unknown[]) => rule({ when: 'tick:1', once: true, actions });

	test('damage lands on the next tick, heal at once and up to the maximum', async () => {
		const a = await spawn({ health: 100 });
		await once(`damage entity:${a} 30`);
		await step();
		expect((await entity(a)).health).toEqual([100, 100]);
		await step(3);
		expect((await entity(a)).health).toEqual([70, 100]);
		await once(`heal entity:${a} 12.5`);
		await step();
		expect((await entity(a)).health).toEqual([82.5, 100]);
		await once({ action: 'heal', target: { entity: a }, amount: 99 });
		await step();
		expect((await entity(a)).health).toEqual([100, 100]);
	});

	test('despawn, teleport, color', async () => {
		const a = await spawn({ color: 'red', position: [1, 1, 1] });
		const b = await spawn({});
		await once(`teleport entity:${a} 4,5.5,-6`, `color entity:${a} 0.1,0.2,0.3`, `despawn entity:${b}`);
		await step();
		expect(await entity(a)).toMatchObject({
			local_transform: { position: [4, 5.5, -6] },
			color: '0.1,0.2,0.3',
		});
		expect((await call(engine, 'GET', `/entities/${b}`)).status).toBe(404);
		await step();
		expect((await entity(a)).transform.position).toEqual([4, 5.5, -6]);
	});

	test('score and endgame need a match', async () => {
		const a = await spawn({ team: 1 });
		await once(`score entity:${a} +3`, `score entity:${a} -1`, 'endgame 2');
		await step();
		expect((await get('/game/state')).ok).toBe(false);
		await post('/game/create', {});
		await once(`score entity:${a} +3`, `score entity:${a} -1`, 'endgame 2');
		await step();
		const state = await get('/game/state');
		expect(state).toMatchObject({ phase: 'post_match' });
		expect(state.scores[0]).toMatchObject({ entity: a, score: 2 });
	});

	test('text is the rest of the line; show_text says where', async () => {
		await once('text You   win', {
			action: 'show_text',
			text: 'here',
			x: 0.2,
			y: 0.9,
			size: 40,
			color: 'red',
		});
		await step();
		const hud = engine.worlds.main.world.resources.get('hud')!.value;
		expect(hud).toMatchObject([
			{ text: 'You   win', x: 0.5, y: 0.1, size: 20, color: 'white' },
			{ text: 'here', x: 0.2, y: 0.9, size: 40, color: 'red' },
		]);
	});

	test('set_field, add_field, give_item, emit, apply_effect', async () => {
		const b = await spawn({ health: 100, gold: 1 });
		await post('/item/define', { id: 4, name: 'apple', properties: {} });
		await once(
			`set_field entity:${b} health.current 40`,
			`add_field entity:${b} gold -3`,
			`add_field entity:${b} x 2.5`,
			`give_item entity:${b} 4 2`,
			'emit horn',
			{
				action: 'apply_effect',
				target: { entity: b },
				tag: 'big',
				duration: 1,
				modifiers: ['max_health:add:50'],
			},
		);
		await step();
		expect(await entity(b)).toMatchObject({
			health: [40, 150],
			gold: -2,
			local_transform: { position: [2.5, 0, 0] },
		});
		expect((await get(`/item/list/${b}`)).inventory).toMatchObject([{ item_id: 4, count: 2 }]);
		expect((await get('/events')).events.some((event: { name?: string }) => event.name === 'horn')).toBe(
			true,
		);
		await step(70);
		expect((await entity(b)).health).toEqual([40, 100]);
	});

	test('spawn takes thirteen words; - skips one', async () => {
		await once('spawn cube 1,0.5,2 red 80 1 true 0,0,0:5,0,0 4.5 1,2,1 25 30 minion 3');
		await once('spawn sphere 9,0,9 - - - - 9,0,0:9,0,20 2');
		await step();
		const { entities } = await post('/observe');
		const made = entities.filter(({ mesh }: { mesh?: string }) => mesh === 'cube');
		expect(made.map((e: { local_transform: { position: number[] } }) => e.local_transform.position)).toEqual([
			[1, 0.5, 1],
			[1, 0.5, 2],
			[1, 0.5, 3],
		]);
		for (const e of made)
			expect(e).toMatchObject({
				color: 'red',
				health: [80, 80],
				team: 1,
				role: 'Minion',
				physics_body: 'Kinematic',
				local_transform: { scale: [1, 2, 1] },
				combat: { speed: 4.5 },
				bounty: { gold: 25, xp: 30 },
			});
		expect(made[0].ai).toBeUndefined();
		const walker = entities.find(({ mesh }: { mesh?: string }) => mesh === 'sphere');
		expect(walker.ai).toBe('patrol (2 waypoints)');
		expect(walker.health).toBeUndefined();
		await step(30);
		expect((await entity(walker.id)).local_transform.position).not.toEqual([9, 0, 9]);
	});

	test('the same in typed form', async () => {
		await once({
			action: 'spawn',
			mesh: 'cube',
			position: [1, 0.5, 2],
			color: 'red',
			health: 80,
			team: 1,
			combat: true,
			speed: 4.5,
			scale: [1, 2, 1],
			gold_bounty: 25,
			xp_bounty: 30,
			role: 'hero',
			tags: ['late'],
			count: 2,
		});
		await step();
		const { entities } = await post('/observe');
		const made = entities.filter(({ tags }: { tags?: string[] }) => tags?.includes('late'));
		expect(
			made.map((e: { local_transform: { position: number[] } }) => e.local_transform.position[2]),
		).toEqual([1.5, 2.5]);
		expect(made[0]).toMatchObject({ role: 'Hero', health: [80, 80] });
	});

	test('an action about somebody who lacks what it takes does nothing', async () => {
		const a = await spawn({});
		await once(
			`damage entity:${a} 5`,
			`heal entity:${a} 5`,
			`add_field entity:${a} gold 5`,
			`set_field entity:${a} health 5`,
			`give_item entity:${a} 77`,
		);
		await step(2);
		const shown = await entity(a);
		expect(shown.gold).toBeUndefined();
		expect(shown.health).toBeUndefined();
	});
});

describe('refusals change nothing and say what was meant', () => {
	const ok = ['despawn this'];
	const add = (field: string) => ({ action: 'add_field', target: 'this', field, value: 1 });
	const cases: [string, object, string][] = [
		['a condition', { when: 'timr:1', actions: ok }, 'timer'],
		['a condition without its number', { when: 'timer', actions: ok }, 'number'],
		['a number that is none', { when: 'timer:abc', actions: ok }, 'abc'],
		['infinite time', { when: 'timer:inf', actions: ok }, 'inf'],
		['negative time', { when: 'timer:-1', actions: ok }, 'at least 0'],
		['ticks below one', { when: 'tick:0', actions: ok }, 'at least 1'],
		['half a tick', { when: 'tick:1.5', actions: ok }, 'whole'],
		['a phase', { when: 'phase:plaing', actions: ok }, 'playing'],
		['an event', { when: 'event:damge', actions: ok }, 'damage'],
		['a typed event', { when: { kind: 'event', event: 'deth' }, actions: ok }, 'death'],
		[
			'a field of an event',
			{ when: { kind: 'event', event: 'damage', where: [{ field: 'amout', value: 1 }] }, actions: ok },
			'amount',
		],
		[
			'what an entity in an event does not have',
			{
				when: { kind: 'event', event: 'damage', where: [{ field: 'target.health', value: 1 }] },
				actions: ok,
			},
			'generation',
		],
		['a kind', { when: { kind: 'feld', field: 'gold', value: 1 }, actions: ok }, 'field'],
		['a field', { when: { kind: 'field', field: 'helth', value: 1 }, actions: ok }, 'health'],
		[
			'a comparison',
			{ when: { kind: 'field', field: 'gold', op: 'graeter', value: 1 }, actions: ok },
			'greater',
		],
		['an edge', { when: { kind: 'field', field: 'gold', value: 1, edge: 'levl' }, actions: ok }, 'level'],
		[
			'a field in a compound',
			{ when: { kind: 'any', of: [{ kind: 'field', field: 'glod', value: 1 }] }, actions: ok },
			'gold',
		],
		['a filter', { when: 'death', filter: 'taem:1', actions: ok }, 'team'],
		['a role in a filter', { when: 'death', filter: 'role:heroo', actions: ok }, 'hero'],
		['a component in a filter', { when: 'death', filter: 'component:helth', actions: ok }, 'health'],
		['a team out of range', { when: 'death', filter: 'team:256', actions: ok }, '255'],
		['an action', { when: 'death', actions: ['despwan this'] }, 'despawn'],
		['a typed action', { when: 'death', actions: [{ action: 'despwan', target: 'this' }] }, 'despawn'],
		['one action among good ones', { when: 'death', actions: ['heal this 1', 'hael this 1'] }, 'heal'],
		['a target', { when: 'death', actions: ['despawn thsi'] }, 'this'],
		['a target without its id', { when: 'death', actions: ['despawn entity:'] }, 'number'],
		['a target below zero', { when: 'death', actions: ['despawn entity:-1'] }, '0'],
		['a team as target out of range', { when: 'death', actions: ['despawn team:999'] }, '255'],
		['a filter in a target', { when: 'death', actions: ['despawn nearest:tga:x'] }, 'tag'],
		[
			'a filter in a typed target',
			{ when: 'death', actions: [{ action: 'despawn', target: { all: 'tga:x' } }] },
			'tag',
		],
		['a word too many', { when: 'death', actions: ['despawn this now'] }, 'words'],
		['a number out of range', { when: 'death', actions: ['damage this 1e300'] }, '1000000000'],
		['a place out of range', { when: 'death', actions: ['teleport this 1e30,0,0'] }, '1000000'],
		['a place of two numbers', { when: 'death', actions: ['teleport this 1,2'] }, 'x,y,z'],
		['negative healing', { when: 'death', actions: ['heal this -1'] }, '0'],
		[
			'more copies than there may be',
			{ when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - - 99999999'] },
			'1000',
		],
		['a role of a spawn', { when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - heroo'] }, 'hero'],
		['truth of a spawn', { when: 'death', actions: ['spawn cube 0,0,0 - - - yes'] }, 'true'],
		['a fourteenth word', { when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - - 1 1'] }, '13'],
		['a team of endgame', { when: 'death', actions: ['endgame 256'] }, '255'],
		['a field of an action', { when: 'death', actions: [add('health.curent')] }, 'health.current'],
		[
			'a field that is worked out',
			{ when: 'death', actions: [add('global_transform.position.x')] },
			'cannot be set',
		],
		['a field of rules', { when: 'death', actions: [add('rule.created')] }, 'no field'],
		[
			'a modifier',
			{
				when: 'death',
				actions: [{ action: 'apply_effect', target: 'this', tag: 'x', modifiers: ['speed=2'] }],
			},
			'stat:op:value',
		],
		['no actions', { when: 'death', actions: [] }, 'actions'],
		['neither actions nor outcomes', { when: 'death' }, 'outcomes'],
		['do and actions', { when: 'death', do: ok, actions: ok }, 'one of them'],
		['actions and outcomes', { when: 'death', do: ok, outcomes: [{ label: 'a', weight: 1 }] }, 'not both'],
		['a weight that is no number', { when: 'death', outcomes: [{ label: 'a', weight: 'half' }] }, 'weight'],
		['a weight below zero', { when: 'death', outcomes: [{ label: 'a', weight: -1 }] }, '0'],
		['a weight over nothing', { when: 'death', outcomes: [{ label: 'a', weight: '1/0' }] }, 'weight'],
		['no weight at all', { when: 'death', outcomes: [{ label: 'a', weight: 0 }] }, 'above zero'],
		['no outcomes', { when: 'death', outcomes: [] }, 'outcomes'],
		['an outcome without label', { when: 'death', outcomes: [{ weight: 1 }] }, 'label'],
		[
			'an action of an outcome',
			{ when: 'death', outcomes: [{ label: 'a', weight: 1, do: ['hael this 1'] }] },
			'heal',
		],
		['an unknown key', { when: 'death', actions: ok, prority: 1 }, 'priority'],
		['no condition', { actions: ok }, 'when'],
	];

	test.each(cases)('%s', async (_, document, hint) => {
		await spawn({ gold: 1 });
		await rule({ when: 'tick:5', actions: ['despawn this'] });
		const world = engine.worlds.main.world;
		const before = encodeWorld(world);
		const { status, body } = await call(engine, 'POST', '/rule/create', document);
		expect([200, 422]).toContain(status);
		expect(body.ok).toBe(false);
		expect(typeof body.code).toBe('string');
		expect(`${body.error} ${body.fix}`).toContain(hint);
		expect(encodeWorld(world)).toEqual(before);
	});
});

describe('reading and removing', () => {
	test('the list is in id order and shows everything, in typed form', async () => {
		await post('/game/create', {});
		const documents = [
			{ when: 'phase:playing', actions: ['endgame 1'] },
			{ when: 'score:4', actions: ['text hi'] },
			{
				name: 'low',
				when: 'health-below:20',
				filter: 'team:1',
				actions: ['heal this 10'],
				priority: 3,
				once: true,
			},
			{ when: 'timer:1.5', actions: ['spawn cube 0,0,0'] },
			{ when: 'death', actions: ['despawn this', 'score source 1'] },
			{
				when: { kind: 'tick', every: 4 },
				outcomes: [
					{ label: 'a', weight: '1/3' },
					{ label: 'b', weight: 0.25, do: ['emit b'] },
				],
			},
		];
		const ids: number[] = [];
		for (const document of documents) ids.push(await rule(document));
		const { rules, count } = await get('/rule/list');
		expect(count).toBe(6);
		expect(rules.map(({ id }: { id: number }) => id)).toEqual([...ids].sort((a, b) => a - b));
		expect(rules.map(({ type }: { type: string }) => type)).toEqual([
			'phase',
			'score',
			'health_below',
			'timer',
			'on_death',
			'tick',
		]);
		expect(rules[0]).toMatchObject({ phase: 'playing', do: [{ action: 'endgame', winner_team: 1 }] });
		expect(rules[1]).toMatchObject({ threshold: 4 });
		expect(rules[2]).toMatchObject({
			name: 'low',
			threshold: 20,
			when: { kind: 'health_below', threshold: 20 },
			filter: 'team:1',
			do: [{ action: 'heal', target: 'this', amount: 10 }],
			priority: 3,
			once: true,
			fired: false,
			created: 0,
			generation: 0,
		});
		expect(rules[3]).toMatchObject({ interval: 1.5 });
		expect(rules[5].outcomes).toEqual([
			{ label: 'a', weight: '1/3', do: [] },
			{ label: 'b', weight: 0.25, do: [{ action: 'emit', name: 'b', data: null }] },
		]);
		expect((await get(`/rule/${ids[2]}`)).rule).toEqual(rules[2]);
	});

	test('what is shown can be sent back and means the same', async () => {
		const a = await spawn({ gold: 0 });
		const id = await rule({ when: 'tick:2', actions: [`add_field entity:${a} gold 1`], priority: 2 });
		const { rule: shown } = await get(`/rule/${id}`);
		await call(engine, 'DELETE', `/rule/${id}`);
		await rule({
			when: shown.when,
			filter: shown.filter,
			do: shown.do,
			priority: shown.priority,
			once: shown.once,
		});
		expect(await ledger(a, 4)).toEqual([0, 1, 1, 2]);
	});

	test('DELETE ends a rule; what is no rule is refused', async () => {
		const a = await spawn({ gold: 0 });
		const id = await rule({ when: 'tick:1', actions: [pay({ entity: a })] });
		expect(await ledger(a, 1)).toEqual([1]);
		expect((await call(engine, 'DELETE', `/rule/${id}`)).body).toMatchObject({ ok: true, deleted: id });
		expect(await ledger(a, 2)).toEqual([1, 1]);
		expect((await get('/rule/list')).count).toBe(0);
		for (const none of [id, a, 999]) {
			expect((await call(engine, 'DELETE', `/rule/${none}`)).body).toMatchObject({
				ok: false,
				code: 'rule_not_found',
			});
			expect((await call(engine, 'GET', `/rule/${none}`)).status).toBe(404);
		}
		expect((await entity(a)).id).toBe(a);
	});

	test('a filter on a rule that is about nobody is warned of', async () => {
		const answer = await post('/rule/create', { when: 'timer:1', filter: 'team:1', actions: ['text x'] });
		expect(answer.warnings[0]).toContain('filter');
	});

	test('rules work on forks and do not leak from them', async () => {
		const a = await spawn({ gold: 0 });
		await post('/fork', { fork_id: 'f' });
		await post('/rule/create?world=f', { when: 'tick:1', actions: [`add_field entity:${a} gold 1`] });
		await post('/step?world=f', { ticks: 3 });
		await step(3);
		expect((await get(`/entities/${a}?world=f`)).gold).toBe(3);
		expect(await gold(a)).toBe(0);
	});
});
