/**
 * The exact distribution over what the next tick's chance decides.
 * Owns: its two forms. Jointly: every branch of the tick, with the digest it leads to. In factors: groups of
 * draws that are independent of each other, whose product is the joint distribution however large that is.
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
import type { ChanceChoice } from '../core/chance.ts';
import { digest } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import type { DrawGroups } from './draw-groups.ts';
import { type DrawnWorld, enumerate, type Walks } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

export interface ShownChoice {
	/** Id of the rule, or the name of what the engine itself leaves to chance, such as `crit`. */
	readonly rule: number | string;
	/** Entity it is about, or null. */
	readonly entity: number | null;
	/** Index of the outcome. */
	readonly outcome: number;
	readonly label: string;
}

export interface ShownOutcome {
	readonly probability: WrittenFraction;
	/** The same as the nearest 64-bit number. */
	readonly p: number;
	/** Not to be changed: branches that are shown several times share it. */
	readonly choices: ShownChoice[];
}

/** Draws that may depend on each other, and their joint outcomes. */
export interface DrawFactor {
	/** True if all joint outcomes are listed, so that the probabilities sum to one. */
	readonly exact: boolean;
	/** Probability of the listed outcomes; left out when exact. */
	readonly covered_fraction?: WrittenFraction;
	readonly outcomes: ShownOutcome[];
}

/** Most joint outcomes that one factor lists, and the limit on outcomes times entities. */
const MAX_FACTOR = 4096;
const MAX_FACTOR_ENTITIES = 2 ** 22;
/** With more joint outcomes than this only the first is listed: every step would enumerate them, and a partial list is of no use. */
const TOO_MANY_OUTCOMES = 2 ** 16;

/**
 * Maximum of choices that one answer lists over all its branches. Branches of hundreds of draws are too long to be
 * useful, and their factors have the same information.
 */
const mostChoices = (maxBranches: number): number => 32 * Math.max(maxBranches, 4096);

/**
 * Maximum of bits of a written probability (some 20,000 digits), and of their squares in one list. The cost of one
 * grows with the square of its bits.
 */
const MAX_BITS = 2 ** 16;
const MAX_BITS_SQUARED = 2 ** 38;

/** The room that one list has for long probabilities. */
class ProbabilityRoom {
	#remaining = MAX_BITS_SQUARED;

	/** Returns the probability of what was chosen; undefined if there is no room for it. */
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
	/** The branch as it is shown, once it was. */
	shown?: ShownOutcome;
}

export interface Joint {
	/** Every branch in order, none merged; null when these are not all. */
	readonly branches: readonly WorldBranch[] | null;
	readonly distribution: (ShownOutcome & {
		readonly state_digest: string;
		/** True if the condition holds after this branch; left out without a condition. */
		readonly holds?: boolean;
	})[];
	/** True if every branch is listed. */
	readonly exact: boolean;
	/** Probability of what is listed. */
	readonly covered: Fraction;
	/** Probability of the listed branches after which the condition holds. */
	readonly holding: Fraction;
}

const ENGINE_KEYS = 0xffff0000;

/** A choice that the branches of a tick share, and how it is shown. */
interface KnownChoice {
	readonly choice: ChanceChoice;
	readonly shown: ShownChoice;
}

/** The last choice of each outcome of a list: branches of a tick make the same ones again and again. */
const lastOf = new WeakMap<ChanceChoice['outcomes'], KnownChoice[]>();

function knownChoice(choice: ChanceChoice): KnownChoice {
	const { site, rule, outcome, label, outcomes } = choice;
	let ofList = lastOf.get(outcomes);
	if (ofList === undefined) {
		ofList = [];
		lastOf.set(outcomes, ofList);
	}
	const last = ofList[outcome];
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
	ofList[outcome] = fresh;
	return fresh;
}

export const showChoice = (choice: ChanceChoice): ShownChoice => knownChoice(choice).shown;

function showOutcome(probability: Fraction, choices: readonly ChanceChoice[]): ShownOutcome {
	return { ...writtenOdds(probability), choices: choices.map(showChoice) };
}

const writtenOdds = (odds: Fraction) => ({ probability: writeFraction(odds), p: toNumber(odds) });

function sumOf(first: LongFraction): LongSum {
	const sum = new LongSum();
	sum.add(first);
	return sum;
}

function shownOf(branch: WorldBranch): ShownOutcome {
	branch.shown ??= showOutcome(branch.probability, branch.choices);
	return branch.shown;
}

/** A branch that is listed, with those that lead to the same. */
interface ListedBranch {
	readonly branch: WorldBranch;
	readonly probability: LongFraction;
	/** Sum over the branches that were merged into it; null as long as none was. */
	sum: LongSum | null;
	readonly after: { readonly state_digest: string; readonly holds?: boolean };
}

/**
 * Returns the branches of the next tick, at most `maxBranches` of them and not too many choices in all. With `merge`,
 * branches with the same digest are added up. `holds` is evaluated after each. The world must not change until the
 * end.
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
	const most = mostChoices(maxBranches);
	const room = new ProbabilityRoom();
	for (const { world: after, choices } of enumerate(world)) {
		count += choices.length;
		const full = branches.length === maxBranches || count > most;
		const probability = full ? undefined : room.probabilityOf(choices);
		if (probability === undefined) {
			exact = false;
			break;
		}
		// Thousands of branches are kept until the end.
		const branch = {
			probability: reduceFraction(probability),
			choices: choices.map((choice) => knownChoice(choice).choice),
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
		const listed = shownOf(branch);
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

/** A tick whose draws are grouped. */
interface Before {
	/** DrawGroups of the world before the tick. */
	readonly groups: DrawGroups;
	/** Number of entities before the tick. */
	readonly entities: number;
	/** Enumerates the branches of the tick. */
	leaves(walks: Walks): Generator<DrawnWorld, void>;
}

/**
 * Returns the factors of the next tick, without stepping it. `joint` is its joint distribution. The world must not
 * change until the end.
 */
export function* factorsOf(world: World, joint: Joint): SlicedWork<DrawFactor[]> {
	const [first] = joint.branches ?? enumerate(world, () => false);
	if (first === undefined) return [];
	const leaves = (walks: Walks) => enumerate(world, walks);
	const before = { groups: interactionGroups(world), entities: world.entities.count, leaves };
	return yield* factorsFrom(before, first.choices, joint.branches);
}

/**
 * Returns the factors, given one branch of the tick: the first draw of each group, and all draws outside the
 * entangled groups, occur in every branch. `before` is null if no draws are entangled. `branches` are all branches,
 * if they have been enumerated.
 */
export function* factorsFrom(
	before: Before | null,
	choices: readonly ChanceChoice[],
	branches: readonly WorldBranch[] | null = null,
): SlicedWork<DrawFactor[]> {
	if (before === null || choices.length === 0) return choices.map(soleFactor);
	const { groupByKey, entangled } = before.groups;
	const groupOf = ({ site, rule }: ChanceChoice) => {
		const group = groupByKey.get(site.rule);
		if (group === undefined) throw new Error(`${rule} draws on this tick without having declared it`);
		return group;
	};
	const met = new Set(choices.map(groupOf));
	const factors = choices.filter((choice) => !entangled.includes(groupOf(choice))).map(soleFactor);
	for (const group of entangled) {
		if (!met.has(group)) continue;
		const members = ({ choices }: WorldBranch) => choices.every((choice) => groupOf(choice) === group);
		if (branches?.every(members) && branches.length <= mostOutcomes(before, branches[0]!.choices))
			factors.push({ exact: true, outcomes: branches.map(shownOf) });
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

function* groupFactor(before: Before, group: number): SlicedWork<DrawFactor> {
	const outcomes: ShownOutcome[] = [];
	const covered = new LongSum();
	const member = (rule: number) => before.groups.groupByKey.get(rule) === group;
	let most = MAX_FACTOR;
	const room = new ProbabilityRoom();
	for (const { choices } of before.leaves(member)) {
		const own = choices.filter(({ site }) => member(site.rule));
		const probability = outcomes.length === most ? undefined : room.probabilityOf(own);
		if (probability === undefined)
			return { exact: false, covered_fraction: writeFraction(covered.total()), outcomes };
		covered.add(probability);
		if (outcomes.length === 0) most = mostOutcomes(before, own);
		outcomes.push(showOutcome(reduceFraction(probability), own));
		yield;
	}
	return { exact: true, outcomes };
}

/**
 * Returns the number of joint outcomes of a group that are listed: the same for peek and step, whatever the caller
 * requests. The draws of its first branch tell how many there are, unless others have more or fewer.
 */
function mostOutcomes({ entities }: Before, first: readonly ChanceChoice[]): number {
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

/** Canonical JSON of an outcome, or of one with more members. */
function outcomeText({ choices, ...rest }: Pick<ShownOutcome, 'choices'>): string {
	// "choices" is the first of its keys.
	return `{"choices":[${choices.map(choiceText).join()}],${canonicalJson(rest).slice(1)}`;
}

const textDigest = (text: string): string =>
	fnv1a(new TextEncoder().encode(text)).toString(16).padStart(16, '0');

/** Digest of a distribution: 64-bit FNV-1a over its outcomes in canonical JSON, 16 hexadecimal digits. */
export const outcomesDigest = (outcomes: readonly Pick<ShownOutcome, 'choices'>[]): string =>
	textDigest(`[${outcomes.map(outcomeText).join()}]`);

/** Returns the same over its factors. */
export function distributionDigest(factors: readonly DrawFactor[]): string {
	const texts = factors.map(
		({ outcomes, ...rest }) =>
			// "outcomes" is the last of its keys.
			`${canonicalJson(rest).slice(0, -1)},"outcomes":[${outcomes.map(outcomeText).join()}]}`,
	);
	return textDigest(`[${texts.join()}]`);
}
