/**
 * Chance: every random thing of a tick is a declared distribution, and a chooser answers it.
 * Owns: distributions, and the choosers that sample or follow a script. There is no other source of chance.
 */

import { addFractions, divideFractions, type Fraction, fraction } from './fraction.ts';
import { type Counter, philox, uniformBelow } from './random.ts';
import type { World } from './world.ts';

/** One thing that can happen; weights need not sum to one. */
export interface Outcome {
	readonly label: string;
	readonly weight: Fraction;
}

/** Where in a tick a distribution is: the draws of a site do not depend on what other sites do. */
export interface Site {
	/** What declared it, such as a rule's id: a stable number below 2^32. */
	readonly rule: number;
	/** The entity it is about, or 2^32 - 1. */
	readonly entity: number;
	/** Counts the draws of this rule and entity in this tick. */
	readonly draw: number;
}

/** What declares distributions: a number for the random stream, and a name for people. */
export interface Source {
	/** Stable and below 2^32: a rule's entity id, or 0xffff0000 and up for the engine's own. */
	readonly key: number;
	/** Such as `rule 7`, `crit` or `loot`. */
	readonly name: string;
}

/** An outcome with its exact probability. */
export interface Share {
	readonly label: string;
	readonly probability: Fraction;
}

/** What was chosen, with its exact probability. */
export interface Choice {
	readonly site: Site;
	/** Name of the source. */
	readonly rule: string;
	/** Everything that could have been chosen, with exact probabilities. */
	readonly outcomes: readonly Share[];
	readonly outcome: number;
	readonly label: string;
	readonly probability: Fraction;
}

/** Answers with the index of the outcome that happens. */
export type Chooser = (world: World, site: Site, outcomes: readonly Outcome[]) => number;

/** What was worked out for lists of outcomes, which never change. */
const knownShares = new WeakMap<readonly Outcome[], readonly Share[]>();

/** The outcomes with their exact probabilities; these sum to one. Throws when no outcome has weight. */
function sharesOf(outcomes: readonly Outcome[]): readonly Share[] {
	let shares = knownShares.get(outcomes);
	if (shares === undefined) {
		const total = outcomes.reduce((sum, { weight }) => addFractions(sum, weight), fraction(0n));
		if (total.num <= 0n) throw new RangeError('a distribution needs an outcome with a weight above zero');
		shares = outcomes.map(({ label, weight }) => ({ label, probability: divideFractions(weight, total) }));
		knownShares.set(outcomes, shares);
	}
	return shares;
}

/** Exact probability of each outcome; they sum to one. Throws when no outcome has weight. */
export function probabilities(outcomes: readonly Outcome[]): Fraction[] {
	return sharesOf(outcomes).map(({ probability }) => probability);
}

/**
 * Draws from exactly the declared distribution, from a stream keyed by world seed, tick, rule, entity and draw.
 */
export const sample: Chooser = (world, site, outcomes) => {
	const shares = probabilities(outcomes);
	const den = shares.reduce((product, share) => lcm(product, share.den), 1n);
	const next32 = stream(world, site);
	let left = uniformBelow(den, next32);
	for (let i = 0; i < shares.length; i++) {
		const width = shares[i]!.num * (den / shares[i]!.den);
		if (left < width) return i;
		left -= width;
	}
	throw new RangeError('unreachable: the shares sum to one');
};

/** Follows a script of outcome indices, one per draw, and samples when the script is used up. */
export function scripted(script: readonly number[]): Chooser {
	let at = 0;
	return (world, site, outcomes) => {
		const index = script[at++];
		if (index === undefined) return sample(world, site, outcomes);
		if (index < 0 || index >= outcomes.length)
			throw new RangeError(`the script names outcome ${index} of ${outcomes.length}`);
		return index;
	};
}

/** The chance of one tick: who decides, and what has been decided so far, in order. */
export interface ChanceRun {
	readonly chooser: Chooser;
	readonly choices: Choice[];
	/** Draws so far by source and entity. */
	readonly draws: Map<string, number>;
	/** Whether the system that runs now has said that it may ask for chance. */
	open: boolean;
}

export function startChance(chooser: Chooser): ChanceRun {
	return { chooser, choices: [], draws: new Map(), open: true };
}

/** Entity of a site that is about no entity. */
export const NO_ENTITY = 0xffffffff;

/**
 * Decides which of the declared outcomes happens: the one door of chance into a tick. Outcomes with weight zero never
 * happen. Throws outside a tick, and when no outcome has weight.
 */
export function decide(world: World, source: Source, entity: number, outcomes: readonly Outcome[]): number {
	const run = world.chance;
	if (run === null) throw new Error('chance is decided in ticks only');
	if (!run.open)
		throw new Error(`${source.name} asks for chance in a system that is not marked with chance: true`);
	const id = `${source.key}/${entity}`;
	const draw = run.draws.get(id) ?? 0;
	run.draws.set(id, draw + 1);
	const site: Site = { rule: source.key, entity, draw };
	const shares = sharesOf(outcomes);
	const outcome = run.chooser(world, site, outcomes);
	run.choices.push({
		site,
		rule: source.name,
		outcomes: shares,
		outcome,
		...shares[outcome]!,
	});
	return outcome;
}

function lcm(a: bigint, b: bigint): bigint {
	let [x, y] = [a, b];
	while (y !== 0n) [x, y] = [y, x % y];
	return (a / x) * b;
}

/** The stream of one site: blocks of Philox, the block's number in the upper bits of the draw word. */
function stream(world: World, site: Site): () => number {
	const key = [world.seed >>> 0, Math.floor(world.seed / 2 ** 32) >>> 0] as const;
	let block: number[] = [];
	let number = 0;
	return () => {
		if (block.length === 0) {
			const draw = (site.draw | (number++ << 20)) >>> 0;
			const counter: Counter = [world.tick >>> 0, site.rule >>> 0, site.entity >>> 0, draw];
			block = [...philox(counter, key)];
		}
		return block.shift()!;
	};
}
