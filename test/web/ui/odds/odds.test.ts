/**
 * The rows of odds: sorted, summed and matched exactly.
 * Owns: the cases of odds.ts, with invented answers and with those of a real engine.
 */

import { describe, expect, it } from 'vitest';
import {
	allDraws,
	type Branch,
	type Choice,
	drawnRows,
	type Factor,
	isOne,
	oddsRows,
	type Peek,
	partsOf,
	remainder,
	rulerCells,
	type Sampled,
	sumOf,
	tallyOf,
} from '../../../../web/ui/odds/odds.ts';
import { startEngine } from '../../../support/engine.ts';

const choice = (
	rule: Choice['rule'],
	outcome: number,
	label: string,
	entity: number | null = null,
): Choice => ({
	rule,
	entity,
	outcome,
	label,
});
const branchOf = (num: number, den: number, choices: Choice[], digest: string): Branch => ({
	probability: { num: String(num), den: String(den) },
	p: num / den,
	choices,
	state_digest: digest,
});
const outcome = (num: number, den: number, ...choices: Choice[]) => ({
	probability: { num: String(num), den: String(den) },
	p: num / den,
	choices,
});

describe('fractions', () => {
	it('are summed and subtracted exactly, in lowest terms, at any length', () => {
		const thirds = [outcome(1, 3), outcome(1, 6), outcome(1, 2)];
		expect(isOne(sumOf(thirds))).toBe(true);
		expect(sumOf(thirds.slice(0, 2))).toEqual({ num: '1', den: '2' });
		const huge = { num: '1', den: '340282366920938463463374607431768211456' };
		expect(sumOf([{ probability: huge }, { probability: huge }])).toEqual({
			num: '1',
			den: '170141183460469231731687303715884105728',
		});
		expect(remainder({ num: '61', den: '64' })).toEqual({ num: '3', den: '64' });
		expect(isOne(sumOf([]))).toBe(false);
	});
});

describe('oddsRows', () => {
	it('sorts by the exact fraction, the likeliest first, and keeps the order of equal ones', () => {
		// These fractions are equal as 64-bit numbers.
		const den = 2 ** 53;
		const nearly = (extra: string, digest: string): Branch => ({
			probability: { num: `1${'0'.repeat(30)}${extra}`, den: `3${'0'.repeat(31)}` },
			p: 1 / 3,
			choices: [],
			state_digest: digest,
		});
		const distribution = [
			nearly('1', 'less'),
			nearly('2', 'more'),
			nearly('1', 'less too'),
			branchOf(1, den, [], 'least'),
		];
		const rows = oddsRows({ distribution, factors: [] });
		expect(rows.map((row) => row.branch.state_digest)).toEqual(['more', 'less', 'less too', 'least']);
	});

	it('names the outcomes of the factors in each combination', () => {
		const factors: Factor[] = [
			{
				exact: true,
				outcomes: [outcome(1, 4, choice(14, 0, 'crit', 7)), outcome(3, 4, choice(14, 1, 'hit', 7))],
			},
			{
				exact: true,
				outcomes: [outcome(1, 2, choice(61, 0, 'none')), outcome(1, 2, choice(61, 1, 'haste'))],
			},
		];
		const distribution = [0, 1].flatMap((a) =>
			[0, 1].map((b) =>
				branchOf(
					[1, 3][a]!,
					8,
					[choice(14, a, ['crit', 'hit'][a]!, 7), choice(61, b, ['none', 'haste'][b]!)],
					`${a}${b}`,
				),
			),
		);
		const rows = oddsRows({ distribution, factors });
		expect(Object.fromEntries(rows.map((row) => [row.branch.state_digest, row.parts]))).toEqual({
			'00': [0, 0],
			'01': [0, 1],
			'10': [1, 0],
			'11': [1, 1],
		});
	});

	it('distinguishes draws of one source for one entity by their number', () => {
		const factorOf = (label: string): Factor => ({
			exact: true,
			outcomes: [outcome(1, 2, choice('loot', 0, label, 3)), outcome(1, 2, choice('loot', 1, 'nothing', 3))],
		});
		const factors = [factorOf('coin'), factorOf('potion')];
		const taken = [choice('loot', 1, 'nothing', 3), choice('loot', 0, 'potion', 3)];
		expect(partsOf(factors, taken)).toEqual([1, 0]);
		expect(allDraws([{ choices: taken }]).map(({ key }) => key)).toEqual(['loot/3/0', 'loot/3/1']);
	});

	it('omits parts that a factor does not list', () => {
		const factors: Factor[] = [{ exact: false, outcomes: [outcome(1, 4, choice(1, 0, 'a'))] }];
		expect(partsOf(factors, [choice(1, 5, 'f')])).toEqual([-1]);
	});
});

describe('drawnRows', () => {
	const rows = oddsRows({
		distribution: [
			branchOf(1, 2, [choice(1, 0, 'a')], 'same'),
			branchOf(1, 3, [choice(1, 1, 'b')], 'same'),
			branchOf(1, 6, [choice(1, 2, 'c')], 'other'),
		],
		factors: [],
	});
	const sampled = (outcome: number): Sampled => [
		{ ...choice(1, outcome, ''), probability: { num: '1', den: '2' }, p: 0.5 },
	];
	it('finds the outcome with exactly the choices of the step', () => {
		expect(drawnRows(rows, 'same', sampled(1))).toEqual([1]);
		expect(drawnRows(rows, 'same', sampled(7))).toEqual([]);
		expect(drawnRows(rows, 'same', [])).toEqual([]);
	});
	it('finds all outcomes with the state if only that is known', () => {
		expect(drawnRows(rows, 'same', null)).toEqual([0, 1]);
		expect(drawnRows(rows, 'other', null)).toEqual([2]);
		expect(drawnRows(rows, 'elsewhere', null)).toEqual([]);
	});
});

describe('rulerCells', () => {
	const factor = (count: number): Factor => ({
		exact: true,
		outcomes: Array.from({ length: count }, (_, index) =>
			outcome(1, count, choice(1, index, `face ${index + 1}`)),
		),
	});
	it('cuts the unit interval without a gap', () => {
		const cells = rulerCells(factor(6));
		expect(cells).toHaveLength(6);
		for (const [index, { from }] of cells.entries()) expect(from).toBeCloseTo(index / 6, 12);
		expect(cells.at(-1)!.from + cells.at(-1)!.width).toBeCloseTo(1, 12);
	});
	it('combines the last of many outcomes, with their sum', () => {
		const cells = rulerCells(factor(30), 24);
		expect(cells).toHaveLength(25);
		expect(cells.at(-1)).toMatchObject({
			outcome: null,
			label: '6 more',
			probability: { num: '1', den: '5' },
		});
	});
	it('ends with the outcomes that were not enumerated', () => {
		const cells = rulerCells({
			exact: false,
			covered_fraction: { num: '3', den: '4' },
			outcomes: [outcome(3, 4, choice(1, 0, 'a'))],
		});
		expect(cells.at(-1)).toMatchObject({
			outcome: null,
			from: 0.75,
			width: 0.25,
			probability: { num: '1', den: '4' },
		});
	});
});

it('counts adjacent equal labels', () => {
	const labels = ['hit', 'hit', 'crit', 'hit'].map((label, index) => choice('crit', 0, label, index));
	expect(tallyOf(labels)).toBe('2 × hit, crit, hit');
	expect(tallyOf([])).toBe('');
});

it('finds every outcome of a real engine in its factors, also with dependent draws', async () => {
	const { engine, must } = await startEngine({ seed: 5 });
	const { id } = await must('POST', '/spawn', { health: 100, tags: ['hero'] });
	const target = { entity: id };
	await must('POST', '/rule/create', {
		name: 'poison',
		when: { kind: 'tick', every: 1 },
		priority: 2,
		outcomes: [
			{
				label: 'poisoned',
				weight: 1,
				do: [{ action: 'set_field', target, field: 'health.current', value: 10 }],
			},
			{ label: 'well', weight: 2 },
		],
	});
	await must('POST', '/rule/create', {
		name: 'fear',
		when: { kind: 'field', field: 'health.current', op: 'less', value: 50, edge: 'level' },
		outcomes: [
			{ label: 'flees', weight: 1, do: [{ action: 'emit', name: 'flees' }] },
			{ label: 'stands', weight: 4 },
		],
	});
	await must('POST', '/rule/create', {
		name: 'coin',
		when: { kind: 'tick', every: 1 },
		outcomes: [
			{ label: 'heads', weight: 1, do: [{ action: 'emit', name: 'heads' }] },
			{ label: 'tails', weight: 1 },
		],
	});
	const peek = (await must('POST', '/peek')) as unknown as Peek;
	const rows = oddsRows(peek);
	expect(rows).toHaveLength(6);
	expect(isOne(sumOf(peek.distribution))).toBe(true);
	for (const { branch, parts } of rows) {
		expect(parts).not.toContain(-1);
		const product = parts.map((part, factor) => peek.factors[factor]!.outcomes[part]!.probability);
		const [num, den] = product.reduce(
			([n, d], part) => [n * BigInt(part.num), d * BigInt(part.den)],
			[1n, 1n],
		);
		expect(num * BigInt(branch.probability.den)).toBe(BigInt(branch.probability.num) * den);
	}
	const { sampled, state_digest } = await must('POST', '/step');
	const drawn = drawnRows(rows, String(state_digest), sampled as Sampled);
	expect(drawn).toHaveLength(1);
	expect(rows[drawn[0]!]!.branch.state_digest).toBe(state_digest);
	engine.close();
});
