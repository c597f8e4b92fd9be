/**
 * Comparison of worlds, with a real engine in this process.
 * Owns: the cases of compare-state.ts.
 */

import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Picture } from '../../../../web/render/page-picture.ts';
import { Compare } from '../../../../web/ui/forks/compare-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import type { TestEngine } from '../../../support/engine.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

let panels: TestPanels;
let started: TestEngine;
let worlds: WorldsState;
let compare: Compare;

beforeEach(async () => {
	panels = await startPanels(0, 'forks');
	started = panels.started;
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	compare = new Compare(
		{ ...panels.services, picture: signal<Picture>({ kind: 'none', message: '' }) },
		panels.navigation,
		worlds,
	);
});
afterEach(() => {
	compare.stop();
	worlds.stop();
	started.engine.close();
	expect(panels.refused).toEqual([]);
});

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000, interval: 10 });
const ticksById = () => compare.shown.value.map(({ id, tick }) => [id, tick]);

it('main and three forks are stepped in one call, and can be stepped to the same tick', async () => {
	await started.must('POST', '/spawn', { position: [0, 50, 0], physics_body: 'Dynamic', mesh: 'cube' });
	for (const id of ['a', 'b', 'c', 'd']) await worlds.forking.branch('main', id);
	// The three forks selected last.
	expect(compare.shown.value.map(({ id }) => id)).toEqual(['main', 'b', 'c', 'd']);
	compare.leaveOut('c');
	expect(compare.shown.value.map(({ id }) => id)).toEqual(['main', 'a', 'b', 'd']);
	compare.take('c');
	await compare.step(5);
	expect(panels.calls.filter((call) => call.startsWith('POST /batch'))).toHaveLength(1);
	await until(() =>
		expect(ticksById()).toEqual([
			['main', 5],
			['b', 5],
			['c', 5],
			['d', 5],
		]),
	);
	compare.isTogether.value = false;
	worlds.select('b');
	await compare.step(20);
	await until(() => expect(ticksById()[1]).toEqual(['b', 25]));
	expect(ticksById()[0]).toEqual(['main', 5]);
	await compare.toSameTick();
	await until(() => expect(new Set(ticksById().map(([, tick]) => tick))).toEqual(new Set([25])));
	await until(() => expect(compare.differences.byFork.value.get('b')?.rows).toEqual([]));
});

it('a main that runs is paused before the worlds come to the same tick', async () => {
	await worlds.forking.branch('main', 'plan');
	await started.must('POST', '/play');
	await until(() => expect(worlds.main.value).toMatchObject({ playing: true }));
	await until(() => expect(worlds.main.value?.tick).toBeGreaterThan(2));
	await compare.toSameTick();
	const { playing, tick } = await started.must('GET', '/');
	expect(playing).toBe(false);
	await until(() =>
		expect(ticksById()).toEqual([
			['main', tick],
			['plan', tick],
		]),
	);
});

it('differences are read once for each pair of states, and not while another view is open', async () => {
	await started.must('POST', '/spawn', { health: 10, name: 'Crate', position: [0, 0, 0] });
	await worlds.forking.branch('main', 'plan');
	await started.must('POST', '/entity/damage?world=plan', { entity_id: 0, amount: 4 });
	await started.must('POST', '/fork/plan/step', {});
	await until(() =>
		expect(compare.differences.byFork.value.get('plan')?.rows).toMatchObject([
			{ number: 1, name: 'Crate', field: 'health', from: '10', to: '6 HP' },
		]),
	);
	const reads = () => panels.calls.filter((call) => call.startsWith('GET /fork/plan/diff')).length;
	const before = reads();
	await started.must('GET', '/digest');
	panels.navigation.go('make');
	await started.must('POST', '/entity/damage?world=plan', { entity_id: 0, amount: 1 });
	await started.must('POST', '/fork/plan/step', {});
	await until(() => expect(worlds.selectedInfo.value?.tick).toBe(2));
	expect(reads()).toBe(before);
	panels.navigation.go('forks');
	await until(() => expect(compare.differences.byFork.value.get('plan')?.rows[0]?.to).toBe('5 HP'));
	expect(reads()).toBe(before + 1);
	await worlds.forking.drop('plan');
	await until(() => expect(compare.differences.byFork.value.size).toBe(0));
});

it('a difference of the sky or of a colour is listed, although digests omit both', async () => {
	await started.must('POST', '/spawn', { name: 'Crate', mesh: 'cube', color: 'red' });
	await started.must('POST', '/sky/settings', { time_of_day: 8 });
	await worlds.forking.branch('main', 'plan');
	const rows = () => compare.differences.byFork.value.get('plan')?.rows;
	await until(() => expect(rows()).toEqual([]));
	await started.must('POST', '/sky/settings?world=plan', { time_of_day: 18.2 });
	await until(() =>
		expect(rows()).toMatchObject([
			{ name: 'Sky', field: 'time of day', from: '8', to: '18.2', number: null },
		]),
	);
	await started.must('POST', '/entities/0/components?world=plan', { color: 'blue' });
	await until(() => expect(rows()).toHaveLength(2));
	expect(compare.shown.value[1]!.digest).toBe(compare.shown.value[0]!.digest);
	await started.must('POST', '/batch', {
		requests: [{ path: '/sky/settings', body: { time_of_day: 18.2 } }],
	});
	await until(() => expect(rows()).toMatchObject([{ name: 'Crate', field: 'colour' }]));
});
