/**
 * The exact distribution over what the next tick's chance decides.
 * Owns: its two forms. Jointly: every way the tick can go, with the digest it leads to. In factors: groups of
 * draws that have no say in one another, whose product is the joint distribution however large that is.
 */

import { canonicalJson } from '../core/canonical-json.ts';
import type { Choice, Site } from '../core/chance.ts';
import { digest } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import { addFractions, type Fraction, fraction, toNumber } from '../core/fraction.ts';
import type { World } from '../core/world.ts';
import { enumerate } from './enumerate.ts';
import { interactionGroups } from './footprint.ts';

/** A fraction as the wire has it: whole numbers as decimal texts. */
export interface ShownFraction {
	readonly num: string;
	readonly den: string;
}

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
	readonly probability: ShownFraction;
	/** The same as the nearest 64-bit number. */
	readonly p: number;
	readonly choices: readonly ShownChoice[];
}

/** Draws that may have a say in one another, and the ways they can come out together. */
export interface Factor {
	/** Whether these are all the ways, so that the probabilities sum to one. */
	readonly exact: boolean;
	/** Probability of the ways that are listed; left out when exact. */
	readonly covered_fraction?: ShownFraction;
	readonly outcomes: readonly ShownOutcome[];
}

/** Most ways that one factor lists: it is the same for peek and step, whatever the caller asks for. */
const MAX_FACTOR = 4096;

/** Most choices that one answer lists, over all its ways. */
const MAX_CHOICES = 2 ** 20;

export interface Joint {
	readonly distribution: readonly (ShownOutcome & { readonly state_digest: string })[];
	/** Whether every way is listed. */
	readonly exact: boolean;
	/** Probability of what is listed. */
	readonly covered: Fraction;
}

const ENGINE_KEYS = 0xffff0000;

export function showFraction({ num, den }: Fraction): ShownFraction {
	return { num: num.toString(), den: den.toString() };
}

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
		probability: showFraction(probability),
		p: toNumber(probability),
		choices: choices.map(showChoice),
	};
}

/** Every way the next tick can go, at most `maxBranches` of them. With `merge`, ways to one digest are added up. */
export function jointDistribution(world: World, maxBranches: number, merge: boolean): Joint {
	const listed: { probability: Fraction; choices: readonly Choice[]; state_digest: string }[] = [];
	const byDigest = new Map<string, number>();
	let covered = fraction(0n);
	let leaves = 0;
	let made = 0;
	const exact = enumerate(world, {
		visit({ world: after, choices, probability }) {
			leaves++;
			made += choices.length;
			if (leaves > maxBranches || made > MAX_CHOICES) return false;
			covered = addFractions(covered, probability);
			const state_digest = digest(after);
			const same = merge ? byDigest.get(state_digest) : undefined;
			if (same === undefined)
				byDigest.set(state_digest, listed.push({ probability, choices, state_digest }) - 1);
			else
				listed[same] = {
					...listed[same]!,
					probability: addFractions(listed[same]!.probability, probability),
				};
			return true;
		},
	});
	const distribution = listed.map(({ probability, choices, state_digest }) => ({
		...showOutcome(probability, choices),
		state_digest,
	}));
	return { distribution, exact, covered };
}

/** The factors of the next tick, without stepping it. The world is untouched. */
export function factorsOf(world: World): Factor[] {
	let first: readonly Choice[] = [];
	enumerate(world, {
		walks: () => false,
		visit({ choices }) {
			first = choices;
			return true;
		},
	});
	return factorsFrom(world, first);
}

/**
 * The factors, given one way the tick went: the first draw of each group, and all draws outside the entangled
 * groups, are met on every way. `before` is the world as it was; null when no draws are entangled.
 */
export function factorsFrom(before: World | null, choices: readonly Choice[]): Factor[] {
	if (before === null || choices.length === 0) return choices.map(soleFactor);
	const { of, entangled } = interactionGroups(before);
	const groupOf = ({ site, rule }: Choice) => {
		const group = of.get(site.rule);
		if (group === undefined) throw new Error(`engine-sources.ts does not say that ${rule} may draw now`);
		return group;
	};
	const met = new Set(choices.map(groupOf));
	const alone = choices.filter((choice) => !entangled.includes(groupOf(choice))).map(soleFactor);
	const together = entangled.filter((group) => met.has(group)).map((group) => groupFactor(before, of, group));
	return [...alone, ...together];
}

function soleFactor(choice: Choice): Factor {
	const outcomes = choice.outcomes.flatMap(({ label, probability }, outcome) =>
		probability.num === 0n ? [] : [showOutcome(probability, [{ ...choice, outcome, label, probability }])],
	);
	return { exact: true, outcomes };
}

function groupFactor(before: World, groups: ReadonlyMap<number, number>, group: number): Factor {
	const outcomes: ShownOutcome[] = [];
	let covered = fraction(0n);
	const member = ({ rule }: Site) => groups.get(rule) === group;
	const exact = enumerate(before, {
		walks: member,
		visit({ choices, probability }) {
			if (outcomes.length === MAX_FACTOR) return false;
			covered = addFractions(covered, probability);
			const own = choices.filter(({ site }) => member(site));
			outcomes.push(showOutcome(probability, own));
			return true;
		},
	});
	return { exact, ...(exact ? {} : { covered_fraction: showFraction(covered) }), outcomes };
}

/** Digest of a distribution: 64-bit FNV-1a over its factors in canonical JSON, 16 hexadecimal digits. */
export function distributionDigest(factors: readonly Factor[]): string {
	const bytes = new TextEncoder().encode(canonicalJson(factors));
	return fnv1a(bytes).toString(16).padStart(16, '0');
}
