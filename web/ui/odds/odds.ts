/**
 * The odds of a tick as /peek answers them: its branches in rows, what each is made of, and which of them was drawn.
 * Owns: sorting, sums and matching, all on exact fractions. Never: asks the engine.
 */

import {
	addFractions,
	compareFractions,
	fraction,
	readFraction,
	subtractFractions,
	type WrittenFraction,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import type { Answer } from '../../../shared/contract/route.ts';
import type { peek, step } from '../../../shared/routes/simulation.ts';

/** The answer of POST /peek. */
export type Peek = Answer<typeof peek>;
export type Branch = Peek['distribution'][number];
export type Factor = Peek['factors'][number];
export type Choice = Branch['choices'][number];
export type Fraction = WrittenFraction;
export type Sampled = Answer<typeof step>['sampled'];

/** Returns 1 minus a fraction. */
export function remainder(covered: Fraction): Fraction {
	return writeFraction(subtractFractions(fraction(1n), readFraction(covered)));
}

/** Returns the exact sum of the probabilities, in lowest terms. */
export function sumOf(outcomes: readonly { readonly probability: Fraction }[]): Fraction {
	const all = outcomes.map(({ probability }) => readFraction(probability));
	return writeFraction(all.reduce(addFractions, fraction(0n)));
}

export const isOne = ({ num, den }: Fraction): boolean => num === den;

/** A draw's name within its tick: source, entity, and which draw of these two it is. */
export interface OddsDraw {
	readonly key: string;
	readonly rule: Choice['rule'];
	readonly entity: number | null;
}

/** Returns names for the draws of one branch. `before` says how many draws of a source and entity come earlier. */
function drawsOf(choices: readonly Choice[], before?: ReadonlyMap<string, number>): OddsDraw[] {
	const met = new Map(before);
	return choices.map(({ rule, entity }) => {
		const site = `${rule}/${entity}`;
		const number = met.get(site) ?? 0;
		met.set(site, number + 1);
		return { key: `${site}/${number}`, rule, entity };
	});
}

/** Returns all draws that occur in any branch, in the order in which they occur. */
export function drawsMet(branches: readonly Pick<Branch, 'choices'>[]): OddsDraw[] {
	const met = new Map<string, OddsDraw>();
	for (const { choices } of branches)
		for (const draw of drawsOf(choices)) if (!met.has(draw.key)) met.set(draw.key, draw);
	return [...met.values()];
}

/** One branch as a row. */
export interface OddsRow {
	readonly branch: Branch;
	/** Label of each draw by its name; draws that do not occur in this branch are left out. */
	readonly labels: ReadonlyMap<string, string>;
	/** As `partsOf` has them. */
	readonly parts: readonly number[];
}

const trace = (draws: readonly OddsDraw[], choices: readonly Choice[]): string =>
	draws.map(({ key }, index) => `${key}=${choices[index]!.outcome}`).join(' ');

/** For each factor: which draws are its own, and its outcomes by what was chosen at them. */
function factorIndex(factors: readonly Factor[]) {
	const before = new Map<string, number>();
	return factors.map(({ outcomes }) => {
		const own = new Set<string>();
		const byTrace = new Map<string, number>();
		const sites = new Map<string, number>();
		outcomes.forEach(({ choices }, index) => {
			const draws = drawsOf(choices, before);
			const here = new Map<string, number>();
			for (const { key, rule, entity } of draws) {
				own.add(key);
				const site = `${rule}/${entity}`;
				here.set(site, (here.get(site) ?? 0) + 1);
			}
			for (const [site, count] of here) sites.set(site, Math.max(count, sites.get(site) ?? 0));
			byTrace.set(trace(draws, choices), index);
		});
		// A source that draws more than once for an entity has, when its draws are independent, a factor for each.
		for (const [site, count] of sites) before.set(site, (before.get(site) ?? 0) + count);
		return { own, byTrace };
	});
}

type FactorIndex = ReturnType<typeof factorIndex>;

function partsIn(index: FactorIndex, choices: readonly Choice[]): number[] {
	const draws = drawsOf(choices);
	return index.map(({ own, byTrace }) => {
		const ownIndexes = draws.flatMap((draw, at) => (own.has(draw.key) ? [at] : []));
		const chosen = trace(
			ownIndexes.map((at) => draws[at]!),
			ownIndexes.map((at) => choices[at]!),
		);
		return byTrace.get(chosen) ?? -1;
	});
}

/** For each factor the index of the outcome that these choices are, or -1 where it lists none that fits. */
export function partsOf(factors: readonly Factor[], choices: readonly Choice[]): number[] {
	return partsIn(factorIndex(factors), choices);
}

/** Returns the branches as rows, the likeliest first; equally likely ones stay in the engine's order. */
export function oddsRows({ distribution, factors }: Pick<Peek, 'distribution' | 'factors'>): OddsRow[] {
	const index = factorIndex(factors);
	return distribution
		.map((branch): OddsRow => {
			const labels = new Map(drawsOf(branch.choices).map(({ key }, at) => [key, branch.choices[at]!.label]));
			return { branch, labels, parts: partsIn(index, branch.choices) };
		})
		.sort((a, b) => compareFractions(readFraction(b.branch.probability), readFraction(a.branch.probability)));
}

/**
 * Returns the rows that a step may have taken: the one with exactly its choices, or, if only its state is known, all
 * with that state. Empty if the step was not foretold by these.
 */
export function drawnRows(rows: readonly OddsRow[], digest: string, sampled: Sampled | null): number[] {
	return rows.flatMap(({ branch }, index) => {
		const taken =
			sampled === null
				? branch.state_digest === digest
				: branch.choices.length === sampled.length &&
					branch.choices.every(({ rule, entity, outcome }, at) => {
						const drawn = sampled[at]!;
						return rule === drawn.rule && entity === drawn.entity && outcome === drawn.outcome;
					});
		return taken ? [index] : [];
	});
}

/** Of a factor for a ruler: the outcomes in a row, at most `most`, with what is left over at the end. */
export interface RulerCell {
	/** Index of the outcome; null for what is not shown one by one. */
	readonly outcome: number | null;
	/** Shares of one. */
	readonly from: number;
	readonly width: number;
	readonly label: string;
	readonly probability: Fraction;
}

/** Returns the labels of choices, in their order. */
export function labelOf(choices: readonly Choice[]): string {
	return choices.map(({ label }) => label).join(', ');
}

/** Returns the same in short: equal ones that follow each other are counted, `3 × hit, crit, 20 × hit`. */
export function tallyOf(choices: readonly Choice[]): string {
	const runs: { label: string; length: number }[] = [];
	for (const { label } of choices) {
		const run = runs.at(-1);
		if (run?.label === label) run.length++;
		else runs.push({ label, length: 1 });
	}
	return runs.map(({ label, length }) => (length === 1 ? label : `${length} × ${label}`)).join(', ');
}

/** Cuts the unit interval by the outcomes of a factor. What is not listed, or not shown, is the last cell. */
export function rulerCells({ outcomes, covered_fraction }: Factor, most = 24): RulerCell[] {
	const shown = outcomes.length > most ? outcomes.slice(0, most) : outcomes;
	let from = 0;
	const cells = shown.map(({ p, probability, choices }, outcome): RulerCell => {
		const cell = { outcome, from, width: p, label: labelOf(choices), probability };
		from += p;
		return cell;
	});
	const hidden = outcomes.length - shown.length;
	if (hidden === 0 && covered_fraction === undefined) return cells;
	const listed = hidden > 0 ? sumOf(shown) : covered_fraction!;
	const label = covered_fraction === undefined ? `${hidden} more` : 'more, not listed';
	return [
		...cells,
		{ outcome: null, from, width: Math.max(0, 1 - from), label, probability: remainder(listed) },
	];
}
