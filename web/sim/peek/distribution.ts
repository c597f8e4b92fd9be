/**
 * The exact distribution of the next tick's draws.
 * Owns: its two forms. The joint form lists every branch of the tick with its digest. The factored form has independent
 * groups of draws, whose product is the joint distribution. It stays small even if there are very many branches.
 */

import {
	bitsOf,
	type Fraction,
	type LongFraction,
	LongSum,
	reduced,
	toNumber,
	type WrittenFraction,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { ChanceChoice, ChanceSite } from '../core/chance.ts';
import { digest } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import type { DrawGroups } from './draw-groups.ts';
import { type BranchFilter, type DrawnWorld, enumerate } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface ShownChoice {
	/** Id of the rule, or the name of a draw of the engine, such as `crit`. */
	readonly rule: number | string;
	/** Entity of the draw, or null. */
	readonly entity: number | null;
	/** Index of the outcome. */
	readonly outcome: number;
	readonly label: string;
}

export interface ShownOutcome {
	readonly probability: WrittenFraction;
	/** The probability as the nearest 64-bit number. */
	readonly p: number;
	/** Choices of the branch. The list is shared, so it must not be changed. */
	readonly choices: ShownChoice[];
}

/** Draws that may depend on each other, and their joint outcomes. */
export interface DrawFactor {
	/** True if all joint outcomes are listed, so that the probabilities sum to one. */
	readonly exact: boolean;
	/** Probability of the listed outcomes; omitted if `exact` is true. */
	readonly covered_fraction?: WrittenFraction;
	readonly outcomes: ShownOutcome[];
}

/** Maximum number of joint outcomes in one factor, and maximum product of outcomes and entities. */
const MAX_FACTOR = 4096;
const MAX_FACTOR_ENTITIES = 2 ** 22;
/** With more joint outcomes than this, only the first is listed. A long partial list would be useless and cost time on every step. */
const TOO_MANY_OUTCOMES = 2 ** 16;

/**
 * Returns the maximum number of choices in all listed branches. Branches with hundreds of draws are too long to be useful,
 * and the factors have the same information.
 */
const maxChoices = (maxBranches: number): number => 32 * Math.max(maxBranches, 4096);

/**
 * Maximum number of bits of a written probability (about 20,000 digits), and maximum sum of their squares in one list. The
 * cost of a probability grows with the square of its bits.
 */
const MAX_BITS = 2 ** 16;
const MAX_BITS_SQUARED = 2 ** 38;

/** Budget of one list for long probabilities. */
class ProbabilityBudget {
	#remaining = MAX_BITS_SQUARED;

	/** Returns the probability of the choices; undefined if it exceeds the budget. */
	probabilityOf(choices: readonly ChanceChoice[]): LongFraction | undefined {
		const dens = choices.map(({ common }) => common);
		const bits = dens.reduce((sum, den) => sum + bitsOf(den), 0);
		this.#remaining -= bits * bits;
		if (bits > MAX_BITS || this.#remaining < 0) return undefined;
		const num = choices.reduce(
			(product, { probability, common }) => product * probability.num * (common / probability.den),
			1n,
		);
		return { num, dens };
	}
}

/** One possible branch of the tick, with the outcome of each draw. */
interface WorldBranch {
	readonly probability: Fraction;
	readonly choices: readonly ChanceChoice[];
	/** Cached form for the answer. */
	shown?: ShownOutcome;
}

export interface Joint {
	/** All branches in order, unmerged; null if some are missing. */
	readonly branches: readonly WorldBranch[] | null;
	readonly distribution: (ShownOutcome & {
		readonly state_digest: string;
		/** True if the condition holds after this branch; left out without a condition. */
		readonly holds?: boolean;
	})[];
	/** True if every branch is listed. */
	readonly exact: boolean;
	/** Probability of all listed branches. */
	readonly covered: Fraction;
	/** Probability of the listed branches after which the condition holds. */
	readonly holding: Fraction;
}

const ENGINE_KEYS = 0xffff0000;

/** A choice that the branches of a tick share, with its form for the answer. */
interface SharedChoice {
	readonly choice: ChanceChoice;
	readonly shown: ShownChoice;
}

/** Last choice of each outcome, by list of outcomes. Branches of a tick repeat the same choices. */
const lastChoicesByOutcomes = new WeakMap<ChanceChoice['outcomes'], SharedChoice[]>();

function shareChoice(choice: ChanceChoice): SharedChoice {
	const { site, rule, outcome, label, outcomes } = choice;
	let lastChoices = lastChoicesByOutcomes.get(outcomes);
	if (lastChoices === undefined) {
		lastChoices = [];
		lastChoicesByOutcomes.set(outcomes, lastChoices);
	}
	const last = lastChoices[outcome];
	const before = last?.choice;
	if (
		last !== undefined &&
		before!.rule === rule &&
		before!.site.rule === site.rule &&
		before!.site.entity === site.entity &&
		before!.site.draw === site.draw
	)
		return last;
	const listed = {
		rule: site.rule >= ENGINE_KEYS ? rule : site.rule,
		entity: site.entity === 0xffffffff ? null : site.entity,
		outcome,
		label,
	};
	const fresh = { choice, shown: listed };
	lastChoices[outcome] = fresh;
	return fresh;
}

export const showChoice = (choice: ChanceChoice): ShownChoice => shareChoice(choice).shown;

function showOutcome(probability: Fraction, choices: readonly ChanceChoice[]): ShownOutcome {
	return { ...writtenOdds(probability), choices: choices.map(showChoice) };
}

const writtenOdds = (odds: Fraction) => ({ probability: writeFraction(odds), p: toNumber(odds) });

function sumOf(first: LongFraction): LongSum {
	const sum = new LongSum();
	sum.add(first);
	return sum;
}

function shownBranch(branch: WorldBranch): ShownOutcome {
	branch.shown ??= showOutcome(branch.probability, branch.choices);
	return branch.shown;
}

/** A listed branch, with the merged branches that lead to the same digest. */
interface ListedBranch {
	readonly branch: WorldBranch;
	readonly probability: LongFraction;
	/** Sum of the probabilities with merged branches; null without merged branches. */
	sum: LongSum | null;
	readonly after: { readonly state_digest: string; readonly holds?: boolean };
}

/**
 * Returns at most `maxBranches` branches of the next tick. With `merge`, branches with the same digest are merged. `holds`
 * is evaluated after each branch. The world must not change before the end.
 */
export function* jointDistribution(
	world: World,
	maxBranches: number,
	merge: boolean,
	holds?: (after: World) => boolean,
): SlicedWork<Joint> {
	const branches: WorldBranch[] = [];
	const listed: ListedBranch[] = [];
	const byDigest = new Map<string, ListedBranch>();
	const covered = new LongSum();
	const holding = new LongSum();
	let exact = true;
	let count = 0;
	const choiceLimit = maxChoices(maxBranches);
	const budget = new ProbabilityBudget();
	for (const { world: after, choices } of enumerate(world)) {
		count += choices.length;
		const isFull = branches.length === maxBranches || count > choiceLimit;
		const probability = isFull ? undefined : budget.probabilityOf(choices);
		if (probability === undefined) {
			exact = false;
			break;
		}
		// Choices are shared to save memory, because thousands of branches are kept until the end.
		const branch = {
			probability: reduced(probability),
			choices: choices.map((choice) => shareChoice(choice).choice),
		};
		branches.push(branch);
		covered.add(probability);
		const state_digest = digest(after);
		const verdict = holds === undefined ? {} : { holds: holds(after) };
		if (verdict.holds === true) holding.add(probability);
		const same = byDigest.get(state_digest);
		if (same === undefined) {
			const first: ListedBranch = { branch, probability, sum: null, after: { state_digest, ...verdict } };
			if (merge) byDigest.set(state_digest, first);
			listed.push(first);
		} else {
			same.sum ??= sumOf(same.probability);
			same.sum.add(probability);
		}
		yield;
	}
	const distribution = [];
	for (const { branch, sum, after } of listed) {
		const listed = shownBranch(branch);
		const odds = sum === null ? listed : { ...writtenOdds(sum.total()), choices: listed.choices };
		distribution.push({ ...odds, ...after });
		yield;
	}
	return {
		distribution,
		exact,
		covered: covered.total(),
		holding: holding.total(),
		branches: exact ? branches : null,
	};
}

/** Data of a tick from before it ran, for its factors. */
interface TickStart {
	/** Groups of the world before the tick. */
	readonly groups: DrawGroups;
	/** Number of entities before the tick. */
	readonly entities: number;
	/** Enumerates the branches of the tick. */
	branches(walks: BranchFilter): Generator<DrawnWorld, void>;
}

/**
 * Returns the factors of the next tick without running it. `joint` is its joint distribution. The world must not change
 * before the end.
 */
export function* factorsOf(world: World, joint: Joint): SlicedWork<DrawFactor[]> {
	const [first] = joint.branches ?? enumerate(world, () => false);
	if (first === undefined) return [];
	const branches = (walks: BranchFilter) => enumerate(world, walks);
	const before = { groups: interactionGroups(world), entities: world.entities.count, branches };
	return yield* factorsFrom(before, first.choices, joint.branches);
}

/**
 * Returns the factors from one branch of the tick. One branch is enough, because the first draw of each group, and all
 * draws outside the entangled groups, occur in every branch. `before` is null if no draws are entangled. `branches` are
 * all branches if they have been enumerated.
 */
export function* factorsFrom(
	before: TickStart | null,
	choices: readonly ChanceChoice[],
	branches: readonly WorldBranch[] | null = null,
): SlicedWork<DrawFactor[]> {
	if (before === null || choices.length === 0) return choices.map(soleFactor);
	const { groupByKey: of, entangled } = before.groups;
	const groupOf = ({ site, rule }: ChanceChoice) => {
		const group = of.get(site.rule);
		if (group === undefined) throw new Error(`${rule} draws on this tick without having declared it`);
		return group;
	};
	const occurringGroups = new Set(choices.map(groupOf));
	const factors = choices.filter((choice) => !entangled.includes(groupOf(choice))).map(soleFactor);
	for (const group of entangled) {
		if (!occurringGroups.has(group)) continue;
		const members = ({ choices }: WorldBranch) => choices.every((choice) => groupOf(choice) === group);
		if (branches?.every(members) && branches.length <= maxOutcomes(before, branches[0]!.choices))
			factors.push({ exact: true, outcomes: branches.map(shownBranch) });
		else factors.push(yield* groupFactor(before, group));
	}
	return factors;
}

function soleFactor(choice: ChanceChoice): DrawFactor {
	const outcomes = choice.outcomes.flatMap(({ label, probability }, outcome) =>
		probability.num === 0n ? [] : [showOutcome(probability, [{ ...choice, outcome, label, probability }])],
	);
	return { exact: true, outcomes };
}

function* groupFactor(before: TickStart, group: number): SlicedWork<DrawFactor> {
	const outcomes: ShownOutcome[] = [];
	const covered = new LongSum();
	const member = ({ rule }: ChanceSite) => before.groups.groupByKey.get(rule) === group;
	let limit = MAX_FACTOR;
	const budget = new ProbabilityBudget();
	for (const { choices } of before.branches(member)) {
		const own = choices.filter(({ site }) => member(site));
		const probability = outcomes.length === limit ? undefined : budget.probabilityOf(own);
		if (probability === undefined)
			return { exact: false, covered_fraction: writeFraction(covered.total()), outcomes };
		covered.add(probability);
		if (outcomes.length === 0) limit = maxOutcomes(before, own);
		outcomes.push(showOutcome(reduced(probability), own));
		yield;
	}
	return { exact: true, outcomes };
}

/**
 * Returns the maximum number of listed joint outcomes of a group. It is the same for peek and step. The number of outcomes
 * is estimated from the draws of the first branch.
 */
function maxOutcomes({ entities }: TickStart, first: readonly ChanceChoice[]): number {
	const possible = ({ outcomes }: ChanceChoice) =>
		outcomes.filter(({ probability }) => probability.num > 0n).length;
	if (first.reduce((branches, choice) => branches * possible(choice), 1) > TOO_MANY_OUTCOMES) return 1;
	return Math.max(1, Math.min(MAX_FACTOR, Math.floor(MAX_FACTOR_ENTITIES / entities)));
}

/** Canonical JSON of choices, which branches share. */
const textOfChoice = new WeakMap<ShownChoice, string>();

function choiceText(choice: ShownChoice): string {
	let text = textOfChoice.get(choice);
	if (text === undefined) {
		text = canonicalJson(choice);
		textOfChoice.set(choice, text);
	}
	return text;
}

/** Returns the canonical JSON of an outcome, possibly with more members. */
function outcomeText({ choices, ...rest }: Pick<ShownOutcome, 'choices'>): string {
	// "choices" is the first key in sorted order.
	return `{"choices":[${choices.map(choiceText).join()}],${canonicalJson(rest).slice(1)}`;
}

const textDigest = (text: string): string =>
	fnv1a(new TextEncoder().encode(text)).toString(16).padStart(16, '0');

/** Returns the digest of a distribution: 64-bit FNV-1a over its outcomes in canonical JSON, as 16 hexadecimal digits. */
export const outcomesDigest = (outcomes: readonly Pick<ShownOutcome, 'choices'>[]): string =>
	textDigest(`[${outcomes.map(outcomeText).join()}]`);

/** Returns the digest of a distribution in factored form. */
export function distributionDigest(factors: readonly DrawFactor[]): string {
	const texts = factors.map(
		({ outcomes, ...rest }) =>
			// "outcomes" is the last key in sorted order.
			`${canonicalJson(rest).slice(0, -1)},"outcomes":[${outcomes.map(outcomeText).join()}]}`,
	);
	return textDigest(`[${texts.join()}]`);
}
