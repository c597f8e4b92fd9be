/** Answers of GET /schema: the whole schema as JSON, a compact text, or the results of a search. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

const anyObject = z.record(z.string(), z.unknown());

export const wholeSchema = z.strictObject({
	ok: z.literal(true),
	version: text('Version of the interface'),
	components: z
		.record(z.string(), z.record(z.string(), z.unknown()))
		.describe(
			'Component -> field -> description; also its description (`note`), its fields (`fields`), and its forms if it has several (`variants`)',
		),
	endpoints: z
		.record(z.string(), z.string())
		.describe('"METHOD /path" -> summary; in the whole schema also with :id for {id}'),
	component_schemas: z.array(anyObject).describe('Every component: scope, fields, JSON Schema of its output'),
	events: z
		.array(anyObject)
		.describe(
			'Every event: its kind and fields, the fields of its subject and cause, and the values it keeps of entities that may no longer exist',
		),
	routes: z.array(anyObject).describe('Every route: effect, JSON Schemas, error codes, examples'),
	definitions: z
		.record(z.string(), anyObject)
		.describe('Named schemas, for references of the form #/definitions/<name>'),
	errors: z.array(anyObject).describe('Every error code, with its status and fix'),
});

export const compactText = z.strictObject({
	ok: z.literal(true),
	text: z.string().describe('With form=compact: the text'),
});

/** Kinds of results of a search. */
const RESULT_KINDS = [
	'route',
	'field',
	'condition',
	'action',
	'component',
	'event',
	'error',
	'recipe',
	'guide',
] as const;
export type SearchResultKind = (typeof RESULT_KINDS)[number];

export const searchResults = z.strictObject({
	ok: z.literal(true),
	found: z
		.array(
			z.strictObject({
				kind: z.enum(RESULT_KINDS),
				name: z.string(),
				text: z.string().describe('Meaning'),
				read: z.string().describe('Call that returns all of it'),
			}),
		)
		.describe('With q: best results first, at most 20'),
	matched: z.int().describe('Number of results, listed or not'),
});
