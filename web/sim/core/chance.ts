/**
 * Chance: every random decision of a tick has a declared distribution, and a chooser picks the outcome.
 * Owns: distributions, and the choosers that sample or apply overrides. There is no other source of chance.
 */

import { commonDenominator, type Fraction, fraction } from '../../../shared/contract/fraction.ts';
import { type Counter, philox, SMALL_BOUND, smallUniformBelow, uniformBelow } from './random.ts';
import { noSpending, spend, type TickSpending } from './tick-budget.ts';
import type { World } from './world.ts';

/** One possible outcome. The weights of a distribution need not sum to one. */
export interface ChanceOutcome {
	readonly label: string;
	readonly weight: Fraction;
}

/** Identifies a draw within a tick. The draws of a site do not depend on other sites. */
export interface ChanceSite {
	/** Key of its source, such as the id of a rule: a stable number below 2^32. */
	readonly rule: number;
	/** The subject, or 2^32 - 1 without one. */
	readonly entity: number;
	/** Number of earlier draws of this rule and entity in this tick. */
	readonly draw: number;
}

/** Source of distributions: a number for the random stream, and a name for people. */
export interface ChanceSource {
	/** Stable number below 2^32: the entity id of a rule, or at least 0xffff0000 for sources of the engine. */
	readonly key: number;
	/** Name for people, such as `rule 7`, `crit` or `loot`. */
	readonly name: string;
}

/** An outcome with its exact probability. */
export interface OutcomeShare {
	readonly label: string;
	readonly probability: Fraction;
}

/** The result of a draw: the chosen outcome with its exact probability, and all possible outcomes. */
export interface ChanceChoice {
	readonly site: ChanceSite;
	/** Name of the source. */
	readonly rule: string;
	/** All possible outcomes, with exact probabilities. */
	readonly outcomes: readonly OutcomeShare[];
	/** Index of the chosen outcome. */
	readonly outcome: number;
	readonly label: string;
	readonly probability: Fraction;
	/** Common denominator of all possible outcomes. */
	readonly common: bigint;
}

/** Returns the index of the outcome that happens. */
export type Chooser = (world: World, site: ChanceSite, outcomes: readonly ChanceOutcome[]) => number;

/** Creates a chooser for one tick. Each call returns a new one, so that the tick can be re-run. */
export type ChooserFactory = () => Chooser;

/** Numbers that are derived from a list of outcomes. */
interface OutcomeOdds {
	readonly shares: readonly OutcomeShare[];
	/** Common denominator of the shares. */
	readonly common: bigint;
	/** Denominator: the drawn whole number is below it. It is a plain number if it is small. */
	readonly den: number | bigint;
	/** Upper bound of the numbers that select each outcome; the last is `den`. */
	readonly ends: readonly (number | bigint)[];
}

/** Odds by list of outcomes. Lists never change, and a source passes the same list each time. */
const cachedOdds = new WeakMap<readonly ChanceOutcome[], OutcomeOdds>();

/** Returns the odds of a list of outcomes. Throws if all weights are zero. */
function oddsOf(outcomes: readonly ChanceOutcome[]): OutcomeOdds {
	let odds = cachedOdds.get(outcomes);
	if (odds === undefined) {
		odds = computeOdds(outcomes);
		cachedOdds.set(outcomes, odds);
	}
	return odds;
}

function computeOdds(outcomes: readonly ChanceOutcome[]): OutcomeOdds {
	const common = commonDenominator(outcomes.map(({ weight }) => weight));
	if (common === null) throw new RangeError('the weights of a distribution have no short common denominator');
	const wholeWeights = outcomes.map(({ weight }) => weight.num * (common / weight.den));
	const total = wholeWeights.reduce((sum, weight) => sum + weight, 0n);
	if (total <= 0n) throw new RangeError('a distribution needs an outcome with a weight above zero');
	const shares = outcomes.map(({ label }, i) => ({ label, probability: fraction(wholeWeights[i]!, total) }));
	const den = shares.reduce((product, { probability }) => lcm(product, probability.den), 1n);
	let end = 0n;
	const ends = shares.map(({ probability }) => {
		end += probability.num * (den / probability.den);
		return end;
	});
	const numbers = den <= SMALL_BOUND ? { den: Number(den), ends: ends.map(Number) } : { den, ends };
	return { shares, common: den, ...numbers };
}

/** Returns the exact probability of each outcome; they sum to one. Throws if all weights are zero. */
export function probabilitiesOf(outcomes: readonly ChanceOutcome[]): Fraction[] {
	return oddsOf(outcomes).shares.map(({ probability }) => probability);
}

/**
 * Draws from exactly the declared distribution. Its random stream depends on world seed, tick, rule, entity and draw.
 */
export const sample: Chooser = (world, site, outcomes) => {
	const { den, ends } = oddsOf(outcomes);
	const next32 = randomStream(world, site);
	const value = typeof den === 'number' ? smallUniformBelow(den, next32) : uniformBelow(den, next32);
	return ends.findIndex((end) => value < end);
};

/** Outcome that replaces the result of one draw. */
export interface Override {
	/** Key of the source. */
	readonly rule: number;
	/** The subject, or 2^32 - 1 without one. */
	readonly entity: number;
	readonly outcome: number;
}

/** A chooser that applies overrides, and the indexes of the overrides that no draw has used so far. */
export interface OverriddenChance {
	readonly chooser: Chooser;
	readonly unused: ReadonlySet<number>;
}

/**
 * Returns a chooser that applies overrides and samples all other draws. Several overrides of one source and entity apply
 * in the order of the list.
 */
export function overrideChance(overrides: readonly Override[]): OverriddenChance {
	const unused = new Set(overrides.keys());
	const chooser: Chooser = (world, site, outcomes) => {
		for (const index of unused) {
			const { rule, entity, outcome } = overrides[index]!;
			if (rule !== site.rule || entity !== site.entity) continue;
			const weight = outcomes[outcome]?.weight.num ?? 0n;
			if (weight <= 0n) break;
			unused.delete(index);
			return outcome;
		}
		return sample(world, site, outcomes);
	};
	return { chooser, unused };
}

/** Work of a tick so far. */
export type TickWork = Pick<ChanceRun, 'spent' | 'owned'>;

/** The state of chance during one tick: the chooser, and its choices so far, in order. */
export interface ChanceRun {
	readonly chooser: Chooser;
	readonly choices: ChanceChoice[];
	/** Draws so far by source and entity. */
	readonly draws: Map<string, number>;
	/** True if the running system has declared that it draws. */
	mayDraw: boolean;
	/** Work that the tick has done so far. */
	readonly spent: TickSpending;
	/** Number of entities of each agent; null until the tick spawns an entity for an agent. */
	owned: Map<number, number> | null;
}

export function startChance(chooser: Chooser): ChanceRun {
	return { chooser, choices: [], draws: new Map(), mayDraw: true, spent: noSpending(), owned: null };
}

/** Copies the work of a tick so far, for a branch that continues from there. */
export function copyWork({ spent, owned }: TickWork): TickWork {
	return { spent: { ...spent }, owned: owned && new Map(owned) };
}

/** Undoes the choices of a run except the first `count`. Sets its work to the work at that time. */
export function rewindChance(run: ChanceRun, count: number, { spent, owned }: TickWork): void {
	for (const { site } of run.choices.splice(count).reverse())
		run.draws.set(`${site.rule}/${site.entity}`, site.draw);
	Object.assign(run.spent, spent);
	run.owned = owned && new Map(owned);
}

/** Entity of a site without a subject. */
export const NO_ENTITY = 0xffffffff;

/**
 * Returns the index of the outcome that happens. This is the only entry of chance into a tick. Outcomes with weight zero
 * never happen. Throws outside a tick, and if all weights are zero.
 */
export function decide(
	world: World,
	source: ChanceSource,
	entity: number,
	outcomes: readonly ChanceOutcome[],
): number {
	const run = world.chance;
	if (run === null) throw new Error('a draw is possible only during a tick');
	if (!run.mayDraw) throw new Error(`${source.name} draws in a system that declares no chance`);
	spend(world, 'actions');
	const drawKey = `${source.key}/${entity}`;
	const draw = run.draws.get(drawKey) ?? 0;
	run.draws.set(drawKey, draw + 1);
	const site: ChanceSite = { rule: source.key, entity, draw };
	const { shares, common } = oddsOf(outcomes);
	const outcome = run.chooser(world, site, outcomes);
	const { label, probability } = shares[outcome]!;
	run.choices.push({ site, rule: source.name, outcomes: shares, outcome, label, probability, common });
	return outcome;
}

function lcm(a: bigint, b: bigint): bigint {
	let [x, y] = [a, b];
	while (y !== 0n) [x, y] = [y, x % y];
	return (a / x) * b;
}

/** Returns the random stream of one site: blocks of Philox, with the block's number in the upper bits of the draw word. */
function randomStream(world: World, site: ChanceSite): () => number {
	const key = [world.seed >>> 0, Math.floor(world.seed / 2 ** 32) >>> 0] as const;
	let block: readonly number[] = [];
	let usedWords = 0;
	let blockNumber = 0;
	return () => {
		if (usedWords === block.length) {
			const draw = (site.draw | (blockNumber++ << 20)) >>> 0;
			const counter: Counter = [world.tick >>> 0, site.rule >>> 0, site.entity >>> 0, draw];
			block = philox(counter, key);
			usedWords = 0;
		}
		return block[usedWords++]!;
	};
}
