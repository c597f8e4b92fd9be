/**
 * Suggestions "Did you mean": the valid word that is nearest to a misspelt one.
 * Owns: the required similarity, the suggestion without a similar word, and the length of a name in a message.
 */

import { distance } from 'fastest-levenshtein';

/**
 * Maximum length of a name that is compared with others (characters). A longer name is not a misspelling, and the cost
 * is the product of both lengths.
 */
const MAX_COMPARED = 64;

/** Returns a name for a sentence, shortened if it is long. */
export function shortenName(name: string): string {
	return name.length > MAX_COMPARED ? `${name.slice(0, MAX_COMPARED - 3)}...` : name;
}

/**
 * Returns the candidate most similar to `word` in any letter case: by edit distance, or by a unique common beginning
 * or end (`pos` of `position`). Undefined if none is similar.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
	if (word.length > MAX_COMPARED) return undefined;
	const low = word.toLowerCase();
	const all = [...candidates].filter(({ length }) => length <= MAX_COMPARED);
	const limit = Math.max(2, Math.floor(word.length / 2.5)) + 1;
	let best: string | undefined;
	let bestDistance = limit;
	let bestStray = 0;
	for (const candidate of all) {
		const other = candidate.toLowerCase();
		const edits = distance(low, other);
		if (edits > 0 && differsTooMuch(low, other, edits)) continue;
		const adjusted = edits - (other.startsWith(low) && low.length > 2 ? 2 : 0);
		if (adjusted > bestDistance) continue;
		const stray = countStrayLetters(low, other);
		if (adjusted === bestDistance && (best === undefined || stray >= bestStray)) continue;
		best = candidate;
		bestDistance = adjusted;
		bestStray = stray;
	}
	return best ?? findOnlyLonger(low, all);
}

/**
 * Returns the number of letters that only one of two words has. Among equally distant words, the one with fewer is
 * suggested.
 */
function countStrayLetters(word: string, other: string): number {
	const rest = [...other];
	let stray = 0;
	for (const letter of word) {
		const index = rest.indexOf(letter);
		if (index < 0) stray++;
		else rest.splice(index, 1);
	}
	return stray + rest.length;
}

/** Returns true if two words share too little to be near. Words with the same letters in another order are near. */
function differsTooMuch(word: string, other: string, edits: number): boolean {
	const longest = Math.max(word.length, other.length);
	if (edits * 2 < longest || other.startsWith(word)) return edits >= longest;
	return [...word].sort().join('') !== [...other].sort().join('');
}

/** Returns the only longer word that has this one as its last part; otherwise the only one that begins with it. */
function findOnlyLonger(word: string, candidates: readonly string[]): string | undefined {
	if (word.length < 2) return undefined;
	const ending = candidates.filter((candidate) => candidate.toLowerCase().endsWith(`_${word}`));
	if (ending.length === 1) return ending[0];
	const beginning = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word));
	return beginning.length === 1 && word.length > 2 ? beginning[0] : undefined;
}

/** Maximum number of names in a suggestion. */
const MAX_LISTED = 20;

/**
 * Returns a suggestion for an unknown name: the nearest known name, or all if they are few; otherwise undefined.
 */
export function suggestion(name: string, knownNames: Iterable<string>): string | undefined {
	const names = [...new Set(knownNames)];
	const near = nearest(name, names);
	if (near !== undefined) return `Did you mean "${near}"?`;
	const listed = names.map(shortenName).join(', ');
	return names.length === 0 || names.length > MAX_LISTED ? undefined : `Use one of: ${listed}.`;
}
