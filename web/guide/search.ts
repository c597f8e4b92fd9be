/**
 * Search of the guide.
 * Owns: the matching entries of a query, and their order. Never: touches the page.
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
function matchOf(text: string, word: string): number {
	const at = text.indexOf(word);
	if (at < 0) return 0;
	const words = wordsOf(text);
	if (words.includes(word)) return 3;
	return words.some((one) => one.startsWith(word)) ? 2 : 1;
}

/** Returns the entries that have all words of a query, best first. Words of headings count most. */
export function findEntries(entries: readonly SearchEntry[], query: string, most: number): SearchEntry[] {
	const queryWords = wordsOf(query);
	if (queryWords.length === 0) return [];
	const found: { readonly entry: SearchEntry; readonly score: number }[] = [];
	for (const entry of entries) {
		const [, , page, heading, words] = entry;
		const title = (heading === '' ? page : heading).toLowerCase();
		let score = 0;
		for (const word of queryWords) {
			const own =
				20 * matchOf(title, word) +
				(heading === '' ? 0 : 4 * matchOf(page.toLowerCase(), word)) +
				matchOf(words.toLowerCase(), word);
			if (own === 0) {
				score = 0;
				break;
			}
			score += own;
		}
		if (score === 0) continue;
		// If scores are equal, a page comes before its parts, and a short heading before a long one.
		const isWhole = wordsOf(title).length === queryWords.length ? 15 : 0;
		found.push({ entry, score: score + isWhole + (heading === '' ? 8 : 0) });
	}
	return found
		.sort((a, b) => b.score - a.score)
		.slice(0, most)
		.map(({ entry }) => entry);
}
