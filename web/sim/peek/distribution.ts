/**
 * The exact distribution over what the next tick's chance decides.
 * Owns: its two forms. Jointly: every way the tick can go, with the digest it leads to. In factors: groups of
 * draws that have no say in one another, whose product is the joint distribution however large that is.
 */

import {
	addFractions,
	type Fraction,
	fraction,
	toNumber,
	type WrittenFraction,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Choice, Site } from '../core/chance.ts';
import { digest } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import type { World } from '../core/world.ts';
import { enumerate } from './enumerate.ts';
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
	readonly choices: readonly ShownChoice[];
}

/** Draws that may have a say in one another, and the ways they can come out together. */
export interface Factor {
	/** Whether these are all the ways, so that the probabilities sum to one. */
	readonly exact: boolean;
	/** Probability of the ways that are listed; left out when exact. */
	readonly covered_fraction?: WrittenFraction;
	readonly outcomes: readonly ShownOutcome[];
}

/** Most ways that one factor lists, and most entities that these are worked out for together. */
const MAX_FACTOR = 4096;
const MAX_FACTOR_ENTITIES = 2 ** 22;
/** More ways than this are not begun: every step would work them out, and no list of some of them is of use. */
const TOO_MANY_WAYS = 2 ** 16;

/**
 * Most choices that one answer lists over all its ways: ways of hundreds of draws are too long to be of use one by one,
 * and their factors say it all.
 */
const mostChoices = (maxBranches: number): number => 32 * Math.max(maxBranches, 4096);

/** A way the tick can go. */
interface Branch {
	readonly probability: Fraction;
	readonly choices: readonly Choice[];
}

export interface Joint {
	/** Every way in order, each by itself; null when these are not all. */
	readonly branches: readonly Branch[] | null;
	readonly distribution: readonly (ShownOutcome & {
		readonly state_digest: string;
		/** Whether what was asked about holds then; left out when nothing was. */
		readonly holds?: boolean;
	})[];
	/** Whether every way is listed. */
	readonly exact: boolean;
	/** Probability of what is listed. */
	readonly covered: Fraction;
	/** Probability of those listed in which what was asked about holds. */
	readonly holding: Fraction;
}

const ENGINE_KEYS = 0xffff0000;

export function showChoice({ site, rule, outcome, label }: Choice): ShownChoice {
	return {
		rule: site.rule >= ENGINE_KEYS ? rule : site.rule,
		entity: site.entity === 0xffffffff ? null : site.entity,
		outcome,
		label,
	};
}

function showOutcome(probability: Fraction, choices: readonly Choice[]): ShownOutcome {
	return {
		probability: writeFraction(probability),
		p: toNumber(probability),
		choices: choices.map(showChoice),
	};
}

/** Work that can be done bit by bit: it yields after each bit, and returns what came of it. */
export type Work<T> = Generator<void, T>;

/**
 * Every way the next tick can go, at most `maxBranches` of them and not too many choices in all. With `merge`, ways to
 * one digest are added up. `holds` is asked of the world after each. The world must not change until the end.
 */
export function* jointDistribution(
	world: World,
	maxBranches: number,
	merge: boolean,
	holds?: (after: World) => boolean,
): Work<Joint> {
	const branches: Branch[] = [];
	const listed: (Branch & { readonly state_digest: string; readonly holds?: boolean })[] = [];
	const byDigest = new Map<string, number>();
	let covered = fraction(0n);
	let holding = fraction(0n);
	let exact = true;
	let made = 0;
	const most = mostChoices(maxBranches);
	for (const { world: after, choices, probability } of enumerate(world)) {
		made += choices.length;
		if (branches.length === maxBranches || made > most) {
			exact = false;
			break;
		}
		branches.push({ probability, choices });
		covered = addFractions(covered, probability);
		const state_digest = digest(after);
		const asked = holds === undefined ? {} : { holds: holds(after) };
		if (asked.holds === true) holding = addFractions(holding, probability);
		const same = merge ? byDigest.get(state_digest) : undefined;
		if (same === undefined)
			byDigest.set(state_digest, listed.push({ probability, choices, state_digest, ...asked }) - 1);
		else
			listed[same] = {
				...listed[same]!,
				probability: addFractions(listed[same]!.probability, probability),
			};
		yield;
	}
	const distribution = listed.map(({ probability, choices, ...after }) => ({
		...showOutcome(probability, choices),
		...after,
	}));
	return { distribution, exact, covered, holding, branches: exact ? branches : null };
}

/** The factors of the next tick, without stepping it. `joint` is what is known of it. The world must not change until the end. */
export function* factorsOf(world: World, joint: Joint): Work<Factor[]> {
	const [first] = joint.branches ?? enumerate(world, () => false);
	return first === undefined ? [] : yield* factorsFrom(world, first.choices, joint.branches);
}

/**
 * The factors, given one way the tick went: the first draw of each group, and all draws outside the entangled
 * groups, are met on every way. `before` is the world as it was; null when no draws are entangled. `ways` are all
 * ways, where these are known.
 */
export function* factorsFrom(
	before: World | null,
	choices: readonly Choice[],
	branches: readonly Branch[] | null = null,
): Work<Factor[]> {
	if (before === null || choices.length === 0) return choices.map(soleFactor);
	const { of, entangled } = interactionGroups(before);
	const groupOf = ({ site, rule }: Choice) => {
		const group = of.get(site.rule);
		if (group === undefined) throw new Error(`it is declared nowhere that ${rule} may draw now`);
		return group;
	};
	const met = new Set(choices.map(groupOf));
	const factors = choices.filter((choice) => !entangled.includes(groupOf(choice))).map(soleFactor);
	for (const group of entangled) {
		if (!met.has(group)) continue;
		const members = ({ choices: made }: Branch) => made.every((choice) => groupOf(choice) === group);
		if (branches?.every(members) && branches.length <= mostWays(before, branches[0]!.choices))
			factors.push({
				exact: true,
				outcomes: branches.map((branch) => showOutcome(branch.probability, branch.choices)),
			});
		else factors.push(yield* groupFactor(before, of, group));
	}
	return factors;
}

function soleFactor(choice: Choice): Factor {
	const outcomes = choice.outcomes.flatMap(({ label, probability }, outcome) =>
		probability.num === 0n ? [] : [showOutcome(probability, [{ ...choice, outcome, label, probability }])],
	);
	return { exact: true, outcomes };
}

function* groupFactor(before: World, groups: ReadonlyMap<number, number>, group: number): Work<Factor> {
	const outcomes: ShownOutcome[] = [];
	let covered = fraction(0n);
	const member = ({ rule }: Site) => groups.get(rule) === group;
	let most = MAX_FACTOR;
	for (const { choices, probability } of enumerate(before, member)) {
		if (outcomes.length === most) return { exact: false, covered_fraction: writeFraction(covered), outcomes };
		covered = addFractions(covered, probability);
		const own = choices.filter(({ site }) => member(site));
		if (outcomes.length === 0) most = mostWays(before, own);
		outcomes.push(showOutcome(probability, own));
		yield;
	}
	return { exact: true, outcomes };
}

/**
 * How many ways of a group are listed: the same for peek and step, whatever the caller asks for. The draws of its first
 * way say how many there are, unless others have more or fewer.
 */
function mostWays(before: World, first: readonly Choice[]): number {
	const possible = ({ outcomes }: Choice) =>
		outcomes.filter(({ probability }) => probability.num > 0n).length;
	if (first.reduce((branches, choice) => branches * possible(choice), 1) > TOO_MANY_WAYS) return 1;
	return Math.max(1, Math.min(MAX_FACTOR, Math.floor(MAX_FACTOR_ENTITIES / before.entities.count)));
}

/** Digest of a distribution: 64-bit FNV-1a over its factors in canonical JSON, 16 hexadecimal digits. */
export function distributionDigest(factors: readonly Factor[]): string {
	const bytes = new TextEncoder().encode(canonicalJson(factors));
	return fnv1a(bytes).toString(16).padStart(16, '0');
}
