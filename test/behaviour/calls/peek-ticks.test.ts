/** Peek over many ticks: merging equal states gives the same odds as following every branch separately. */

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
	addFractions,
	compareFractions,
	type Fraction,
	multiplyFractions,
	readFraction,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { untilCondition } from '../../../web/sim/assertions/condition.ts';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { digest } from '../../../web/sim/core/digest.ts';
import type { World } from '../../../web/sim/core/world.ts';
import { enumerate } from '../../../web/sim/peek/enumerate.ts';
import { ConditionWatch } from '../../../web/sim/rules/conditions/watch.ts';
import { beings, rules, SETTING, shots } from '../../support/chance-worlds.ts';
import { clientOf } from '../../support/engine.ts';
import { check, SEED, times } from '../../support/property.ts';

const engines: Engine[] = [];
afterEach(() => {
	for (const engine of engines.splice(0)) engine.close();
});

async function start(calls: readonly (readonly [string, object])[], seed = 7, current?: () => number) {
	const engine = await createEngine({ seed, ...(current === undefined ? {} : { now: current }) });
	engines.push(engine);
	const { call } = clientOf(engine.handle);
	const post = async (path: string, body: object = {}) => (await call('POST', path, body)).body;
	for (const [path, body] of calls) expect(await post(path, body)).toMatchObject({ ok: true });
	return { engine, post, world: () => engine.worlds.main.world };
}

const coin = (...heads: unknown[]): [string, object] => [
	'/rule/create',
	{
		when: { kind: 'tick', every: 1 },
		outcomes: [
			{ label: 'heads', weight: 1, do: heads },
			{ label: 'tails', weight: 1 },
		],
	},
];
const PURSE: [string, object] = ['/spawn', { tags: ['a'], gold: 0 }];
const POINT = 'add_field tag:a gold 1';
const RICH = (gold: number): string => `field:gold>=${gold} & tag:a`;

const NONE: Fraction = { num: 0n, den: 1n };
const ONE: Fraction = { num: 1n, den: 1n };

/**
 * Follows every branch of `ticks` ticks separately. Returns the probability that each condition holds at the end or, with
 * `ends`, at any time.
 */
function enumerateOdds(
	world: World,
	ticks: number,
	watches: readonly ConditionWatch[],
	anyTime: boolean,
): Fraction[] {
	const passed = watches.map((watch) => watch.find(world).passed);
	const now = passed.map((holds) => (holds ? ONE : NONE));
	if (ticks === 0 || (anyTime && !passed.includes(false))) return now;
	const sums = watches.map(() => NONE);
	for (const { world: after, choices } of enumerate(world)) {
		const odds = choices.reduce((product, { probability }) => multiplyFractions(product, probability), ONE);
		const next = watches.map((watch) => watch.copy());
		enumerateOdds(after, ticks - 1, next, anyTime).forEach((later, i) => {
			sums[i] = addFractions(sums[i]!, multiplyFractions(odds, later));
		});
	}
	return sums.map((sum, i) => (anyTime && passed[i] ? ONE : sum));
}

const watchOf = (condition: unknown): ConditionWatch =>
	new ConditionWatch(untilCondition(condition as never));

describe('known distributions', () => {
	test('three heads within ten tosses', async () => {
		const { post, world } = await start([PURSE, coin(POINT)]);
		const before = encodeWorld(world());
		const { until, exact, distribution, outcome_count } = await post('/peek', {
			until: RICH(3),
			ticks: 10,
			merge: 'observable',
		});
		expect(exact).toBe(true);
		expect(until.probability).toEqual({ num: '121', den: '128' });
		// Negative binomial: the third of three heads on toss n.
		expect(until.by_tick.map(({ p }: { p: number }) => p)).toEqual(
			[3, 4, 5, 6, 7, 8, 9, 10].map((n) => ((n - 1) * (n - 2)) / 2 / 2 ** n),
		);
		expect(outcome_count).toBe(distribution.length);
		expect(encodeWorld(world())).toEqual(before);
	});

	test('a walk has one state for each cell, although histories differ', async () => {
		const { post } = await start([
			['/spawn', { tags: ['a'], gold: 5 }],
			[
				'/rule/create',
				{
					when: { kind: 'tick', every: 1 },
					outcomes: [
						{ label: 'left', weight: 1, do: ['add_field tag:a gold -1'] },
						{ label: 'right', weight: 1, do: [POINT, { action: 'emit', name: 'right' }] },
					],
				},
			],
		]);
		const ask = (merge: unknown) => post('/peek', { condition: RICH(11), ticks: 10, merge, limit: 0 });
		const [merged, all] = [await ask('observable'), await ask(true)];
		expect(merged.outcome_count).toBe(11);
		// With events, most cells have two states, because the last step may have emitted an event.
		expect(all.outcome_count).toBe(20);
		// At least 11 gold needs eight, nine or ten steps of ten to the right.
		expect(merged.condition.probability).toEqual({ num: '7', den: '128' });
		expect(all.condition.probability).toEqual(merged.condition.probability);
	});

	test('a question about one tick equals a question about the next tick', async () => {
		const { post } = await start([PURSE, coin(POINT), coin(POINT)]);
		const one = await post('/peek', { merge: true });
		const many = await post('/peek', { ticks: 1 });
		const shown = (answer: typeof one) =>
			answer.distribution
				.map(({ state_digest, probability }: typeof one) => [state_digest, probability])
				.sort();
		expect(shown(many)).toEqual(shown(one));
	});
});

describe('results beside the odds', () => {
	test('a witness of yes leads to yes, and a witness of no to no', async () => {
		const { post } = await start([PURSE, coin(POINT)]);
		const { until } = await post('/peek', { until: RICH(2), ticks: 4 });
		for (const [which, holds] of [
			['yes', true],
			['no', false],
		] as const) {
			const { fork_id } = await post('/fork', { fork_id: which });
			for (const { choices } of until[which].draws)
				expect(await post(`/fork/${fork_id}/step`, { choices })).toMatchObject({ ok: true });
			const checked = await post(`/peek?world=${fork_id}`, { until: RICH(2), ticks: 1 });
			expect(checked.until.by_tick[0]?.tick === until[which].tick).toBe(holds);
		}
	});

	test('limits give a lower and an upper bound around the exact value', async () => {
		const { post } = await start([
			coin(POINT),
			coin('add_field tag:a gold 1'),
			['/spawn', { tags: ['a'], gold: 0 }],
		]);
		const ask = (more: object) => post('/peek', { until: RICH(3), ticks: 6, ...more });
		const truth = readFraction((await ask({})).until.probability);
		for (const [limits, reason] of [
			[{ max_branches: 2 }, /dropped: max_branches \(2\)/],
			[{ max_ticks: 20 }, /^Stopped at tick \d of 6: max_ticks \(20\).*POST \/sweep/],
		] as const) {
			const { exact, until, warnings } = await ask(limits);
			expect(exact).toBe(false);
			expect(until.p).toBeNull();
			expect(warnings[0]).toMatch(reason);
			expect(compareFractions(readFraction(until.probability), truth)).toBeLessThanOrEqual(0);
			expect(compareFractions(readFraction(until.at_most), truth)).toBeGreaterThanOrEqual(0);
		}
	});

	test('an answer that runs out of time contains what was found until then', async () => {
		let now = 0;
		// Each look at the clock takes half a second.
		const { post } = await start([PURSE], 7, () => {
			now += 500;
			return now;
		});
		const { exact, next_tick, until, warnings } = await post('/peek', { until: RICH(1), ticks: 5000 });
		expect(next_tick).toBeGreaterThan(0);
		expect([exact, until.p, until.at_most]).toEqual([false, null, { num: '1', den: '1' }]);
		expect(warnings[0]).toContain(`Stopped at tick ${next_tick} of 5000: the time for one call was used up.`);
	});

	test('the digest of the distribution is that of its outcomes', async () => {
		const { post } = await start([PURSE, coin(POINT)]);
		const digestAfter = async (ticks: number) => (await post('/peek', { ticks })).distribution_digest;
		expect(await digestAfter(2)).toBe(await digestAfter(2));
		expect(await digestAfter(3)).not.toBe(await digestAfter(2));
	});

	test('an until that already holds has a warning, and a condition has none', async () => {
		const { post } = await start([['/spawn', { tags: ['hero'], health: 5 }]]);
		await post('/step', { ticks: 2 });
		const lives = 'alive & tag:hero';
		expect(await post('/peek', { until: lives, ticks: 9 })).toMatchObject({
			next_tick: 2,
			warnings: [expect.stringContaining('"until" holds already at tick 2')],
		});
		const { condition, warnings } = await post('/peek', { condition: lives, ticks: 9 });
		expect([condition.p, warnings]).toEqual([1, undefined]);
	});

	test('questions that contradict themselves are refused', async () => {
		const { post } = await start([]);
		expect(await post('/peek', { until: 'tick 3', condition: 'tick 3' })).toMatchObject({
			code: 'invalid_body',
		});
		expect(await post('/peek', { ticks: 3, merge: 'observable' })).toMatchObject({ code: 'invalid_body' });
	});
});

describe('ticks without a draw', () => {
	/** Returns a world with a coin toss every `every` ticks, and a script and a body, whose states are expensive to copy. */
	const quiet = (every: number): (readonly [string, object])[] => [
		[
			'/spawn',
			{
				tags: ['a'],
				gold: 0,
				position: [0, 50, 0],
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 1 },
			},
		],
		[
			'/script/load',
			{
				source: 'n = 0 function on_update(me) n = n + 1 engine.set_velocity(me, n, 0, 0) end',
				entity_id: 0,
			},
		],
		[
			'/rule/create',
			{
				when: { kind: 'tick', every },
				outcomes: [
					{ label: 'heads', weight: 1, do: [POINT] },
					{ label: 'tails', weight: 1 },
				],
			},
		],
	];

	test('lead to the same state as steps, and are made without forks', async () => {
		const { post, world } = await start(quiet(100));
		await post('/step', { ticks: 1 });
		const part = world().parts.get('scripts')!.part;
		const encodes = vi.spyOn(part, 'encode');
		const { distribution, exact } = await post('/peek', { ticks: 60 });
		// Encoded once for the digest before, and once for the digest after.
		expect(encodes.mock.calls.length).toBeLessThanOrEqual(2);
		encodes.mockRestore();
		const { state_digest } = await post('/step', { ticks: 60 });
		expect([exact, distribution.map((item: { state_digest: string }) => item.state_digest)]).toEqual([
			true,
			[state_digest],
		]);
	});

	test('before and after a draw equal those of every branch', async () => {
		const { post, world } = await start(quiet(4));
		const truth = enumerateOdds(world(), 10, [watchOf(RICH(2))], true);
		const { until } = await post('/peek', { until: RICH(2), ticks: 10 });
		expect(until.probability).toEqual(writeFraction(truth[0]!));
	});
});

describe(`random worlds (seed ${SEED})`, () => {
	const RUNS = 6;
	const MAX_BRANCHES = 24;

	test('odds over two ticks equal the odds of all branches, with any merging', async () => {
		let uncertain = 0;
		await check(
			RUNS,
			[fc.nat(1000), beings, rules, shots, fc.boolean()],
			async (seed, documents, ruleDocuments, launches, ends) => {
				const { engine, post, world } = await start(
					[
						...SETTING,
						...documents.map((document) => ['/spawn', document] as const),
						...ruleDocuments.map((document) => ['/rule/create', document] as const),
						coin('add_field all:any gold 1', 'add_field all:any level 1'),
						...launches.map((launch) => ['/projectile/spawn', launch] as const),
					],
					seed,
				);
				// Following more branches separately would take minutes.
				if ([...enumerate(world())].length > MAX_BRANCHES) return;
				// The condition of the last rule depends on the actions of the others.
				const { when } = ruleDocuments.at(-1) as { readonly when: object };
				const questions = [when, 'field:gold>1', 'field:level>1', 'field:x>1', 'field:health.current<2'];
				const truth = enumerateOdds(world(), 2, questions.map(watchOf), ends);
				const before = digest(world());
				const name = ends ? 'until' : 'condition';
				for (const [i, asked] of questions.entries()) {
					for (const merge of [true, 'observable']) {
						const answer = await post('/peek', { [name]: asked, ticks: 2, merge, max_branches: 65_536 });
						const text = `${JSON.stringify(asked)} ${merge}`;
						expect(answer[name].probability, text).toEqual(writeFraction(truth[i]!));
					}
					if (truth[i]!.num > 0n && truth[i]!.num < truth[i]!.den) uncertain++;
				}
				expect(digest(world())).toBe(before);
				engine.close();
			},
		);
		// Enough of the compared odds must be neither 0 nor 1.
		expect(uncertain).toBeGreaterThanOrEqual(times(RUNS) / 2);
	});
});
