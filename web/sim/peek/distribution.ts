/**
 * The exact distribution of the random outcomes of the next tick.
 * Owns: its two forms. The joint distribution lists every branch of the tick, with the digest of the world after it.
 * Factors are groups of draws that are independent of each other. Their product is the joint distribution.
 */

import {
	bitsOf,
	type Fraction,
	type LongFraction,
	LongSum,
	reduceFraction,
	toNumber,
	type WrittenFraction,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type ChanceChoice, NO_ENTITY } from '../core/chance.ts';
import { digest } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import type { DrawGroups } from './draw-groups.ts';
import { type DrawnWorld, enumerate, type WalkFilter } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface ShownChoice {
	/** Id of the rule, or name of the engine's source of chance, such as `crit`. */
	readonly rule: number | string;
	/** Entity that the draw is about, or null. */
	readonly entity: number | null;
	/** Index of the outcome. */
	readonly outcome: number;
	readonly label: string;
}

export interface ShownOutcome {
	readonly probability: WrittenFraction;
	/** The probability, rounded to a 64-bit number. */
	readonly p: number;
	/** Must not be changed: several outcomes may share the list. */
	readonly choices: ShownChoice[];
}

/** Draws that may depend on each other, and their joint outcomes. */
export interface DrawFactor {
	/** True if all joint outcomes are listed, so that the probabilities sum to one. */
	readonly exact: boolean;
	/** Probability of the listed outcomes; omitted if exact. */
	readonly covered_fraction?: WrittenFraction;
	readonly outcomes: ShownOutcome[];
}

/** Maximum number of joint outcomes that one factor lists. */
const MAX_FACTOR_OUTCOMES = 4096;
/** Maximum number of listed outcomes, multiplied by the number of entities. */
const MAX_OUTCOMES_TIMES_ENTITIES = 2 ** 22;
/** With more joint outcomes, only the first is listed: a step cannot enumerate them all, and a partial list is of no use. */
const TOO_MANY_OUTCOMES = 2 ** 16;

/**
 * Returns the maximum number of choices that one answer lists over all its branches. Branches of hundreds of draws are too
 * long to be useful, and their factors have the same information.
 */
const maxChoicesOf = (maxBranches: number): number => 32 * Math.max(maxBranches, 4096);

/** Maximum number of bits of a written probability (some 20,000 digits). */
const MAX_BITS = 2 ** 16;
/** Maximum sum of the squares of these bits in one list. The cost of a probability grows with its square. */
const MAX_BITS_SQUARED = 2 ** 38;

/** Budget of one list for long probabilities. */
class ProbabilityBudget {
	#remaining = MAX_BITS_SQUARED;

	/** Returns the probability of choices; undefined if it exceeds the budget. */
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

/** One possible course of the tick: the outcome of each draw. */
interface WorldBranch {
	readonly probability: Fraction;
	readonly choices: readonly ChanceChoice[];
	/** Cached JSON of the branch. */
	view?: ShownOutcome;
}

/** Joint distribution of a tick. */
export interface Joint {
	/** All branches in order, without merging; null if not all branches are listed. */
	readonly branches: readonly WorldBranch[] | null;
	readonly distribution: (ShownOutcome & {
		readonly state_digest: string;
		/** True if the condition holds after this branch; undefined without a condition. */
		readonly holds?: boolean;
	})[];
	/** True if every branch is listed. */
	readonly exact: boolean;
	/** Probability of the listed branches. */
	readonly covered: Fraction;
	/** Probability of the listed branches after which the condition holds. */
	readonly holding: Fraction;
}

/** Lowest key of the engine's own sources of chance. Lower keys are ids of rules. */
const FIRST_ENGINE_KEY = 0xffff0000;

/** A choice that the branches of a tick share, and its JSON. */
interface SharedChoice {
	readonly choice: ChanceChoice;
	readonly view: ShownChoice;
}

/** Latest choice for each outcome of a list. The branches of a tick repeat the same choices. */
const latestChoices = new WeakMap<ChanceChoice['outcomes'], SharedChoice[]>();

function shareChoice(choice: ChanceChoice): SharedChoice {
	const { site, rule, outcome, label, outcomes } = choice;
	let byOutcome = latestChoices.get(outcomes);
	if (byOutcome === undefined) {
		byOutcome = [];
		latestChoices.set(outcomes, byOutcome);
	}
	const latest = byOutcome[outcome];
	const previous = latest?.choice;
	if (
		latest !== undefined &&
		previous!.rule === rule &&
		previous!.site.rule === site.rule &&
		previous!.site.entity === site.entity &&
		previous!.site.draw === site.draw
	)
		return latest;
	const view = {
		rule: site.rule >= FIRST_ENGINE_KEY ? rule : site.rule,
		entity: site.entity === NO_ENTITY ? null : site.entity,
		outcome,
		label,
	};
	const entry = { choice, view };
	byOutcome[outcome] = entry;
	return entry;
}

export const showChoice = (choice: ChanceChoice): ShownChoice => shareChoice(choice).view;

function showOutcome(probability: Fraction, choices: readonly ChanceChoice[]): ShownOutcome {
	return { ...writeOdds(probability), choices: choices.map(showChoice) };
}

const writeOdds = (odds: Fraction) => ({ probability: writeFraction(odds), p: toNumber(odds) });

function sumOf(fraction: LongFraction): LongSum {
	const sum = new LongSum();
	sum.add(fraction);
	return sum;
}

function showBranch(branch: WorldBranch): ShownOutcome {
	branch.view ??= showOutcome(branch.probability, branch.choices);
	return branch.view;
}

/** A listed branch, and the branches with the same digest that were merged into it. */
interface ListedBranch {
	readonly branch: WorldBranch;
	readonly probability: LongFraction;
	/** Sum of the probabilities of all merged branches; null if none was merged. */
	sum: LongSum | null;
	readonly after: { readonly state_digest: string; readonly holds?: boolean };
}

/**
 * Returns the branches of the next tick, at most `maxBranches`, up to a maximum number of choices. With `merge`, the
 * probabilities of branches with the same digest are added up. `holds` is evaluated after each branch. The world must
 * not change until the generator ends.
 */
export function* jointDistribution(
	world: World,
	maxBranches: number,
	merge: boolean,
	holds?: (after: World) => boolean,
): SlicedWork<Joint> {
	const branches: WorldBranch[] = [];
	const listedBranches: ListedBranch[] = [];
	const byDigest = new Map<string, ListedBranch>();
	const covered = new LongSum();
	const holding = new LongSum();
	let exact = true;
	let count = 0;
	const maxChoices = maxChoicesOf(maxBranches);
	const budget = new ProbabilityBudget();
	for (const { world: after, choices } of enumerate(world)) {
		count += choices.length;
		const isFull = branches.length === maxBranches || count > maxChoices;
		const probability = isFull ? undefined : budget.probabilityOf(choices);
		if (probability === undefined) {
			exact = false;
			break;
		}
		// Equal choices are shared, because thousands of branches are kept until the end.
		const branch = {
			probability: reduceFraction(probability),
			choices: choices.map((choice) => shareChoice(choice).choice),
		};
		branches.push(branch);
		covered.add(probability);
		const state_digest = digest(after);
		const verdict = holds === undefined ? {} : { holds: holds(after) };
		if (verdict.holds === true) holding.add(probability);
		const sameDigest = byDigest.get(state_digest);
		if (sameDigest === undefined) {
			const entry: ListedBranch = { branch, probability, sum: null, after: { state_digest, ...verdict } };
			if (merge) byDigest.set(state_digest, entry);
			listedBranches.push(entry);
		} else {
			sameDigest.sum ??= sumOf(sameDigest.probability);
			sameDigest.sum.add(probability);
		}
		yield;
	}
	const distribution = [];
	for (const { branch, sum, after } of listedBranches) {
		const view = showBranch(branch);
		const odds = sum === null ? view : { ...writeOdds(sum.total()), choices: view.choices };
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

/** A tick whose draws are grouped. */
interface GroupedTick {
	/** Groups of the draws. */
	readonly groups: DrawGroups;
	/** Number of entities before the tick. */
	readonly entities: number;
	/** Enumerates the branches of the tick. */
	enumerateBranches(isWalked: WalkFilter): Generator<DrawnWorld, void>;
}

/**
 * Returns the factors of the next tick, without running it. `joint` is its joint distribution. The world must not
 * change until the generator ends.
 */
export function* factorsOf(world: World, joint: Joint): SlicedWork<DrawFactor[]> {
	const [firstBranch] = joint.branches ?? enumerate(world, () => false);
	if (firstBranch === undefined) return [];
	const enumerateBranches = (isWalked: WalkFilter) => enumerate(world, isWalked);
	const tick = {
		groups: interactionGroups(world),
		entities: world.entities.count,
		enumerateBranches,
	};
	return yield* factorsFrom(tick, firstBranch.choices, joint.branches);
}

/**
 * Returns the factors. `choices` are those of any branch: the first draw of each group, and all draws outside the
 * entangled groups, occur in every branch. `tick` is null if no draws are entangled. `branches` are all branches, if they
 * have been enumerated.
 */
export function* factorsFrom(
	tick: GroupedTick | null,
	choices: readonly ChanceChoice[],
	branches: readonly WorldBranch[] | null = null,
): SlicedWork<DrawFactor[]> {
	if (tick === null || choices.length === 0) return choices.map(factorOfChoice);
	const { groupByKey, entangled } = tick.groups;
	const groupOf = ({ site, rule }: ChanceChoice) => {
		const group = groupByKey.get(site.rule);
		if (group === undefined) throw new Error(`${rule} draws on this tick without having declared it`);
		return group;
	};
	const drawnGroups = new Set(choices.map(groupOf));
	const factors = choices.filter((choice) => !entangled.includes(groupOf(choice))).map(factorOfChoice);
	for (const group of entangled) {
		if (!drawnGroups.has(group)) continue;
		const isMember = ({ choices }: WorldBranch) => choices.every((choice) => groupOf(choice) === group);
		if (branches?.every(isMember) && branches.length <= maxOutcomesOf(tick, branches[0]!.choices))
			factors.push({ exact: true, outcomes: branches.map(showBranch) });
		else factors.push(yield* factorOfGroup(tick, group));
	}
	return factors;
}

function factorOfChoice(choice: ChanceChoice): DrawFactor {
	const outcomes = choice.outcomes.flatMap(({ label, probability }, outcome) =>
		probability.num === 0n ? [] : [showOutcome(probability, [{ ...choice, outcome, label, probability }])],
	);
	return { exact: true, outcomes };
}

function* factorOfGroup(tick: GroupedTick, group: number): SlicedWork<DrawFactor> {
	const outcomes: ShownOutcome[] = [];
	const covered = new LongSum();
	const isMember = (rule: number) => tick.groups.groupByKey.get(rule) === group;
	let maxOutcomes = MAX_FACTOR_OUTCOMES;
	const budget = new ProbabilityBudget();
	for (const { choices } of tick.enumerateBranches(isMember)) {
		const ownChoices = choices.filter(({ site }) => isMember(site.rule));
		const probability = outcomes.length === maxOutcomes ? undefined : budget.probabilityOf(ownChoices);
		if (probability === undefined)
			return { exact: false, covered_fraction: writeFraction(covered.total()), outcomes };
		covered.add(probability);
		if (outcomes.length === 0) maxOutcomes = maxOutcomesOf(tick, ownChoices);
		outcomes.push(showOutcome(reduceFraction(probability), ownChoices));
		yield;
	}
	return { exact: true, outcomes };
}

/**
 * Returns the maximum number of joint outcomes of a group to list: the same for peek and step, for any request. It is an
 * estimate from the draws of the first branch. Other branches may have more or fewer.
 */
function maxOutcomesOf({ entities }: GroupedTick, choices: readonly ChanceChoice[]): number {
	const countPossible = ({ outcomes }: ChanceChoice) =>
		outcomes.filter(({ probability }) => probability.num > 0n).length;
	if (choices.reduce((branches, choice) => branches * countPossible(choice), 1) > TOO_MANY_OUTCOMES) return 1;
	return Math.max(1, Math.min(MAX_FACTOR_OUTCOMES, Math.floor(MAX_OUTCOMES_TIMES_ENTITIES / entities)));
}

/** Canonical JSON of choices, which branches share. */
const choiceTexts = new WeakMap<ShownChoice, string>();

function choiceText(choice: ShownChoice): string {
	let text = choiceTexts.get(choice);
	if (text === undefined) {
		text = canonicalJson(choice);
		choiceTexts.set(choice, text);
	}
	return text;
}

/** Returns the canonical JSON of an outcome, or of an outcome with more fields. */
function outcomeText({ choices, ...rest }: Pick<ShownOutcome, 'choices'>): string {
	// The key "choices" sorts first.
	return `{"choices":[${choices.map(choiceText).join()}],${canonicalJson(rest).slice(1)}`;
}

const textDigest = (text: string): string =>
	fnv1a(new TextEncoder().encode(text)).toString(16).padStart(16, '0');

/** Returns the digest of a distribution: 64-bit FNV-1a of its outcomes in canonical JSON, 16 hexadecimal digits. */
export const outcomesDigest = (outcomes: readonly Pick<ShownOutcome, 'choices'>[]): string =>
	textDigest(`[${outcomes.map(outcomeText).join()}]`);

/** Returns the digest of a distribution in factors. */
export function distributionDigest(factors: readonly DrawFactor[]): string {
	const texts = factors.map(
		({ outcomes, ...rest }) =>
			// The key "outcomes" sorts last.
			`${canonicalJson(rest).slice(0, -1)},"outcomes":[${outcomes.map(outcomeText).join()}]}`,
	);
	return textDigest(`[${texts.join()}]`);
}
