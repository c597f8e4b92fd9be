/** Chance: sampling follows the declared weights exactly, and the draws of a site are independent of all others. */

import { describe, expect, test } from 'vitest';
import { addFractions, fraction, parseFraction } from '../../../../shared/contract/fraction.ts';
import {
	type ChanceOutcome,
	type ChanceSite,
	decide,
	NO_ENTITY,
	overrideChance,
	probabilitiesOf,
	sample,
	startChance,
} from '../../../../web/sim/core/chance.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import { freshWorld } from '../../../support/engine.ts';

const outcomesOf = (...weights: (number | string)[]): ChanceOutcome[] =>
	weights.map((weight, i) => ({ label: `outcome ${i}`, weight: parseFraction(weight)! }));

const site = (rule: number, entity = 0, draw = 0): ChanceSite => ({ rule, entity, draw });

describe('probabilities', () => {
	test('are exact and sum to one', () => {
		const shares = probabilitiesOf(outcomesOf(3, 1, '1/3', 0.1));
		expect(shares.reduce(addFractions, fraction(0n))).toEqual(fraction(1n));
		expect(probabilitiesOf(outcomesOf(3, 1))).toEqual([fraction(3n, 4n), fraction(1n, 4n)]);
	});

	test('need an outcome with a weight above zero', () => {
		expect(() => probabilitiesOf(outcomesOf(0, 0))).toThrow(RangeError);
		expect(() => probabilitiesOf([])).toThrow(RangeError);
	});
});

describe('sampling', () => {
	/** Upper 0.1 % points of the chi-square distribution, by degrees of freedom. */
	const CRITICAL: Record<number, number> = { 1: 10.828, 2: 13.816, 3: 16.266, 4: 18.467, 6: 22.458 };
	const DRAWS = 20_000;

	test.each([
		[[3, 1]],
		[[1, 1, 1]],
		[['1/3', '1/7', 0.25]],
		[[0.001, 1, 1]],
		[[1, 2, 3, 4, 5, 6, 7]],
		[[5, 1, 0, 2]],
	] as [(number | string)[]][])('of weights %j passes a chi-square test over ticks', async (weights) => {
		const world = await freshWorld(42);
		const outcomes = outcomesOf(...weights);
		const counts = outcomes.map(() => 0);
		for (let tick = 0; tick < DRAWS; tick++) {
			world.tick = tick;
			const chosen = sample(world, site(1), outcomes);
			counts[chosen] = counts[chosen]! + 1;
		}
		const shares = probabilitiesOf(outcomes).map(({ num, den }) => Number(num) / Number(den));
		let chi = 0;
		let possible = 0;
		shares.forEach((share, i) => {
			if (share === 0) {
				expect(counts[i]).toBe(0);
				return;
			}
			possible++;
			chi += (counts[i]! - share * DRAWS) ** 2 / (share * DRAWS);
		});
		expect(chi).toBeLessThan(CRITICAL[possible - 1]!);
	});

	test.each([
		['seed', (world: { seed: number }, i: number) => ({ world: { ...world, seed: i }, site: site(1) })],
		[
			'seed above 2^32',
			(world: { seed: number }, i: number) => ({ world: { ...world, seed: i * 2 ** 32 }, site: site(1) }),
		],
		['rule', (world: object, i: number) => ({ world, site: site(i) })],
		['entity', (world: object, i: number) => ({ world, site: site(1, i) })],
		['draw', (world: object, i: number) => ({ world, site: site(1, 0, i) })],
	])('every %s has a separate stream', async (_, vary) => {
		const world = await freshWorld(1);
		const outcomes = outcomesOf(1, 1, 1, 1);
		const counts = [0, 0, 0, 0];
		let repeats = 0;
		let last = -1;
		for (let i = 0; i < 8000; i++) {
			const { world: variant, site } = vary(world, i) as { world: typeof world; site: ChanceSite };
			const chosen = sample(variant, site, outcomes);
			counts[chosen] = counts[chosen]! + 1;
			if (chosen === last) repeats++;
			last = chosen;
		}
		const chi = counts.reduce((sum, n) => sum + (n - 2000) ** 2 / 2000, 0);
		expect(chi).toBeLessThan(CRITICAL[3]!);
		expect(Math.abs(repeats - 2000)).toBeLessThan(150);
	});

	test('is the same every time, and changes no state', async () => {
		const world = await freshWorld(7);
		const before = digest(world);
		const draw = () => Array.from({ length: 50 }, (_, i) => sample(world, site(3, i), outcomesOf(1, 2, 3)));
		expect(draw()).toEqual(draw());
		expect(digest(world)).toBe(before);
	});

	test('of one rule does not depend on draws of other rules', async () => {
		const world = await freshWorld(7);
		const outcomes = outcomesOf(1, 2, 3);
		const expected = Array.from({ length: 60 }, (_, i) => sample(world, site(2, i), outcomes));
		const chosen = Array.from({ length: 60 }, (_, i) => {
			sample(world, site(1, i), outcomes);
			const chosen = sample(world, site(2, i), outcomes);
			sample(world, site(9, i, 1), outcomesOf('1/340282366920938463463374607431768211457', 1));
			return chosen;
		});
		expect(chosen).toEqual(expected);
	});

	test('with a certain outcome always selects it', async () => {
		const world = await freshWorld(3);
		for (let tick = 0; tick < 50; tick++) {
			world.tick = tick;
			expect(sample(world, site(1), outcomesOf(0, 5, 0))).toBe(1);
		}
	});

	test('of weights too fine for 64 bits can still reach both ends', async () => {
		const world = await freshWorld(3);
		const outcomes = outcomesOf('1', '1/3402823669209384634633746074317682114570');
		for (let tick = 0; tick < 50; tick++) {
			world.tick = tick;
			expect(sample(world, site(1), outcomes)).toBe(0);
		}
	});
});

describe('other choosers', () => {
	test('an override applies at its source and entity, and other draws are sampled', async () => {
		const world = await freshWorld(7);
		const outcomes = outcomesOf(1, 1, 1, 0);
		const override = (rule: number, entity: number, outcome: number) => ({ rule, entity, outcome });
		const { chooser, unused } = overrideChance([
			override(2, 5, 0),
			override(2, 5, 1),
			override(1, 5, 2),
			override(2, 6, 3),
		]);
		const choose = (rule: number, entity: number) => chooser(world, { rule, entity, draw: 0 }, outcomes);
		expect(choose(1, 5)).toBe(2);
		expect(choose(2, 5)).toBe(0);
		expect(choose(2, 5)).toBe(1);
		const sampleAt = (rule: number, entity: number) => sample(world, { rule, entity, draw: 0 }, outcomes);
		expect(choose(2, 5)).toBe(sampleAt(2, 5));
		expect(choose(3, 5)).toBe(sampleAt(3, 5));
		expect(choose(2, 6), 'an outcome without weight').toBe(sampleAt(2, 6));
		expect([...unused]).toEqual([3]);
	});

	test('a run records each draw: its site, its outcomes and its probability', async () => {
		const world = await freshWorld(7);
		const [rule, crit] = [
			{ key: 1, name: 'rule 1' },
			{ key: 0xffff0000, name: 'crit' },
		];
		const outcome = (key: number, entity: number, index: number) => ({ rule: key, entity, outcome: index });
		const { chooser } = overrideChance([
			outcome(1, 4, 1),
			outcome(0xffff0000, NO_ENTITY, 0),
			outcome(1, 4, 1),
		]);
		const run = startChance(chooser);
		world.chance = run;
		expect(decide(world, rule, 4, outcomesOf(3, 1))).toBe(1);
		expect(decide(world, crit, NO_ENTITY, outcomesOf(1))).toBe(0);
		expect(decide(world, rule, 4, outcomesOf('1/2', '1/2'))).toBe(1);
		const share = (index: number, num: bigint, den = 1n) => ({
			label: `outcome ${index}`,
			probability: fraction(num, den),
		});
		const half = share(1, 1n, 2n);
		expect(run.choices).toEqual([
			{
				site: site(1, 4, 0),
				rule: 'rule 1',
				outcomes: [share(0, 3n, 4n), share(1, 1n, 4n)],
				outcome: 1,
				...share(1, 1n, 4n),
				common: 4n,
			},
			{
				site: site(0xffff0000, NO_ENTITY),
				rule: 'crit',
				outcomes: [share(0, 1n)],
				outcome: 0,
				...share(0, 1n),
				common: 1n,
			},
			{
				site: site(1, 4, 1),
				rule: 'rule 1',
				outcomes: [share(0, 1n, 2n), half],
				outcome: 1,
				...half,
				common: 2n,
			},
		]);
	});

	test('outside a tick, or in a system without declared chance, a draw is refused', async () => {
		const world = await freshWorld(7);
		const source = { key: 1, name: 'rule 1' };
		expect(() => decide(world, source, 0, outcomesOf(1))).toThrow('only during a tick');
		const run = startChance(sample);
		world.chance = run;
		run.mayDraw = false;
		expect(() => decide(world, source, 0, outcomesOf(1))).toThrow('rule 1 draws in a system');
		expect(run.choices).toEqual([]);
	});
});
