/** Reading events: GET /events has those of the last two ticks, and a step those of all its ticks. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EventType, eventTitle } from '../../../shared/contract/event.ts';
import { EVENT_KINDS } from '../../../shared/documents/event.ts';
import { events } from '../../../shared/events/index.ts';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf } from '../../support/engine.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});
afterEach(() => engine.close());

const post = async (path: string, body: unknown = {}) =>
	(await clientOf(engine.handle).call('POST', path, body)).body;
const readEvents = async () => (await clientOf(engine.handle).call('GET', '/events')).body.events;

test('an event has its tick, and is readable on that tick and the next', async () => {
	await post('/step', { ticks: 4 });
	await post('/events', { type: 'SignalEvent', name: 'gate' });
	const signal = { type: 'SignalEvent', tick: 4, name: 'gate', data: null };
	expect(await readEvents()).toEqual([signal]);
	await post('/step');
	expect(await readEvents()).toEqual([signal]);
	await post('/step');
	expect(await readEvents()).toEqual([]);
});

test('a step lists the events of all its ticks once, like single steps', async () => {
	const fight = async () => {
		for (const [x, team] of [
			[0, 1],
			[1, 2],
		])
			await post('/spawn', { position: [x, 0, 0], health: 45, team, combat: true });
	};
	await fight();
	await post('/fork', { fork_id: 'slow' });
	const { events, event_count } = await post('/step', { ticks: 600, events: ['all'] });
	expect(events).toHaveLength(event_count);
	const slowly: { tick: number }[] = [];
	for (let tick = 0; tick < 600; tick++) {
		await post('/step?world=slow');
		const now = (await clientOf(engine.handle).call('GET', '/events?world=slow')).body.events;
		slowly.push(...now.filter((event: { tick: number }) => event.tick === tick));
	}
	const byTick = (a: { tick: number }, b: { tick: number }) => a.tick - b.tick;
	const text = (event: unknown) => JSON.stringify(event);
	expect(events.toSorted(byTick)).toEqual(events);
	expect(events.map(text).sort()).toEqual(slowly.map(text).sort());
	expect(events.map(({ type }: { type: string }) => type)).toContain('DeathEvent');

	const { events: deaths } = await post('/step', { ticks: 1, events: ['death'] });
	expect(deaths).toEqual([]);
	expect(await post('/step')).not.toHaveProperty('events');
});

test('events between ticks belong to the next tick, and have distinct kinds', async () => {
	await post('/spawn', { health: 10 });
	await post('/entity/damage', { entity_id: 0, amount: 3 });
	await post('/events', { type: 'SignalEvent', name: 'now' });
	const { events } = await post('/step', { ticks: 3, events: ['DamageEvent', 'death'] });
	expect(events).toEqual([
		{ type: 'DamageEvent', tick: 0, target: 0, target_generation: 0, amount: 3, source: null },
	]);
});

test('an unknown kind is refused with the nearest one', async () => {
	const { status, body } = await clientOf(engine.handle).call('POST', '/step', { events: ['deaht'] });
	expect(status).toBe(422);
	expect(body.fix).toContain('death');
});

test('entities in events have a generation, because a slot has many lives', async () => {
	for (const generation of [0, 1]) {
		const { entity_id } = await post('/spawn', { health: 1 });
		await post('/entity/damage', { entity_id, amount: 5 });
		const { events } = await post('/step', { events: ['death'] });
		expect(events).toEqual([
			{ type: 'DeathEvent', tick: generation, entity: 0, entity_generation: generation, killer: null },
		]);
		await post('/despawn', { entity_id: 0, entity_generation: generation });
	}
});

test('points name their team and victim', async () => {
	await post('/game/create', {});
	await post('/spawn', { health: 50, team: 1 });
	await post('/spawn', { health: 1, team: 2 });
	await post('/entity/damage', { entity_id: 1, amount: 5, source: 0 });
	await post('/rule/create', { when: 'tick:1', actions: ['score entity:0 7'] });
	const { events } = await post('/step', { ticks: 2, events: ['score'] });
	const about = { type: 'ScoreEvent', entity: 0, entity_generation: 0, team: 1 };
	expect(events).toEqual([
		{ ...about, tick: 0, points: 1, total: 1, victim: 1, victim_generation: 0 },
		{ ...about, tick: 0, points: 7, total: 8, victim: null },
		{ ...about, tick: 1, points: 7, total: 15, victim: null },
	]);
});

test('actions that fail are reported with the code of a refused call', async () => {
	await post('/item/define', { id: 1, name: 'Sword', properties: { cost: 50 }, stack_max: 2 });
	await post('/spawn', { gold: 10, inventory: [] });
	const actions = [
		'buy entity:0 1',
		'equip entity:0 1',
		'take_item entity:0 1',
		'give_item entity:0 9',
		'give_item entity:0 1 2000',
	];
	await post('/rule/create', { when: 'tick:1', actions, once: true });
	const { events } = await post('/step', { ticks: 2, events: ['action_failed'] });
	const failures = events.map(({ action, reason }: { action: string; reason: string }) => [action, reason]);
	expect(failures).toEqual([
		['buy', 'not_enough_gold'],
		['equip', 'item_missing'],
		['take_item', 'item_missing'],
		['give_item', 'unknown_item'],
		['give_item', 'inventory_full'],
	]);
	expect(events[0]).toMatchObject({ type: 'ActionFailedEvent', entity: 0, tick: 0 });
});

describe('a refused spawn of a rule is reported', () => {
	const bowl = {
		collider: {
			shape: 'TriMesh',
			points: [
				[0, 0, 0],
				[1, 0, 0],
				[0, 0, 1],
			],
			triangles: [[0, 1, 2]],
		},
	};
	const failed = async (action: object) => {
		const spawn = { action: 'spawn', position: [0, 2, 0], ...action };
		await post('/rule/create', { when: 'tick:1', actions: [spawn], once: true });
		const { events } = await post('/step', { ticks: 2, events: ['action_failed', 'rule_spawn'] });
		return events.map(({ reason = 'spawned' }: { reason?: string }) => reason);
	};

	test.for([
		['static_only', { mesh: 'cube', physics_body: 'Dynamic', ...bowl }],
		['entity_not_found', { mesh: 'cube', parent: 77 }],
		['asset_missing', { mesh: 'cube', material: { texture: 'ab'.repeat(32) } }],
		['unknown_template', { template: 'nobody' }],
	] as const)('%s', async ([reason, action]) => {
		expect(await failed(action)).toEqual([reason]);
	});

	test('once for each entity', async () => {
		expect(await failed({ mesh: 'cube', parent: 77, count: 3 })).toEqual(Array(3).fill('entity_not_found'));
		await post('/spawn', { position: [0, 0, 0], tags: ['gate'] });
		await post('/spawn', { position: [9, 0, 0], tags: ['gate'] });
		const gone = { template: 'nobody', at: { tag: 'gate' } };
		expect(await failed(gone)).toEqual(Array(2).fill('unknown_template'));
	});

	test('and the rest of the rule is skipped on request', async () => {
		const actions = ['spawn template:nobody 0,0,0', 'emit after'];
		const rule = { when: 'tick:1', actions, once: true };
		await post('/rule/create', { ...rule, on_failure: 'stop' });
		await post('/rule/create', rule);
		const { events } = await post('/step', { ticks: 2, events: ['action_failed', 'signal'] });
		expect(events.map(({ type }: { type: string }) => type)).toEqual([
			'ActionFailedEvent',
			'ActionFailedEvent',
			'SignalEvent',
		]);
	});
});

test('a death has name, role, team and tags after the corpse is gone and its slot reused', async () => {
	await post('/rule/create', { when: 'death', actions: ['despawn this', 'spawn cube 9,0,9'], priority: 2 });
	const tally = { when: 'death', filter: 'role:minion+team:2+tag:scout', actions: ['emit scouted'] };
	await post('/rule/create', { ...tally, priority: 1 });
	await post('/rule/create', { ...tally, filter: 'team:1', actions: ['emit wrong'], priority: 0 });
	const scout = { health: 5, team: 2, role: 'minion', tags: ['scout'] };
	const { entity_id } = await post('/spawn', scout);
	const { entity_id: killer } = await post('/spawn', { health: 50, team: 1, role: 'hero' });
	await post('/entity/damage', { entity_id, amount: 9, source: killer });
	const { events } = await post('/step', { ticks: 2, events: ['death', 'signal'] });
	const death = events.find(({ type }: { type: string }) => type === 'DeathEvent');
	expect(death).toMatchObject({
		entity: entity_id,
		entity_generation: 0,
		entity_role: 'Minion',
		entity_team: 2,
		entity_tags: ['scout'],
		killer_role: 'Hero',
		killer_team: 1,
	});
	const now = await clientOf(engine.handle).call('GET', `/entities/${entity_id}`);
	expect(now.body, 'another entity has the slot').toMatchObject({ generation: 1, mesh: 'cube' });
	const signals = events.filter(({ type }: { type: string }) => type === 'SignalEvent');
	expect(signals.map(({ name }: { name: string }) => name)).toEqual(['scouted']);
});

describe('a rule reads the entity of an event after the corpse is gone and its slot reused', () => {
	const heard = async (rules: readonly object[]): Promise<string[]> => {
		await post('/rule/create', {
			when: 'death',
			actions: ['despawn this', 'spawn cube 9,0,9 red 50 3'],
			priority: 9,
		});
		for (const rule of rules) await post('/rule/create', rule);
		const scout = { health: 5, team: 2, role: 'minion', tags: ['scout', 'small', '7'] };
		const { entity_id } = await post('/spawn', scout);
		await post('/hero/define', { name: 'Axe' });
		const { entity_id: killer } = await post('/spawn', { team: 1 });
		await post('/hero/select', { entity_id: killer, hero_name: 'Axe' });
		await post('/entity/damage', { entity_id, amount: 9, source: killer });
		const { events } = await post('/step', { ticks: 2, events: ['signal'] });
		return events.map(({ name }: { name: string }) => name);
	};

	test.each([
		['event:death entity.team==2', true],
		['event:death entity.team==3', false],
		['event:death entity.team>=2 entity.team<3', true],
		['event:death entity.role==Minion', true],
		['event:death entity.role!=Hero', true],
		['event:death entity.role==minion', true],
		['event:death entity.tags==scout', true],
		['event:death entity.tags==boss', false],
		['event:death entity.tags!=boss', true],
		['event:death entity.tags!=small', false],
		['event:death entity.tags==7', true],
		['event:death killer.name==Axe', true],
		['event:death killer.team==1 killer.role==Hero', true],
		['event:death killer.level>=1', true],
		['event:death killer.health.percent<50', false],
		['event:death entity.generation==0', true],
		['death & team:2', true],
		['death & team:3', false],
		['death & role:minion & tag:scout', true],
		['tag:scout & death', true],
		['death & !team:3', true],
		['death & !team:2', false],
		['death & (team:3 | tag:small)', true],
	])('%s', async (when, fires) => {
		expect(await heard([{ when, actions: ['emit heard'] }])).toEqual(fires ? ['heard'] : []);
	});

	test('an unknown name is refused with the list of names', async () => {
		expect(
			await post('/rule/create', { when: 'event:death entity.role==minoin', actions: ['emit x'] }),
		).toMatchObject({ ok: false, error: expect.stringContaining('Minion') });
		for (const when of ['event:death entity.tame==2', 'event:death killer.colour==red'])
			expect(await post('/rule/create', { when, actions: ['emit x'] })).toMatchObject({
				ok: false,
				error: expect.stringContaining('id, generation, team, name, role, tags'),
			});
	});
});

test('the winner is one record in answers, events and conditions', async () => {
	const { entity_id: winner } = await post('/spawn', { team: 3 });
	await post('/game/create', { score_limit: 1 });
	const texts = [
		'winner.team==3',
		`winner.entity==${winner}`,
		`winner.id==${winner}`,
		`winner==${winner}`,
		'winner_team==3',
		'winner.team==4',
	];
	for (const [i, where] of texts.entries())
		await post('/rule/create', { when: `event:match phase==post_match ${where}`, actions: [`emit r${i}`] });
	await post('/rule/create', { when: 'timer:0.1', actions: [`score entity:${winner} 1`] });
	const { events } = await post('/step', { ticks: 10, events: ['match', 'signal'] });
	const record = { team: 3, entity: winner, generation: 0 };
	const ended = events.find(({ phase }: { phase?: string }) => phase === 'post_match');
	expect(ended).toEqual({
		type: 'MatchEvent',
		tick: expect.any(Number),
		phase: 'post_match',
		winner_team: 3,
		winner: record,
	});
	const signals = events.filter(({ type }: { type: string }) => type === 'SignalEvent');
	expect(signals.map(({ name }: { name: string }) => name)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
	expect((await clientOf(engine.handle).call('GET', '/game/state')).body.winner).toEqual(record);
	const holds = async (winner: object) => {
		await post('/assert/create', { name: 'won', condition: { kind: 'winner', ...winner } });
		return (await post('/assert/evaluate')).results.at(-1).passed;
	};
	expect(await holds(record)).toBe(true);
	expect(await holds({ ...record, generation: 1 })).toBe(false);
});

test('callers may send the events whose declaration permits it, and no others', async () => {
	const sent = events.filter((type: EventType) => type.callFields !== undefined).map(eventTitle);
	expect(sent).toEqual(['DamageEvent', 'SignalEvent']);
	for (const type of events.map(eventTitle)) {
		const { ok, code } = await post('/events', { type });
		expect([ok, code], type).toEqual([false, 'invalid_body']);
	}
	const { entity_id } = await post('/spawn', { health: 50 });
	expect(
		await post('/events', { type: 'damageevent', target: entity_id, amount: 5, category: 'MAGICAL' }),
	).toMatchObject({ ok: true });
	expect(await post('/events', { type: 'SignalEvent', name: 'horn', entity: entity_id })).toMatchObject({
		ok: true,
	});
	expect(await readEvents()).toEqual([
		expect.objectContaining({
			type: 'DamageEvent',
			target: entity_id,
			amount: 5,
			source: null,
			category: 'magical',
		}),
		{ type: 'SignalEvent', tick: 0, name: 'horn', data: null, entity: entity_id, entity_generation: 0 },
	]);
	expect(await post('/events', { type: 'DamageEvent', target: entity_id, amount: -5 })).toMatchObject({
		code: 'invalid_body',
	});
	expect(await post('/events', { type: 'DamageEvent', target: 77, amount: 5 })).toMatchObject({
		code: 'entity_not_found',
	});
});

test('stored data of an event are saved with the world and part of the digest', async () => {
	const { entity_id } = await post('/spawn', { health: 5, team: 2, tags: ['scout'] });
	await post('/entity/damage', { entity_id, amount: 9 });
	await post('/step');
	await post('/despawn', { entity_id });
	const before = await readEvents();
	const { body: saved } = await clientOf(engine.handle).call('GET', '/scenario');
	await post('/step', { ticks: 5 });
	await post('/scenario', saved);
	expect(await readEvents()).toEqual(before);
	expect(before).toContainEqual(expect.objectContaining({ type: 'DeathEvent', entity_team: 2 }));
});

test('GET /schema lists the entities of every event', async () => {
	const { events } = (await clientOf(engine.handle).call('GET', '/schema?brief=true')).body;
	expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(EVENT_KINDS);
	expect(events.find(({ kind }: { kind: string }) => kind === 'death')).toMatchObject({
		type: 'DeathEvent',
		subject: 'entity',
		source: 'killer',
		remembers: ['name', 'hero', 'role', 'team', 'tags'],
	});
});

test('a property that every JavaScript object has is not a field of an event', async () => {
	for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'])
		for (const field of [name, `${name}.id`, `data.${name}`]) {
			const refused = { ok: false, code: 'invalid_rule', path: 'when.where[0].field' };
			const answer = await post('/rule/create', { when: `event:death ${field}==1`, do: ['heal this 1'] });
			expect(answer, field).toMatchObject(refused);
		}
});
