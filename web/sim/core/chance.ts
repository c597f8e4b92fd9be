/**
 * Chance: every random thing of a tick is a declared distribution, and a chooser answers it.
 * Owns: distributions, and the choosers that sample or take overrides. There is no other source of chance.
 */

import { commonDenominator, type Fraction, fraction } from '../../../shared/contract/fraction.ts';
import { type Counter, philox, SMALL_BOUND, smallUniformBelow, uniformBelow } from './random.ts';
import { nothingSpent, spend, type TickSpending } from './tick-budget.ts';
import type { World } from './world.ts';

/** One thing that can happen; weights need not sum to one. */
export interface ChanceOutcome {
	readonly label: string;
	readonly weight: Fraction;
}

/** Identifies a draw within a tick: the draws of a site do not depend on what other sites do. */
export interface ChanceSite {
	/** Id of its declaration, such as a rule's: a stable number below 2^32. */
	readonly rule: number;
	/** The subject, or 2^32 - 1 without one. */
	readonly entity: number;
	/** Counts the draws of this rule and entity in this tick. */
	readonly draw: number;
}

/** Source of distributions: a number for the random stream, and a name for people. */
export interface ChanceSource {
	/** Stable and below 2^32: a rule's entity id, or 0xffff0000 and up for the engine's own. */
	readonly key: number;
	/** Such as `rule 7`, `crit` or `loot`. */
	readonly name: string;
}

/** An outcome with its exact probability. */
export interface OutcomeShare {
	readonly label: string;
	readonly probability: Fraction;
}

/** Outcome that was chosen, with its exact probability. */
export interface ChanceChoice {
	readonly site: ChanceSite;
	/** Name of the source. */
	readonly rule: string;
	/** Everything that could have been chosen, with exact probabilities. */
	readonly outcomes: readonly OutcomeShare[];
	readonly outcome: number;
	readonly label: string;
	readonly probability: Fraction;
	/** Common denominator of everything that could have been chosen. */
	readonly common: bigint;
}

/** Answers with the index of the outcome that happens. */
export type Chooser = (world: World, site: ChanceSite, outcomes: readonly ChanceOutcome[]) => number;

/** Returns a chooser for one tick; a new one each time, so that the tick can be re-run. */
export type Choosing = () => Chooser;

/** Numbers that are derived from a list of outcomes. */
interface OutcomeOdds {
	readonly shares: readonly OutcomeShare[];
	/** Common denominator of the shares. */
	readonly common: bigint;
	/** Denominator: the drawn whole number is below it. Plain when it is small. */
	readonly den: number | bigint;
	/** Upper bound of the numbers that select each outcome; the last is `den`. */
	readonly ends: readonly (number | bigint)[];
}

/** By list of outcomes, which never changes: a declaration that is evaluated again hands in the same list. */
const cachedOdds = new WeakMap<readonly ChanceOutcome[], OutcomeOdds>();

/** Returns the odds of a list of outcomes. Throws when no outcome has weight. */
function oddsOf(outcomes: readonly ChanceOutcome[]): OutcomeOdds {
	let odds = cachedOdds.get(outcomes);
	if (odds === undefined) {
		odds = workOut(outcomes);
		cachedOdds.set(outcomes, odds);
	}
	return odds;
}

function workOut(outcomes: readonly ChanceOutcome[]): OutcomeOdds {
	const common = commonDenominator(outcomes.map(({ weight }) => weight));
	if (common === null) throw new RangeError('the weights of a distribution have no short common denominator');
	const whole = outcomes.map(({ weight }) => weight.num * (common / weight.den));
	const total = whole.reduce((sum, weight) => sum + weight, 0n);
	if (total <= 0n) throw new RangeError('a distribution needs an outcome with a weight above zero');
	const shares = outcomes.map(({ label }, i) => ({ label, probability: fraction(whole[i]!, total) }));
	const den = shares.reduce((product, { probability }) => lcm(product, probability.den), 1n);
	let end = 0n;
	const ends = shares.map(({ probability }) => {
		end += probability.num * (den / probability.den);
		return end;
	});
	const scaled = den <= SMALL_BOUND ? { den: Number(den), ends: ends.map(Number) } : { den, ends };
	return { shares, common: den, ...scaled };
}

/** Exact probability of each outcome; they sum to one. Throws when no outcome has weight. */
export function probabilities(outcomes: readonly ChanceOutcome[]): Fraction[] {
	return oddsOf(outcomes).shares.map(({ probability }) => probability);
}

/**
 * Draws from exactly the declared distribution, from a stream keyed by world seed, tick, rule, entity and draw.
 */
export const sample: Chooser = (world, site, outcomes) => {
	const { den, ends } = oddsOf(outcomes);
	const next32 = stream(world, site);
	const value = typeof den === 'number' ? smallUniformBelow(den, next32) : uniformBelow(den, next32);
	return ends.findIndex((end) => value < end);
};

/** A chosen outcome for one draw. */
export interface Override {
	/** Key of the source. */
	readonly rule: number;
	/** The subject, or 2^32 - 1 without one. */
	readonly entity: number;
	readonly outcome: number;
}

/** A chooser that applies overrides, and the overrides that no draw has used so far, by index. */
export interface Overridden {
	readonly chooser: Chooser;
	readonly unused: ReadonlySet<number>;
}

/** Overridden draws have the given outcomes, several of one source and entity in the order of the list; all others are sampled. */
export function overriding(overrides: readonly Override[]): Overridden {
	const unused = new Set(overrides.keys());
	const chooser: Chooser = (world, site, outcomes) => {
		for (const at of unused) {
			const { rule, entity, outcome } = overrides[at]!;
			if (rule !== site.rule || entity !== site.entity) continue;
			const weight = outcomes[outcome]?.weight.num ?? 0n;
			if (weight <= 0n) break;
			unused.delete(at);
			return outcome;
		}
		return sample(world, site, outcomes);
	};
	return { chooser, unused };
}

/** Counts of a tick so far. */
export type TickWork = Pick<ChanceRun, 'spent' | 'owned'>;

/** The chance of one tick: the decider, and the decisions so far, in order. */
export interface ChanceRun {
	readonly chooser: Chooser;
	readonly choices: ChanceChoice[];
	/** Draws so far by source and entity. */
	readonly draws: Map<string, number>;
	/** True if the running system has declared that it draws. */
	mayDraw: boolean;
	/** Work that the tick has done so far. */
	readonly spent: TickSpending;
	/** Entities of each agent, with those that the tick spawned; null until one is spawned for an agent. */
	owned: Map<number, number> | null;
}

export function startChance(chooser: Chooser): ChanceRun {
	return { chooser, choices: [], draws: new Map(), mayDraw: true, spent: nothingSpent(), owned: null };
}

/** Work of a tick so far, for a branch that continues from there. */
export function workOf({ spent, owned }: TickWork): TickWork {
	return { spent: { ...spent }, owned: owned && new Map(owned) };
}

/** Takes back all choices of a run but the first `count`, and sets its work to what was done by then. */
export function rewind(run: ChanceRun, count: number, { spent, owned }: TickWork): void {
	for (const { site } of run.choices.splice(count).reverse())
		run.draws.set(`${site.rule}/${site.entity}`, site.draw);
	Object.assign(run.spent, spent);
	run.owned = owned && new Map(owned);
}

/** Entity of a site without a subject. */
export const NO_ENTITY = 0xffffffff;

/**
 * Decides which of the declared outcomes happens: the only entry of chance into a tick. Outcomes with weight zero never
 * happen. Throws outside a tick, and when no outcome has weight.
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
	const id = `${source.key}/${entity}`;
	const draw = run.draws.get(id) ?? 0;
	run.draws.set(id, draw + 1);
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

/** Returns the stream of one site: blocks of Philox, the block's number in the upper bits of the draw word. */
function stream(world: World, site: ChanceSite): () => number {
	const key = [world.seed >>> 0, Math.floor(world.seed / 2 ** 32) >>> 0] as const;
	let block: readonly number[] = [];
	let taken = 0;
	let number = 0;
	return () => {
		if (taken === block.length) {
			const draw = (site.draw | (number++ << 20)) >>> 0;
			const counter: Counter = [world.tick >>> 0, site.rule >>> 0, site.entity >>> 0, draw];
			block = philox(counter, key);
			taken = 0;
		}
		return block[taken++]!;
	};
}
