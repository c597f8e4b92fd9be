/**
 * GET /schema?q=words: finds routes, fields, conditions, actions, components, events, error codes, recipes and guide
 * pages.
 * Owns: the searched texts, and the order of results. All texts come from the declarations and the guide's index.
 */

import { components } from '../../shared/components/index.ts';
import { shortenMeaning } from '../../shared/contract/compact-type.ts';
import { fieldSchema } from '../../shared/contract/component.ts';
import { ERRORS } from '../../shared/contract/errors.ts';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import type { Route } from '../../shared/contract/route.ts';
import { definitionsOf } from '../../shared/contract/schema-document.ts';
import { titleOf } from '../../shared/contract/title.ts';
import { events } from '../../shared/events/index.ts';
import { recipes } from '../../shared/recipes/index.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { SearchResultKind } from '../../shared/routes/schema-view.ts';
import { ACTIONS } from '../../shared/verbs/actions/index.ts';
import { CONDITIONS } from '../../shared/verbs/conditions/index.ts';

/** A search result, and the call that shows it in full. */
interface SchemaHit {
	readonly kind: SearchResultKind;
	readonly name: string;
	readonly text: string;
	readonly read: string;
}

/** A searchable entry. `extraWords` has further words that find it but are not shown. */
interface SchemaEntry extends SchemaHit {
	readonly extraWords?: string;
}

const COMPACT = 'GET /schema?form=compact';
/** Maximum number of characters of the text of a result. */
const MAX_TEXT_LENGTH = 240;
/** Maximum number of results of one search. */
const MAX_RESULTS = 20;
/** Words that a search ignores. */
const IGNORED_WORDS = new Set(
	'a an the of to in on for is are how do does i my with and or when what can'.split(' '),
);

const fieldsOf = (schema: JsonSchema | undefined): [string, JsonSchema][] =>
	Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>);

function descriptionOf(schema: JsonSchema): string {
	const all = [schema, ...((schema.anyOf ?? []) as JsonSchema[])];
	return String(all.find(({ description }) => description !== undefined)?.description ?? '');
}

function routeEntries(routes: readonly Route[]): SchemaEntry[] {
	const { definitions, documents } = definitionsOf(routes);
	return documents.flatMap(({ method, path, summary, description = '', params, query, body }) => {
		const read = `${COMPACT}&path=${path}`;
		const $ref = body?.$ref;
		const sent = typeof $ref === 'string' ? definitions[$ref.slice($ref.lastIndexOf('/') + 1)] : body;
		const fields = [params, query, sent].flatMap(fieldsOf).map(
			([name, schema]): SchemaEntry => ({
				kind: 'field',
				name: `${name} of ${method} ${path}`,
				text: descriptionOf(schema),
				read,
			}),
		);
		return [
			{ kind: 'route', name: `${method} ${path}`, text: `${summary}. ${description}`, read },
			...fields,
		];
	});
}

function entriesOf(routes: readonly Route[]): SchemaEntry[] {
	const { definitions } = definitionsOf(routes);
	const inDefinition = (definition: string) => ({
		read: `${COMPACT}&definition=${definition}`,
		extraWords: fieldsOf(definitions[definition])
			.map(([name, schema]) => `${name} ${descriptionOf(schema)}`)
			.join(' '),
	});
	return [
		...routeEntries(routes),
		...CONDITIONS.map(
			({ name, doc }): SchemaEntry => ({
				kind: 'condition',
				name,
				text: doc,
				...inDefinition(`${titleOf(name)}Condition`),
			}),
		),
		...ACTIONS.map(
			({ kind, doc = '' }): SchemaEntry => ({
				kind: 'action',
				name: kind,
				text: doc,
				...inDefinition(`${titleOf(kind)}Action`),
			}),
		),
		...components.flatMap(({ title, summary, fields }): SchemaEntry[] => {
			const read = `${COMPACT}&component=${title}`;
			const parts = Object.entries(fields).map(
				([name, field]): SchemaEntry => ({
					kind: 'field',
					name: `${name} of ${title}`,
					text: descriptionOf({ description: fieldSchema(field).description ?? field.doc }),
					read,
				}),
			);
			return [{ kind: 'component', name: title, text: summary, read }, ...parts];
		}),
		...events.map(
			({ kind, summary }): SchemaEntry => ({
				kind: 'event',
				name: kind,
				text: summary,
				read: 'GET /guide/reference-events.md',
			}),
		),
		...Object.entries(ERRORS).map(
			([code, [status, fix]]): SchemaEntry => ({
				kind: 'error',
				name: code,
				text: `${status}: ${fix}`,
				read: 'GET /guide/reference-errors.md',
			}),
		),
	];
}

const entryCache = new WeakMap<readonly Route[], readonly SchemaEntry[]>();

/** Returns the searchable entries of all declarations. They are built once per list of routes. */
function declaredEntries(routes: readonly Route[]): readonly SchemaEntry[] {
	const entries = entryCache.get(routes) ?? entriesOf(routes);
	entryCache.set(routes, entries);
	return entries;
}

/** Returns the pages of the guide, derived from its index. */
export function guideEntries(index: string): SchemaHit[] {
	return [...index.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)(?:: ([^\n]+))?/g)].map(
		([, title, name, note = '']): SchemaEntry => ({
			kind: 'guide',
			name: title!,
			text: note,
			read: `GET /guide/${name}.md`,
		}),
	);
}

const recipeEntries = recipes.map(
	({ name, title, about, words = '' }): SchemaEntry => ({
		kind: 'recipe',
		name,
		text: `${title}. ${about}`,
		read: `GET /recipes?name=${name}`,
		extraWords: words,
	}),
);

const wordsIn = (text: string): string[] =>
	text
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== '');

/** Returns a word without its ending, so that its forms are equal. */
const stemOf = (word: string): string =>
	word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|e|y)$/, '') : word;

/** Returns the score of a word: highest for a word of the name, then for the start of one, then for the text. */
function wordScore(word: string, name: readonly string[], text: readonly string[]): number {
	if (name.includes(word)) return 8;
	const stem = stemOf(word);
	if (name.some((candidate) => stemOf(candidate) === stem)) return 6;
	if (name.some((candidate) => candidate.startsWith(stem))) return 4;
	if (text.some((candidate) => stemOf(candidate) === stem)) return 2;
	return text.some((candidate) => candidate.startsWith(stem)) ? 1 : 0;
}

/** Returns the entries that match, best first: those with more of the words, then those with words in their name. */
function rankEntries<E extends SchemaEntry>(entries: readonly E[], searchText: string): E[] {
	const all = [...new Set(wordsIn(searchText))];
	const meaningful = all.filter((word) => !IGNORED_WORDS.has(word));
	const words = meaningful.length > 0 ? meaningful : all;
	const matches = entries.flatMap((entry, at) => {
		// A field is found by its own name, not by that of its route.
		const [ownName, rest = ''] = entry.kind === 'field' ? entry.name.split(' of ') : [entry.name];
		const name = wordsIn(ownName!);
		const text = wordsIn(`${rest} ${entry.text} ${entry.extraWords ?? ''}`);
		const scores = words.map((word) => wordScore(word, name, text));
		const hits = scores.filter((wordPoints) => wordPoints > 0).length;
		// A field is a detail, so the route or component that it belongs to ranks higher.
		const weight = entry.kind === 'field' ? 0.5 : 1;
		const score =
			(scores.reduce((sum, wordPoints) => sum + wordPoints, 0) * weight) / Math.sqrt(1 + name.length / 8);
		return hits === 0 ? [] : [{ entry, hits, score, at }];
	});
	const maxHits = Math.max(0, ...matches.map(({ hits }) => hits));
	return matches
		.filter(({ hits }) => hits >= maxHits / 2)
		.sort((a, b) => b.hits - a.hits || b.score - a.score || a.at - b.at)
		.map(({ entry }) => entry);
}

/** Returns the results of a search. `others`: further entries that are not declared, such as pages of the guide. */
export function searchSchema(
	routes: readonly Route[],
	others: readonly SchemaEntry[],
	searchText: string,
): { readonly found: SchemaHit[]; readonly matched: number } {
	const best = rankEntries([...declaredEntries(routes), ...recipeEntries, ...others], searchText);
	const found = best.slice(0, MAX_RESULTS).map(({ kind, name, text, read }) => ({
		kind,
		name,
		text: shortenMeaning(text.trim(), MAX_TEXT_LENGTH),
		read,
	}));
	return { found, matched: best.length };
}

/** Returns the recipes that some words find. */
export const searchRecipes = (searchText: string): Recipe[] =>
	rankEntries(recipeEntries, searchText).map(({ name }) => recipes.find((recipe) => recipe.name === name)!);

/** Returns results as lines of text. */
export const resultLines = (found: readonly SchemaHit[]): string =>
	found.map(({ kind, name, text, read }) => `${kind} ${name} # ${text} -> ${read}`).join('\n');
