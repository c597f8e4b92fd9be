/** What happened since a view last looked, however many ticks that is. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
	await started.must('POST', '/rule/create', {
		when: { kind: 'tick', every: 10 },
		do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0] }],
	});
});
afterEach(() => started.engine.close());

const spawned = (since: number, world = 'main') =>
	started.engine.happened
		.since(world, since)
		.filter(({ kind }) => kind === 'rule_spawn')
		.map(({ tick }) => tick);

test('all ticks since the last look, whether one call made them or many', async () => {
	const { must } = started;
	expect(spawned(0)).toEqual([]);
	await must('POST', '/step', { ticks: 25 });
	for (let i = 0; i < 10; i++) await must('POST', '/step');
	const ticks = spawned(0);
	expect(ticks).toHaveLength(3);
	expect(spawned(ticks[1]!)).toEqual([ticks[2]]);
	expect(spawned(35)).toEqual([]);
});

test('a world that nobody looks at keeps nothing; looked at, no more than two seconds', async () => {
	const { must } = started;
	await must('POST', '/step', { ticks: 50 });
	expect(spawned(0)).toEqual([]);
	await must('POST', '/step', { ticks: 400 });
	expect(Math.min(...spawned(0))).toBeGreaterThan(450 - 121);
});

test('worlds are told apart, and ticks that are taken back did not happen', async () => {
	const { must } = started;
	await must('POST', '/fork', { fork_id: 'plan' });
	expect(spawned(0).concat(spawned(0, 'plan'))).toEqual([]);
	await must('POST', '/step?world=plan', { ticks: 20 });
	await must('POST', '/probe', { ticks: 20, fork: true });
	await must('POST', '/batch', { dry_run: true, requests: [{ path: '/step', body: { ticks: 20 } }] });
	expect(spawned(0)).toEqual([]);
	expect(spawned(0, 'plan')).toHaveLength(2);
});

test('going back to a snapshot leaves no events of ticks that are to come again', async () => {
	const { must } = started;
	expect(spawned(0)).toEqual([]);
	await must('POST', '/snapshot', { label: 'a' });
	await must('POST', '/step', { ticks: 30 });
	await must('POST', '/snapshot/a/restore', {});
	await must('POST', '/step', { ticks: 10 });
	expect(spawned(0)).toHaveLength(1);
});
