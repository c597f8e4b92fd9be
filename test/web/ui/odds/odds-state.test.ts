/**
 * Peeks of the view Odds, and its matching of a step, with a real engine in this process.
 * Owns: the cases of odds-state.ts.
 */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OddsState } from '../../../../web/ui/odds/odds-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import type { TestEngine } from '../../../support/engine.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

const COIN = {
	name: 'coin',
	when: { kind: 'tick', every: 1 },
	outcomes: [
		{ label: 'heads', weight: 1, do: [{ action: 'spawn', mesh: 'cube', position: [0, 0, 0] }] },
		{ label: 'tails', weight: 2 },
	],
};

let panels: TestPanels;
let started: TestEngine;
let worlds: WorldsState;
let odds: OddsState;

beforeEach(async () => {
	panels = await startPanels(3, 'odds');
	started = panels.started;
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	odds = new OddsState(panels.services, panels.navigation, worlds);
});
afterEach(() => {
	odds.stop();
	worlds.stop();
	started.engine.close();
	expect(panels.refused).toEqual([]);
});

const peeks = () => panels.calls.filter((call) => call.startsWith('POST /peek'));
const until = (holds: () => boolean) =>
	vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 10 });
const untilNext = (tick: number, ways: number) =>
	until(
		() => odds.next.foretold.value?.peek.next_tick === tick && odds.next.foretold.value.rows.length === ways,
	);
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a paused world', () => {
	it('is peeked once for each state', async () => {
		await untilNext(1, 1);
		await rest(500);
		expect(peeks()).toEqual(['POST /peek {"max_branches":256}']);
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		expect(peeks()).toHaveLength(2);
		expect(odds.next.foretold.value?.rules.get(0)?.name).toBe('coin');
	});

	it('is not peeked while another view is open', async () => {
		panels.navigation.go('make');
		await started.must('POST', '/rule/create', COIN);
		await rest(500);
		expect(peeks().length).toBeLessThanOrEqual(1);
		const before = peeks().length;
		panels.navigation.go('odds');
		await untilNext(1, 2);
		expect(peeks().length).toBe(before + 1);
	});
});

describe('a running world', () => {
	it('is not peeked until it is paused', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		await worlds.time.toggle();
		await until(() => odds.next.foretold.value === null);
		const before = peeks().length;
		await until(() => started.engine.worlds.main.world.tick > 40);
		expect(peeks().length).toBe(before);
		await worlds.time.toggle();
		await until(() => odds.next.foretold.value !== null);
		expect(odds.next.foretold.value?.peek.tick).toBe(started.engine.worlds.main.world.tick);
		expect(peeks().length).toBe(before + 1);
	});
});

describe('a step', () => {
	it('of this page is matched with the predicted outcomes', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		const foretold = odds.next.foretold.value!;
		await worlds.time.step(1);
		await until(() => odds.last.value?.tick === 1);
		const last = odds.last.value!;
		expect(last.foretold).toBe(foretold);
		expect(last.agrees).toBe(true);
		expect(last.drawn).toHaveLength(1);
		const { branch } = foretold.rows[last.drawn[0]!]!;
		expect(branch.state_digest).toBe(last.digest);
		expect(branch.choices[0]!.label).toBe(last.sampled?.[0]?.label);
		expect(odds.shown.value).toBe('last');
		await untilNext(2, 2);
		expect(odds.last.value?.tick).toBe(1);
	});

	it('of another client is matched by its new state', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		const { state_digest } = await started.must('POST', '/step');
		await until(() => odds.last.value?.tick === 1);
		const last = odds.last.value!;
		expect([last.agrees, last.sampled]).toEqual([null, null]);
		expect(last.drawn.map((row) => last.foretold!.rows[row]!.branch.state_digest)).toEqual([state_digest]);
	});

	it('from a changed state is not matched with a prediction', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		const changed = started.must('POST', '/rule/create', { ...COIN, name: 'another' });
		const made = worlds.time.step(1);
		await Promise.all([changed, made]);
		await until(() => odds.last.value?.tick === 1);
		const last = odds.last.value!;
		expect(last.foretold).toBeNull();
		expect(last.sampled).toHaveLength(2);
	});

	it('of many ticks shows the draws of its last tick, without odds', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		await worlds.time.step(30);
		await until(() => odds.last.value?.tick === 30);
		expect(odds.last.value).toMatchObject({ foretold: null, drawn: [] });
		expect(odds.last.value?.sampled).toHaveLength(1);
		await untilNext(31, 2);
	});

	it('without a draw shows the next one', async () => {
		await untilNext(1, 1);
		await worlds.time.step(1);
		await until(() => odds.last.value?.tick === 1);
		expect(odds.shown.value).toBe('next');
		await untilNext(2, 1);
	});
});

it('shows the odds of a selected fork, and forgets the last step of main', async () => {
	await started.must('POST', '/rule/create', COIN);
	await untilNext(1, 2);
	await started.must('POST', '/fork', { fork_id: 'plan', seed: 9 });
	await started.must('POST', '/rule/create?world=plan', { ...COIN, name: 'second coin' });
	await until(() => worlds.forks.value.length === 1);
	worlds.select('plan');
	await untilNext(1, 4);
	expect(odds.next.foretold.value?.world).toBe('plan');
	expect(odds.last.value).toBeNull();
	expect(peeks().at(-1)).toContain('/peek?world=plan ');
	await worlds.time.step(1);
	await until(() => odds.last.value?.world === 'plan' && odds.last.value.drawn.length === 1);
	expect(odds.last.value).toMatchObject({ agrees: true, tick: 1 });
	expect(started.engine.worlds.main.world.tick).toBe(0);
});

it('lists few outcomes by default and many on request', async () => {
	for (let number = 0; number < 9; number++)
		await started.must('POST', '/rule/create', { ...COIN, name: `coin ${number}` });
	await untilNext(1, 256);
	expect(odds.next.foretold.value?.peek.exact).toBe(false);
	odds.next.listMore();
	await untilNext(1, 512);
	expect(odds.next.foretold.value?.peek.exact).toBe(true);
	await worlds.time.step(1);
	await until(() => odds.last.value?.tick === 1);
	expect(odds.last.value?.drawn).toHaveLength(1);
});

describe('outcomes opened as forks', () => {
	it('have one fork each, with the name and the state of the outcome', async () => {
		await started.must('POST', '/rule/create', COIN);
		await untilNext(1, 2);
		const digests = odds.next.foretold.value!.rows.map(({ branch }) => branch.state_digest);
		const done = odds.openAsForks();
		expect(odds.opening.value).toBe(true);
		await done;
		expect(odds.opening.value).toBe(false);
		expect(panels.navigation.view.value).toBe('forks');
		await odds.openAsForks();
		await until(() => worlds.forks.value.length === 4);
		const forks = worlds.forks.value.map(({ id, tick, digest }) => [id, tick, digest]);
		const [tails, heads] = digests;
		expect(forks).toEqual([
			['heads-1', 1, heads],
			['heads-2', 1, heads],
			['tails-1', 1, tails],
			['tails-2', 1, tails],
		]);
		expect(worlds.selectedInfo.value).toMatchObject({ id: 'main', tick: 0 });
	});
});
