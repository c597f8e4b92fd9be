/**
 * Sentences of the view Odds about a tick and its branches.
 * Owns: those sentences. Never: computes a probability.
 */

import { groupDigest } from '../drawn/digest.ts';
import { count, formatNumber } from '../numbers.ts';
import { saidFraction } from './fraction-words.ts';
import type { Fraction, Peek } from './odds.ts';

type PeekStamp = Pick<Peek, 'tick' | 'next_tick' | 'exact'>;

/** Returns a title such as `Tick 43 447 has 9 outcomes`, or `Tick 7 had at least 256 outcomes` after the step. */
export function title({ next_tick, exact }: PeekStamp, branches: number, isPast: boolean): string {
	const number = exact && branches === 1 ? 'one outcome' : count(branches, 'outcome');
	return `Tick ${formatNumber(next_tick)} ${isPast ? 'had' : 'has'} ${exact ? '' : 'at least '}${number}`;
}

/**
 * Returns a subtitle with the origin and the result of the odds. `drawn` is the number of branches that fit the step;
 * null before the step.
 */
export function subtitle({ tick, exact }: PeekStamp, branches: number, drawn: number | null): string {
	if (exact && branches === 1) return `Predicted at tick ${formatNumber(tick)}; there is nothing to draw.`;
	const result =
		drawn === null
			? 'nothing is drawn yet'
			: drawn === 0
				? 'the drawn outcome is not listed'
				: drawn === 1
					? 'one was drawn'
					: `one of ${formatNumber(drawn)} with the same state was drawn`;
	return `Predicted at tick ${formatNumber(tick)} as exact fractions; ${result}.`;
}

/** Returns a row as text: `crit and no rune, one eighth, drawn, leads to 7ad1 103c`. */
export function rowText(
	labels: readonly string[],
	probability: Fraction,
	drawn: boolean,
	digest: string,
): string {
	return [
		labels.length === 0 ? 'no choice' : labels.join(' and '),
		saidFraction(probability),
		...(drawn ? ['drawn'] : []),
		`leads to ${groupDigest(digest.slice(0, 8))}`,
	].join(', ');
}
