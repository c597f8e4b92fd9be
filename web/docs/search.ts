/**
 * Searches for routes by path, summary, field or error code.
 * Owns: the searched texts, the order of results, and the reason of each hit.
 */

import type { ApiDocument, DocRoute } from './document.ts';
import { fieldNames } from './schema.ts';

export interface DocHit {
	readonly route: DocRoute;
	/** Reason of a hit that is not visible, such as `field health` or `error world_full`; empty otherwise. */
	readonly why: string;
}

interface DocEntry {
	readonly route: DocRoute;
	readonly path: string;
	readonly summary: string;
	readonly fields: readonly string[];
	readonly codes: readonly string[];
}

/** Returns a function that finds the routes for a typed text, best first. All its words must match. */
export function createSearch({ routes, schemas }: ApiDocument): (typed: string) => readonly DocHit[] {
	let entries: readonly DocEntry[] | undefined;
	const index = (): readonly DocEntry[] =>
		routes.map((route) => ({
			route,
			path: `${route.method} ${route.path}`.toLowerCase(),
			summary: `${route.summary} ${route.tag} ${route.id} ${route.cli}`.toLowerCase(),
			fields: [
				...route.parameters
					.filter((parameter) => parameter.in !== 'header' && parameter.name !== 'world')
					.map(({ name }) => name),
				...(route.body === undefined ? [] : fieldNames(route.body, schemas)),
				...(route.answer === undefined ? [] : fieldNames(route.answer, schemas)),
			],
			codes: route.codes.map(([code]) => code),
		}));
	return (query) => {
		const words = query
			.toLowerCase()
			.split(/\s+/)
			.filter((word) => word !== '');
		if (words.length === 0) return routes.map((route) => ({ route, why: '' }));
		entries ??= index();
		return entries
			.flatMap((entry) => {
				const hits = words.map((word) => hitOf(entry, word));
				if (hits.some((hit) => hit === undefined)) return [];
				const rank = hits.reduce((sum, hit) => sum + hit![0], 0);
				const why = hits.map((hit) => hit![1]).filter((candidate) => candidate !== '');
				return [{ route: entry.route, why: [...new Set(why)].join(', '), rank }];
			})
			.sort((a, b) => a.rank - b.rank);
	};
}

/** Returns the rank of a hit (0 is best), and its reason; undefined if the word does not match. */
function hitOf(
	{ path, summary, fields, codes }: DocEntry,
	word: string,
): readonly [rank: number, why: string] | undefined {
	const pathText = path.slice(path.indexOf(' ') + 1);
	if (pathText === word || pathText === `/${word}`) return [0, ''];
	if (pathText.split(/[/{}]/).some((segment) => segment.startsWith(word))) return [1, ''];
	if (path.includes(word)) return [2, ''];
	const code = codes.find((code) => code === word);
	if (code !== undefined) return [3, `error ${code}`];
	if (new RegExp(`\\b${word.replace(/\W/g, '\\$&')}`).test(summary)) return [3, ''];
	const exact = fields.find((field) => field === word);
	if (exact !== undefined) return [4, `field ${exact}`];
	if (summary.includes(word)) return [5, ''];
	const field = fields.find((field) => field.includes(word));
	if (field !== undefined) return [6, `field ${field}`];
	const codePart = codes.find((code) => code.includes(word));
	return codePart === undefined ? undefined : [7, `error ${codePart}`];
}
