/**
 * "Did you mean": the nearest valid word to a misspelt one.
 * Owns: how near is near enough, and what is said when nothing is near.
 */

import { distance } from 'fastest-levenshtein';

/** The candidate nearest to `word` by edit distance, ignoring letter case; undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
	const low = word.toLowerCase();
	let best: string | undefined;
	let bestDistance = Math.max(2, Math.floor(word.length / 2.5)) + 1;
	for (const candidate of candidates) {
		const other = candidate.toLowerCase();
		const edits = distance(low, other);
		// Words that share nothing are not near, however short they are.
		if (edits > 0 && edits >= Math.max(low.length, other.length)) continue;
		const d = edits - (other.startsWith(low) && low.length > 2 ? 2 : 0);
		if (d < bestDistance) {
			best = candidate;
			bestDistance = d;
		}
	}
	return best;
}

/** Most names that are listed to choose from. */
const MOST_LISTED = 20;

/** What to send in place of a name that is not known: the nearest one, or all when they are few; else undefined. */
export function suggestion(name: string, known: Iterable<string>): string | undefined {
	const names = [...new Set(known)];
	const near = nearest(name, names);
	if (near !== undefined) return `Did you mean "${near}"?`;
	return names.length === 0 || names.length > MOST_LISTED ? undefined : `Known: ${names.join(', ')}.`;
}
