/**
 * Odds of the fake engine: the distribution of the next tick, and the outcome of a step.
 * Owns: a few example distributions. Never: part of the product.
 */

import type { ShownRule } from '../../../web/ui/make/rules/rules-state.ts';
import type { Choice, Factor, Fraction, Peek, Sampled } from '../../../web/ui/odds/odds.ts';

/** `none` has no draws. `many` has more outcomes than a peek lists. */
export type FakeChance = 'none' | 'few' | 'many';

interface Die {
	readonly rule: Choice['rule'];
	readonly entity: number | null;
	/** Label and weight of each outcome. */
	readonly faces: readonly (readonly [string, number])[];
}

const FEW: readonly Die[] = [
	{
		rule: 14,
		entity: 7,
		faces: [
			['crit', 6],
			['hit', 15],
			['miss', 3],
		],
	},
	{
		rule: 61,
		entity: 40,
		faces: [
			['no rune', 3],
			['shield', 2],
			['haste', 1],
		],
	},
];
const MANY: readonly Die[] = Array.from({ length: 24 }, (_, entity) => ({
	rule: 'crit',
	entity,
	faces: [
		['crit', 1],
		['hit', 5],
	],
}));

const rule = (id: number, name: string, when: unknown, filter: string): ShownRule => ({
	id,
	generation: 0,
	type: 'event',
	name,
	when,
	filter,
	priority: 0,
	once: false,
	enabled: true,
	created: 0,
	fired: false,
	firings: 0,
});

export const fakeRules: readonly ShownRule[] = [
	rule(3, 'a rule without chance', { kind: 'tick', every: 60 }, 'any'),
	rule(14, 'Wren’s blow', { kind: 'event', event: 'attack' }, 'role:hero'),
	rule(61, 'Rune at the ford', { kind: 'timer', interval: 20 }, 'any'),
];

function reducedFraction(num: number, den: number): Fraction {
	const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
	const factor = divisor(num, den);
	return { num: String(num / factor), den: String(den / factor) };
}

const totalWeight = ({ faces }: Die) => faces.reduce((sum, [, weight]) => sum + weight, 0);

const choiceOf = ({ rule, entity, faces }: Die, outcome: number): Choice => ({
	rule,
	entity,
	outcome,
	label: faces[outcome]![0],
});

const diceOf = (chance: FakeChance): readonly Die[] => ({ none: [], few: FEW, many: MANY })[chance];

interface FakeTick {
	readonly tick: number;
	readonly digest: string;
	/** Returns the digest of the state after an outcome. */
	readonly after: (choices: readonly Choice[]) => string;
}

/** Returns an answer of /peek. */
export function fakePeek({ tick, digest, after }: FakeTick, chance: FakeChance, maxBranches: number): Peek {
	const dice = diceOf(chance);
	let ways: { num: number; den: number; choices: readonly Choice[] }[] = [{ num: 1, den: 1, choices: [] }];
	for (const die of dice)
		ways = ways
			.flatMap(({ num, den, choices }) =>
				die.faces.map(([, weight], outcome) => ({
					num: num * weight,
					den: den * totalWeight(die),
					choices: [...choices, choiceOf(die, outcome)],
				})),
			)
			// Drops outcomes beyond the maximum early, so that `many` does not create all combinations.
			.slice(0, maxBranches);
	const exact = chance !== 'many';
	const covered = ways.reduce((sum, { num, den }) => sum + num / den, 0);
	const factors = dice.map(
		(die): Factor => ({
			exact: true,
			outcomes: die.faces.map(([, weight], outcome) => ({
				probability: reducedFraction(weight, totalWeight(die)),
				p: weight / totalWeight(die),
				choices: [choiceOf(die, outcome)],
			})),
		}),
	);
	return {
		ok: true,
		tick,
		next_tick: tick + 1,
		state_digest: digest,
		exact,
		covered: exact ? 1 : covered,
		covered_fraction: exact ? { num: '1', den: '1' } : reducedFraction(Math.round(covered * 64), 64),
		distribution: ways.map(({ num, den, choices }) => ({
			probability: reducedFraction(num, den),
			p: num / den,
			choices: [...choices],
			state_digest: after(choices),
		})),
		factors,
		distribution_digest: `${chance.padEnd(8, '0')}00000000`,
	};
}

/** Returns the draws of a step. */
export function fakeSample(chance: FakeChance, tick: number): Sampled {
	return diceOf(chance).map((die, index) => {
		const outcome = (tick + index) % die.faces.length;
		const weight = die.faces[outcome]![1];
		return {
			...choiceOf(die, outcome),
			probability: reducedFraction(weight, totalWeight(die)),
			p: weight / totalWeight(die),
		};
	});
}
