/**
 * "Did you mean": the nearest valid word to a misspelt one.
 * Owns: how near is near enough.
 */

import { distance } from 'fastest-levenshtein';

/** The candidate nearest to `word` by edit distance, ignoring letter case; undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
	const low = word.toLowerCase();
	let best: string | undefined;
	let bestDistance = Math.max(2, Math.floor(word.length / 2.5)) + 1;
	for (const candidate of candidates) {
		const other = candidate.toLowerCase();
		const d = distance(low, other) - (other.startsWith(low) && low.length > 2 ? 2 : 0);
		if (d < bestDistance) {
			best = candidate;
			bestDistance = d;
		}
	}
	return best;
}
