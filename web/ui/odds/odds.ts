/**
 * The odds of a tick from the answer of /peek: its branches as rows, their parts, and the drawn ones.
 * Owns: sorting, sums and matching with exact fractions. Never: asks the engine.
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

/** Identity of a draw within its tick: source, entity, and number among the draws of both. */
export interface OddsDraw {
	readonly key: string;
	readonly rule: Choice['rule'];
	readonly entity: number | null;
}

/** Returns the draws of one branch. `before` has the number of earlier draws by source and entity. */
function drawsOf(choices: readonly Choice[], before?: ReadonlyMap<string, number>): OddsDraw[] {
	const counts = new Map(before);
	return choices.map(({ rule, entity }) => {
		const site = `${rule}/${entity}`;
		const number = counts.get(site) ?? 0;
		counts.set(site, number + 1);
		return { key: `${site}/${number}`, rule, entity };
	});
}

/** Returns the draws of all branches without duplicates, in the order of their first occurrence. */
export function allDraws(branches: readonly Pick<Branch, 'choices'>[]): OddsDraw[] {
	const byKey = new Map<string, OddsDraw>();
	for (const { choices } of branches)
		for (const draw of drawsOf(choices)) if (!byKey.has(draw.key)) byKey.set(draw.key, draw);
	return [...byKey.values()];
}

/** One branch as a row. */
export interface OddsRow {
	readonly branch: Branch;
	/** Label of each draw of this branch, by the key of the draw. */
	readonly labels: ReadonlyMap<string, string>;
	/** Index of the outcome of each factor, as in `partsOf`. */
	readonly parts: readonly number[];
}

const trace = (draws: readonly OddsDraw[], choices: readonly Choice[]): string =>
	draws.map(({ key }, index) => `${key}=${choices[index]!.outcome}`).join(' ');

/** Returns for each factor the keys of its draws, and the index of its outcome by the trace of choices. */
function factorIndex(factors: readonly Factor[]) {
	const before = new Map<string, number>();
	return factors.map(({ outcomes }) => {
		const own = new Set<string>();
		const byTrace = new Map<string, number>();
		const sites = new Map<string, number>();
		outcomes.forEach(({ choices }, index) => {
			const draws = drawsOf(choices, before);
			const counts = new Map<string, number>();
			for (const { key, rule, entity } of draws) {
				own.add(key);
				const site = `${rule}/${entity}`;
				counts.set(site, (counts.get(site) ?? 0) + 1);
			}
			for (const [site, count] of counts) sites.set(site, Math.max(count, sites.get(site) ?? 0));
			byTrace.set(trace(draws, choices), index);
		});
		// Independent draws of the same source and entity have a factor each, so later factors continue the numbering.
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

/** Returns for each factor the index of the outcome with these choices, or -1 if none matches. */
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
 * Returns the indexes of the rows that fit a step: the row with exactly its choices, or, if only the state is known, all
 * rows with that state. Empty if no row fits.
 */
export function drawnRows(rows: readonly OddsRow[], digest: string, sampled: Sampled | null): number[] {
	return rows.flatMap(({ branch }, index) => {
		const fits =
			sampled === null
				? branch.state_digest === digest
				: branch.choices.length === sampled.length &&
					branch.choices.every(({ rule, entity, outcome }, at) => {
						const sample = sampled[at]!;
						return rule === sample.rule && entity === sample.entity && outcome === sample.outcome;
					});
		return fits ? [index] : [];
	});
}

/** Cell of a factor's ruler: one outcome, or the rest at the end. */
export interface RulerCell {
	/** Index of the outcome; null for the rest. */
	readonly outcome: number | null;
	/** Position and width as shares of 1. */
	readonly from: number;
	readonly width: number;
	readonly label: string;
	readonly probability: Fraction;
}

/** Returns the labels of choices, in their order. */
export function labelOf(choices: readonly Choice[]): string {
	return choices.map(({ label }) => label).join(', ');
}

/** Returns the labels in short form, with repetitions counted: `3 × hit, crit, 20 × hit`. */
export function tallyOf(choices: readonly Choice[]): string {
	const runs: { label: string; length: number }[] = [];
	for (const { label } of choices) {
		const run = runs.at(-1);
		if (run?.label === label) run.length++;
		else runs.push({ label, length: 1 });
	}
	return runs.map(({ label, length }) => (length === 1 ? label : `${length} × ${label}`)).join(', ');
}

/** Divides the unit interval by the outcomes of a factor. The last cell has the outcomes beyond `maxCells`, or the unlisted ones. */
export function rulerCells({ outcomes, covered_fraction }: Factor, maxCells = 24): RulerCell[] {
	const shown = outcomes.length > maxCells ? outcomes.slice(0, maxCells) : outcomes;
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
