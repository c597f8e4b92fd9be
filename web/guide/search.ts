/**
 * Searches the guide. Owns: the matching entries of a query, and their order.
 * Never: changes the page.
 */

/** An entry of the index: file, anchor, page, heading, words. */
export type SearchEntry = readonly [
	file: string,
	anchor: string,
	page: string,
	heading: string,
	words: string,
];

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the score of a word in a text: 3 for a whole word, 2 for the start of a word, 1 inside a word, 0 if missing. */
function scoreWord(text: string, word: string): number {
	const at = text.indexOf(word);
	if (at < 0) return 0;
	const words = wordsOf(text);
	if (words.includes(word)) return 3;
	return words.some((candidate) => candidate.startsWith(word)) ? 2 : 1;
}

/** Returns the entries that have all words of a query, best first. Words of headings count most. */
export function findEntries(entries: readonly SearchEntry[], query: string, max: number): SearchEntry[] {
	const queryWords = wordsOf(query);
	if (queryWords.length === 0) return [];
	const matches: { readonly entry: SearchEntry; readonly score: number }[] = [];
	for (const entry of entries) {
		const [, , page, heading, words] = entry;
		const title = (heading === '' ? page : heading).toLowerCase();
		let score = 0;
		for (const word of queryWords) {
			const wordScore =
				20 * scoreWord(title, word) +
				(heading === '' ? 0 : 4 * scoreWord(page.toLowerCase(), word)) +
				scoreWord(words.toLowerCase(), word);
			if (wordScore === 0) {
				score = 0;
				break;
			}
			score += wordScore;
		}
		if (score === 0) continue;
		// If scores are equal, a page comes before its parts, and a short heading before a long one.
		const wholeBonus = wordsOf(title).length === queryWords.length ? 15 : 0;
		matches.push({ entry, score: score + wholeBonus + (heading === '' ? 8 : 0) });
	}
	return matches
		.sort((a, b) => b.score - a.score)
		.slice(0, max)
		.map(({ entry }) => entry);
}
