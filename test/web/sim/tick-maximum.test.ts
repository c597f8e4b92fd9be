/** No system does more on a tick than it declared before the tick began. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Animation } from '../../../shared/components/animation.ts';
import type { System } from '../../../web/sim/core/system.ts';
import { noSpending, type TickSpending } from '../../../web/sim/core/tick-budget.ts';
import { maximumOfSystems } from '../../../web/sim/core/tick-maximum.ts';
import { add, type World } from '../../../web/sim/core/world.ts';
import { schedule } from '../../../web/sim/schedule.ts';
import { bodyHistories, histories, relive } from '../../support/arbitraries.ts';
import { clientOf, startEngine } from '../../support/engine.ts';
import { EVERY_VERB, RARELY_SEEN } from '../../support/every-verb.ts';
import { inEngine } from '../../support/futures.ts';
import { check, SEED } from '../../support/property.ts';
import { GAME_TIMEOUT, openScene, sceneNames } from '../../support/scenes.ts';

const KINDS = Object.keys(noSpending()) as (keyof TickSpending)[];

/** By system: the declared maximum for the current tick, and the maximum of all ticks. */
const declared = new Map<System, Partial<TickSpending>>();
const measured = new Map<string, TickSpending>();
const excesses: string[] = [];
/** Chance run of the current tick. It shows the start of a tick: systems without work are skipped, even the first one. */
let tick: World['chance'] = null;

const real = new Map(schedule.map((system) => [system, system.run]));

/** Compares what each system does with what it declared when the first of them ran. */
function watch(system: System, run: System['run'], world: World): void {
	if (world.chance !== tick) {
		tick = world.chance;
		maximumOfSystems(world, schedule, (system, most) => declared.set(system, most));
	}
	const before = { ...world.chance!.spent };
	run(world);
	const maximum = declared.get(system) ?? {};
	const maxima = measured.get(system.name) ?? noSpending();
	measured.set(system.name, maxima);
	for (const kind of KINDS) {
		const spent = world.chance!.spent[kind] - before[kind];
		maxima[kind] = Math.max(maxima[kind], spent);
		if (spent > (maximum[kind] ?? 0))
			excesses.push(`${system.name} ${kind}: ${spent} of ${maximum[kind] ?? 0}`);
	}
}

beforeAll(() => {
	for (const [system, run] of real)
		Object.assign(system, { run: (world: World) => watch(system, run, world) });
});
afterAll(() => {
	for (const [system, run] of real) Object.assign(system, { run });
});

function expectBounded(): void {
	expect([...new Set(excesses.splice(0))]).toEqual([]);
}

describe(`the declared maximum of a system limits its work (seed ${SEED})`, () => {
	test.each([
		['any', histories(24)],
		['bodies', bodyHistories],
	] as const)('in random histories of %s', (_, some) =>
		check(5, [some], (history) =>
			inEngine(async (one) => {
				await relive(one, history);
				await one.call('POST', '/step', { ticks: 10 });
				expectBounded();
			}),
		),
	);

	test.each(sceneNames())(
		'in %s',
		async (name) => {
			const engine = await openScene(name, SEED);
			await clientOf(engine.handle).call('POST', '/step', { ticks: 400 });
			engine.close();
			expectBounded();
		},
		GAME_TIMEOUT,
	);

	test.each([
		['every verb occurs', EVERY_VERB],
		['rare things happen', RARELY_SEEN],
	])('in a world where %s', async (_, calls) => {
		const { engine, must, step } = await startEngine();
		for (const [path, body] of calls) await must('POST', path, body);
		await step(6);
		engine.close();
		expectBounded();
	});

	test('in a world where an entity returns and a state machine changes state', async () => {
		const { engine, must, spawn, step } = await startEngine();
		await spawn({ spawn_point: 1, team: 1 });
		const id = await spawn({ health: 5, team: 1, respawns: true });
		const clip = { model: 'none', index: 0 };
		const states = ['a', 'b'].map((name) => ({ name, clip, speed: 1, looping: true }));
		const transitions = [
			{ from: 'a', to: 'b', when: [{ field: 'health.current', op: '>', value: 1 }], fade: 0 },
		];
		add(engine.worlds.main.world, id, Animation, {
			...{ clip, state: 'a' },
			machine: { states, transitions, parameters: {} },
		} as never);
		await must('POST', '/entity/damage', { entity_id: id, amount: 9 });
		await step(400);
		engine.close();
		expectBounded();
	});

	test('in a world where heroes fight beside a tower', async () => {
		const { engine, spawn, step } = await startEngine();
		await spawn({ health: 500, team: 1, role: 'tower', combat: true });
		await spawn({ health: 500, team: 1, role: 'hero', position: [1, 0, 0], combat: true });
		await spawn({ health: 500, team: 2, role: 'hero', position: [2, 0, 0], combat: true });
		await step(120);
		engine.close();
		expectBounded();
	});

	test('and each system with declared work did some', () => {
		const idle = schedule.filter(({ name, maximum: most }) => {
			const maxima = measured.get(name);
			return most !== undefined && (maxima === undefined || KINDS.every((kind) => maxima[kind] === 0));
		});
		expect(idle.map(({ name }) => name)).toEqual([]);
	});
});
