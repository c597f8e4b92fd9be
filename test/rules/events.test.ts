/** Reading events: those of the last two ticks, and with a step those of all its ticks. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { createEngine, type Engine } from '../../web/host/engine.ts';
import { clientOf } from '../support/engine.ts';

let engine: Engine;
beforeEach(async () => {
	engine = await createEngine({ seed: 7 });
});
afterEach(() => engine.close());

const post = async (path: string, body: unknown = {}) =>
	(await clientOf(engine.handle).call('POST', path, body)).body;
const readable = async () => (await clientOf(engine.handle).call('GET', '/events')).body.events;

test('an event says on which tick it was sent, and is readable on that tick and the next', async () => {
	await post('/step', { ticks: 4 });
	await post('/events', { type: 'SignalEvent', name: 'gate' });
	const signal = { type: 'SignalEvent', tick: 4, name: 'gate', data: null };
	expect(await readable()).toEqual([signal]);
	await post('/step');
	expect(await readable()).toEqual([signal]);
	await post('/step');
	expect(await readable()).toEqual([]);
});

test('a step lists the events of all its ticks, each once, as stepping and reading tick by tick does', async () => {
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

test('what is sent between ticks counts to the coming tick, and kinds are told apart', async () => {
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

test('entities stand with their generation: a slot has many lives', async () => {
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

test('points say for which team and which victim they are', async () => {
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

test('actions that cannot be done are told of, with the code that a call would be refused with', async () => {
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
	const told = events.map(({ action, reason }: { action: string; reason: string }) => [action, reason]);
	expect(told).toEqual([
		['buy', 'not_enough_gold'],
		['equip', 'item_missing'],
		['take_item', 'item_missing'],
		['give_item', 'unknown_item'],
		['give_item', 'inventory_full'],
	]);
	expect(events[0]).toMatchObject({ type: 'ActionFailedEvent', entity: 0, tick: 0 });
});

test('who died is known by name, role, team and tags when the corpse is gone and its slot is taken', async () => {
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
	expect(now.body, 'somebody else has the slot').toMatchObject({ generation: 1, mesh: 'cube' });
	const signals = events.filter(({ type }: { type: string }) => type === 'SignalEvent');
	expect(signals.map(({ name }: { name: string }) => name)).toEqual(['scouted']);
});

test('what an event remembers is saved with the world, and the digest covers it', async () => {
	const { entity_id } = await post('/spawn', { health: 5, team: 2, tags: ['scout'] });
	await post('/entity/damage', { entity_id, amount: 9 });
	await post('/step');
	await post('/despawn', { entity_id });
	const before = await readable();
	const { body: saved } = await clientOf(engine.handle).call('GET', '/scenario');
	await post('/step', { ticks: 5 });
	await post('/scenario', saved);
	expect(await readable()).toEqual(before);
	expect(before).toContainEqual(expect.objectContaining({ type: 'DeathEvent', entity_team: 2 }));
});

test('GET /schema tells of every event what it is about', async () => {
	const { events } = (await clientOf(engine.handle).call('GET', '/schema?brief=true')).body;
	expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(EVENT_KINDS);
	expect(events.find(({ kind }: { kind: string }) => kind === 'death')).toMatchObject({
		type: 'DeathEvent',
		subject: 'entity',
		source: 'killer',
		remembers: ['hero', 'role', 'team', 'tags'],
	});
});
