/** Conditions of rules, and the ticks on which they fire. */

import { describe, expect, test } from 'vitest';
import { pay, playing } from '../../support/playing.ts';

const { post, get, spawn, rule, step, ledger, gold } = playing();

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

	test('the typed forms work like the texts', async () => {
		const purse = await spawn({ gold: 0 });
		await rule({ when: { kind: 'timer', interval: 0.05 }, do: [pay({ entity: purse })] });
		await rule({ when: { kind: 'tick', every: 2 }, do: [pay({ entity: purse }, 10)] });
		expect(await ledger(purse, 6)).toEqual([0, 10, 11, 21, 21, 32]);
	});

	test('refer to no entity, so an action on `this` does nothing', async () => {
		const first = await spawn({ gold: 0 });
		await rule({ when: 'tick:1', actions: [pay()] });
		await step(3);
		expect(await gold(first)).toBe(0);
	});
});

test('doubled signs join conditions like single ones', async () => {
	const purse = await spawn({ gold: 0 });
	await rule({ when: 'tick:2 && tick:3 || tick:5', actions: [pay({ entity: purse })] });
	expect(await ledger(purse, 6)).toEqual([0, 0, 0, 0, 1, 2]);
	await rule({ when: 'tick:2&&tick:3||tick:5', actions: [pay({ entity: purse })] });
	const { rules } = await get('/rule/list');
	expect(rules[1].when).toEqual(rules[0].when);
});

describe('death', () => {
	test('once per death; `this` is the dead entity, `source` the killer', async () => {
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

	test('a death before the rule is ignored, and a death without a killer has no source', async () => {
		const victim = await spawn({ health: 10, gold: 0 });
		await post('/entity/damage', { entity_id: victim, amount: 99 });
		await step();
		await rule({ when: 'death', actions: ['add_field this gold 1', 'add_field source gold 1'] });
		await step(2);
		expect(await gold(victim)).toBe(0);
	});
});

describe('health below', () => {
	test('strictly below, once in the life of each entity, not again after healing', async () => {
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

	test('a new entity in the same slot counts again, and the dead do not count', async () => {
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

	test('phase fires at the start of the phase, and endgame ends the match', async () => {
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
	test('each fires once; `this` is the affected entity, `source` the cause', async () => {
		const a = await spawn({ health: 100, gold: 0 });
		const b = await spawn({ health: 100, gold: 0 });
		await rule({ when: 'event:damage', actions: ['add_field this gold 1', 'add_field source gold 10'] });
		await post('/entity/damage', { entity_id: a, amount: 1, source: b });
		expect(await ledger(a, 3)).toEqual([1, 1, 1]);
		expect(await gold(b)).toBe(10);
	});

	test('field tests select events', async () => {
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

	test('a signal that a rule emits fires rules on the next tick, with its data', async () => {
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

	test('a zone around an entity follows it and excludes it, and filters select entities', async () => {
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

	test.each([
		['>', 4, 1],
		['greater_equal', 5, 1],
		['lt', 6, 1],
		['<=', 4, 0],
		['==', 5, 1],
		['ne', 5, 0],
		['EQUAL', 5, 1],
	])('op %s %d', async (op, value, paid) => {
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

	test('`all` applies to entities that meet all parts, and fires when that begins', async () => {
		const a = await spawn({ gold: 10, health: 10 });
		const b = await spawn({ gold: 10, health: 90 });
		const c = await spawn({ gold: 1, health: 10 });
		await rule({ when: { kind: 'all', of: [rich, hurt] }, actions: [pay('this', 100)] });
		await step(3);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([110, 10, 1]);
	});

	test('`all` with a tick in it fires on those ticks', async () => {
		const a = await spawn({ gold: 10 });
		await rule({ when: { kind: 'all', of: [{ kind: 'tick', every: 2 }, rich] }, actions: [pay()] });
		expect(await ledger(a, 4)).toEqual([10, 11, 11, 12]);
	});

	test('`all` with a level field in it fires on every tick', async () => {
		const a = await spawn({ gold: 10 });
		await rule({ when: { kind: 'all', of: [{ ...rich, edge: 'level' }] }, actions: [pay()] });
		expect(await ledger(a, 3)).toEqual([11, 12, 13]);
	});

	test('`any` affects each entity that meets a part once; without entities it fires once per tick', async () => {
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

	test('`not` applies to every other entity with a position that passes the filter', async () => {
		const a = await spawn({ gold: 10, team: 1 });
		const b = await spawn({ gold: 1, team: 1 });
		const c = await spawn({ gold: 1, team: 2 });
		await rule({ when: { kind: 'not', of: rich }, filter: 'team:1', actions: [pay()] });
		await step(3);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([10, 2, 1]);
	});

	test('`not` applies only to entities with a position, which excludes rules and assertions', async () => {
		const [a, b] = [await spawn({ gold: 0 }), await spawn({ gold: 9 })];
		await post('/assert/create', { name: 'x', condition: 'alive' });
		await rule({ when: 'death', actions: ['text x'] });
		await rule({ when: { kind: 'not', of: rich }, once: false, actions: [pay({ entity: a })] });
		expect(await ledger(a, 2), 'one for each of the two').toEqual([2, 2]);
		expect(await gold(b)).toBe(9);
	});

	test('may be nested, up to a limit', async () => {
		const a = await spawn({ gold: 0 });
		const every = { kind: 'tick', every: 1 };
		const nested = { kind: 'all', of: [{ kind: 'not', of: { kind: 'tick', every: 2 } }, every] };
		await rule({ when: nested, actions: [pay({ entity: a })] });
		expect(await ledger(a, 4)).toEqual([1, 1, 2, 2]);
		const deeper = Array.from({ length: 8 }).reduce<object>((of) => ({ kind: 'all', of: [of] }), nested);
		expect(await post('/rule/create', { when: deeper, actions: ['despawn this'] })).toMatchObject({
			ok: false,
		});
	});
});

describe('short texts', () => {
	const typedForm = async (when: string) =>
		(await get(`/rule/${await rule({ when, actions: ['text x'] })}`)).rule.when;

	test.each([
		['death', { kind: 'death' }],
		['Timer:1e1', { kind: 'timer', interval: 10 }],
		['health_below:+20', { kind: 'health_below', threshold: 20 }],
		['score:-3', { kind: 'score', threshold: -3 }],
		['phase:lobby', { kind: 'phase', phase: 'lobby' }],
		['event:damage', { kind: 'event', event: 'damage' }],
		[
			'event:damage amount>=5 target.id==3',
			{
				kind: 'event',
				event: 'damage',
				where: [
					{ field: 'amount', op: 'greater_equal', value: 5 },
					{ field: 'target.id', op: 'equal', value: 3 },
				],
			},
		],
		[
			'event:collision started!=true',
			{ kind: 'event', event: 'collision', where: [{ field: 'started', op: 'not_equal', value: true }] },
		],
		[
			'event:signal name==horn',
			{ kind: 'event', event: 'signal', where: [{ field: 'name', op: 'equal', value: 'horn' }] },
		],
		['enter:1,2,-3:4.5', { kind: 'enter', zone: { center: [1, 2, -3], radius: 4.5 } }],
		['leave:0,0,0:1,2,3', { kind: 'leave', zone: { center: [0, 0, 0], half: [1, 2, 3] } }],
		['enter:entity:7:2', { kind: 'enter', zone: { entity: 7, radius: 2 } }],
		['field:health<50', { kind: 'field', field: 'health', op: 'less', value: 50, edge: 'rising' }],
		[
			'field: x >= -1.5 level',
			{ kind: 'field', field: 'x', op: 'greater_equal', value: -1.5, edge: 'level' },
		],
		['!death', { kind: 'not', of: { kind: 'death' } }],
		[
			'tick:2 & tick:3 | death',
			{
				kind: 'any',
				of: [
					{
						kind: 'all',
						of: [
							{ kind: 'tick', every: 2 },
							{ kind: 'tick', every: 3 },
						],
					},
					{ kind: 'death' },
				],
			},
		],
	])('%s', async (when, typed) => {
		expect(await typedForm(when)).toEqual(typed);
		const scenario = await post('/scenario', { rules: [{ when, actions: ['text x'] }] });
		expect(scenario).toMatchObject({ ok: true, rules: 1 });
		expect((await get('/rule/list')).rules[0].when).toEqual(typed);
	});

	test('joined ones fire like the typed ones', async () => {
		const purse = await spawn({ gold: 0, health: 10 });
		await rule({ when: 'tick:2 & !tick:3', actions: [pay({ entity: purse })] });
		await rule({ when: '(tick:4 | tick:5)&field:health<20', actions: [pay('this', 10)] });
		expect(await ledger(purse, 6)).toEqual([0, 1, 1, 12, 22, 22]);
	});
});

describe('events without an entity in compounds', () => {
	const horn = { kind: 'event', event: 'signal', where: [{ field: 'name', value: 'horn' }] };
	const rich = { kind: 'field', field: 'gold', op: '>=', value: 10 };

	test('`all` of a signal and a field applies to each entity that meets the field when the signal comes', async () => {
		const [a, b] = [await spawn({ gold: 10 }), await spawn({ gold: 1 })];
		await rule({ when: { kind: 'all', of: [horn, rich] }, actions: [pay('this', 100)] });
		await step(2);
		expect([await gold(a), await gold(b)]).toEqual([10, 1]);
		await post('/events', { type: 'SignalEvent', name: 'horn' });
		await step(3);
		expect([await gold(a), await gold(b)]).toEqual([110, 1]);
	});

	test('`not` of a signal holds on every tick without it', async () => {
		const a = await spawn({ gold: 0 });
		await rule({ when: { kind: 'not', of: horn }, actions: [pay({ entity: a })] });
		expect(await ledger(a, 2)).toEqual([1, 2]);
		await post('/events', { type: 'SignalEvent', name: 'horn' });
		expect(await ledger(a, 2)).toEqual([2, 3]);
	});

	test('`any` of a signal and a tick fires on either', async () => {
		const a = await spawn({ gold: 0 });
		await rule({
			when: { kind: 'any', of: [horn, { kind: 'tick', every: 3 }] },
			actions: [pay({ entity: a })],
		});
		expect(await ledger(a, 1)).toEqual([0]);
		await post('/events', { type: 'SignalEvent', name: 'horn' });
		expect(await ledger(a, 3)).toEqual([1, 2, 2]);
	});

	test('the cause is the source, whichever part reports it', async () => {
		const [victim, killer] = [await spawn({ gold: 10, health: 100 }), await spawn({ gold: 0 })];
		const hurt = { kind: 'event', event: 'damage' };
		await rule({ when: { kind: 'all', of: [rich, hurt] }, actions: [pay('source')] });
		await post('/entity/damage', { entity_id: victim, amount: 1, source: killer });
		expect(await ledger(killer, 2)).toEqual([1, 1]);
	});
});

describe('children', () => {
	const spawnChild = async () => {
		const parent = await spawn({ position: [100, 0, 0] });
		return spawn({ position: [1, 0, 0], parent, gold: 0, tags: ['mark'] });
	};

	test('enter where they are in the world', async () => {
		const child = await spawnChild();
		await rule({ when: 'enter:101,0,0:3', actions: [pay()] });
		await rule({ when: 'enter:0,0,0:3', filter: 'tag:mark', actions: [pay('this', 100)] });
		await step();
		const { gold: entered } = await get(`/entities/${child}`);
		expect(entered).toBe(1);
	});

	test('can carry a zone; distances to them use world positions', async () => {
		const child = await spawnChild();
		const there = await spawn({ position: [102, 0, 0], gold: 0, tags: ['mark'] });
		const here = await spawn({ position: [3, 0, 0], gold: 0, health: 1 });
		await step();
		await rule({ when: `enter:entity:${child}:3`, filter: 'component:gold', actions: [pay()] });
		await rule({ when: 'health-below:5', actions: [pay({ nearest: 'tag:mark' }, 100)] });
		await step();
		const purses = await Promise.all([child, there, here].map((id) => gold(id)));
		// The entity at 102 is in the zone. The entity at 3 is nearer to the child, which is at 101.
		expect(purses).toEqual([100, 1, 0]);
		const late = await spawn({ position: [150, 0, 0], gold: 0, health: 1 });
		await step();
		expect(await Promise.all([child, there, late].map((id) => gold(id)))).toEqual([100, 101, 0]);
	});
});

test('`all` of an event and a field fires for each event, in any order of the parts', async () => {
	const id = await spawn({ health: 100, gold: 0 });
	const hurt = { kind: 'event', event: 'damage' };
	const alive = { kind: 'field', field: 'health', value: 1 };
	await rule({ when: { kind: 'all', of: [hurt, alive] }, actions: [pay()] });
	await rule({ when: { kind: 'all', of: [alive, hurt] }, actions: [pay('this', 100)] });
	for (let i = 0; i < 2; i++) await post('/entity/damage', { entity_id: id, amount: 1 });
	expect(await ledger(id, 2)).toEqual([202, 202]);
});
