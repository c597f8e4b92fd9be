/** Events: readable on the tick of sending and on the next, and applied exactly once. */

import { expect, test } from 'vitest';
import { DamageDealt } from '../../../../shared/events/damage.ts';
import { Signal } from '../../../../shared/events/signal.ts';
import { drain, emit, pendingEvents } from '../../../../web/sim/core/events.ts';
import { step } from '../../../../web/sim/step.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';

test('an event is readable until the end of the next tick', async () => {
	const world = await freshWorld();
	emit(world, Signal, { name: 'gate', data: 1 });
	expect(pendingEvents(world)).toHaveLength(1);
	step(world);
	expect(pendingEvents(world)).toHaveLength(1);
	step(world);
	expect(pendingEvents(world)).toHaveLength(0);
});

test('each reader gets each event once, oldest first, at any time of reading', async () => {
	const world = await freshWorld();
	emit(world, Signal, { name: 'a', data: null });
	expect(drain(world, Signal, 'early').map(({ name }) => name)).toEqual(['a']);
	step(world);
	emit(world, Signal, { name: 'b', data: null });
	expect(drain(world, Signal, 'early').map(({ name }) => name)).toEqual(['b']);
	expect(drain(world, Signal, 'late').map(({ name }) => name)).toEqual(['a', 'b']);
	expect(drain(world, Signal, 'early')).toEqual([]);
	step(world);
	expect(drain(world, Signal, 'early')).toEqual([]);
	expect(drain(world, Signal, 'very late').map(({ name }) => name)).toEqual(['b']);
	step(world);
	expect(drain(world, Signal, 'too late')).toEqual([]);
});

test('a reader of one kind does not miss an earlier event of another kind', async () => {
	const world = await freshWorld();
	const target = { id: 0, generation: 0 };
	emit(world, Signal, { name: 'a', data: null });
	emit(world, DamageDealt, { target, amount: 1, source: null });
	expect(drain(world, DamageDealt, 'reader')).toHaveLength(1);
	emit(world, DamageDealt, { target, amount: 2, source: null });
	expect(drain(world, DamageDealt, 'reader').map(({ amount }) => amount)).toEqual([2]);
});

test('a damage event is listed on two ticks and applied once', async () => {
	const { must, engine } = await startEngine();
	await must('POST', '/spawn', { health: 100 });
	const health = async () => (await must('GET', '/entities/0')).health;
	const eventCount = async () => (await must('GET', '/events')).count;
	await must('POST', '/entity/damage', { entity_id: 0, amount: 30 });
	expect([await health(), await eventCount()]).toEqual([[100, 100], 1]);
	await must('POST', '/step', {});
	expect([await health(), await eventCount()]).toEqual([[70, 100], 1]);
	await must('POST', '/step', {});
	expect([await health(), await eventCount()]).toEqual([[70, 100], 0]);
	await must('POST', '/step', { ticks: 20 });
	expect(await health()).toEqual([70, 100]);
	engine.close();
});

test('an event has the tick of its sending', async () => {
	const { must, engine } = await startEngine();
	await must('POST', '/step', { ticks: 7 });
	await must('POST', '/rule/create', { when: 'tick:2', actions: ['emit tock'] });
	await must('POST', '/events', { type: 'SignalEvent', name: 'before' });
	const listEvents = async (world = 'main') => {
		const { events } = (await must('GET', `/events?world=${world}`)) as {
			events: { name: string; tick: number }[];
		};
		return events.map(({ name, tick }) => [name, tick]);
	};
	expect(await listEvents()).toEqual([['before', 7]]);
	await must('POST', '/step', {});
	expect(await listEvents()).toEqual([['before', 7]]);
	await must('POST', '/step', {});
	expect(await listEvents(), 'sent in the ninth tick').toEqual([['tock', 8]]);
	await must('POST', '/fork', { fork_id: 'plan' });
	expect(await listEvents('plan')).toEqual([['tock', 8]]);
	await must('POST', '/step', {});
	expect(await listEvents()).toEqual([]);
	engine.close();
});

test('a fork has the pending events of its parent, and each world reads them once', async () => {
	const { must, engine } = await startEngine();
	await must('POST', '/spawn', { health: 100 });
	await must('POST', '/entity/damage', { entity_id: 0, amount: 30 });
	await must('POST', '/fork', { fork_id: 'plan' });
	await must('POST', '/step', { ticks: 3 });
	expect((await must('GET', '/entities/0?world=plan')).health).toEqual([100, 100]);
	await must('POST', '/fork/plan/step', { ticks: 3 });
	expect((await must('GET', '/entities/0?world=plan')).health).toEqual([70, 100]);
	expect((await must('GET', '/entities/0')).health).toEqual([70, 100]);
	engine.close();
});

test('events are listed by kind: damage, deaths, collisions, signals, each oldest first', async () => {
	const { must, engine } = await startEngine();
	await must('POST', '/spawn', { health: 5 });
	await must('POST', '/events', { type: 'SignalEvent', name: 'first' });
	await must('POST', '/events', { type: 'SignalEvent', name: 'second', data: [1, { two: 2 }] });
	await must('POST', '/events', { type: 'DamageEvent', target: 0, amount: 9, source: 0 });
	await must('POST', '/step', {});
	const { events } = (await must('GET', '/events')) as { events: unknown[] };
	expect(events).toEqual([
		{
			type: 'DamageEvent',
			tick: 0,
			target: 0,
			target_generation: 0,
			amount: 9,
			source: 0,
			source_generation: 0,
		},
		{ type: 'DeathEvent', tick: 0, entity: 0, entity_generation: 0, killer: 0, killer_generation: 0 },
		{ type: 'SignalEvent', tick: 0, name: 'first', data: null },
		{ type: 'SignalEvent', tick: 0, name: 'second', data: [1, { two: 2 }] },
	]);
	engine.close();
});
