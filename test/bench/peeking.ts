/** Benchmark of peek: the joint distribution of dependent draws, and independent draws as factors. */

import { writtenRule } from '../../shared/rules/rule.ts';
import { createEngine } from '../../web/host/engine.ts';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import { digest } from '../../web/sim/core/digest.ts';
import type { World } from '../../web/sim/core/world.ts';
import { parseRule } from '../../web/sim/documents/rule-entry.ts';
import { createRule } from '../../web/sim/rules/rule.ts';
import { step } from '../../web/sim/step.ts';
import { jsonOf, requestOf } from '../support/engine.ts';
import { measureInTurnAsync, median, type Result, ratioResult, timeResult } from './measure.ts';
import { crowd } from './worlds.ts';

const BEINGS = 100;

function withRules(rules: readonly object[]): World {
	const world = crowd(BEINGS);
	for (const rule of rules) createRule(world, parseRule(writtenRule.parse(rule)));
	return world;
}

/** Returns a world of coins that depend on each other through health. All outcomes lead to different states. */
function boundCoins(count: number): World {
	return withRules(
		Array.from({ length: count }, (_, i) => ({
			when: { kind: 'field', field: 'health', value: 0, edge: 'level' },
			filter: 'entity:0',
			outcomes: [
				{
					label: 'heads',
					weight: 1,
					do: [{ action: 'add_field', target: 'this', field: 'health', value: 2 ** -i }],
				},
				{ label: 'tails', weight: 2 },
			],
		})),
	);
}

function freeDice(count: number): World {
	const outcomes = Array.from({ length: 6 }, (_, i) => ({ label: `${i + 1}`, weight: 1 }));
	return withRules(Array.from({ length: count }, () => ({ when: { kind: 'tick', every: 1 }, outcomes })));
}

interface Peek {
	readonly exact: boolean;
	readonly distribution: readonly { readonly state_digest: string }[];
	readonly factors: readonly { readonly exact: boolean; readonly outcomes: readonly unknown[] }[];
}

/** Measures a peek and the functions that it is compared with. Returns its answer and the milliseconds of each. */
async function peek(world: World, body: object, rounds: number, against: readonly (() => void)[]) {
	const engine = await createEngine();
	engine.worlds.main.world = world;
	const request = requestOf('POST', '/peek', body);
	const answer = jsonOf(await engine.handle(request)) as unknown as Peek;
	const sides = [() => engine.handle(request), ...against.map((run) => async () => run())];
	const times = await measureInTurnAsync(
		rounds,
		sides.map((run) => ({ run })),
	);
	engine.close();
	return { answer, times: times.map(median) };
}

async function joint(): Promise<Result> {
	const world = boundCoins(12);
	const everyWay = () => {
		for (let i = 0; i < 4096; i++) {
			const copy = clone(world);
			step(copy);
			digest(copy);
			dispose(copy);
		}
	};
	const { answer, times } = await peek(world, {}, 6, [everyWay]);
	const ways = new Set(answer.distribution.map(({ state_digest }) => state_digest)).size;
	if (!answer.exact || ways !== 4096 || answer.factors.length !== 1)
		throw new Error(`the coins were to be peeked at together, in 4096 ways, not ${ways}`);
	const [ours, theirs] = times as [number, number];
	const name = 'peek of 12 coins that depend on each other';
	return {
		...ratioResult('peek', name, ours, '4 096 forks, ticks and digests', theirs, 1.1),
		note: '4 096 ways of 100 entities',
	};
}

async function factors(): Promise<Result> {
	const { answer, times } = await peek(freeDice(20), { max_branches: 1 }, 100, []);
	if (answer.factors.length !== 20) throw new Error('20 dice were to be 20 factors');
	return timeResult('peek', 'peek of 20 independent dice, as factors', times[0]!, undefined, '6^20 ways');
}

export async function benchPeek(): Promise<Result[]> {
	return [await joint(), await factors()];
}
