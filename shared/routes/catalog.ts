/** Route of the catalog: all files and documents of the server and of the data folder, by kind. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { optional, text, word } from '../contract/values.ts';

/** Kinds of entries, in the order of the answer. */
export const CATALOG_KINDS = [
	'scenes',
	'models',
	'sounds',
	'textures',
	'templates',
	'prefabs',
	'presets',
] as const;

const name = z.string().describe('Name or path, as other calls take it');
const from = z
	.enum(['server', 'data', 'upload'])
	.describe('server: comes with the engine; data: a file of the data folder; upload: POST /asset/upload');
const problem = z.string().optional().describe('Reason the file cannot be used');
const seconds = z.number().describe('Duration at normal speed (s)');

export const getCatalog = route({
	id: 'asset.catalog',
	tag: 'Assets',
	method: 'GET',
	path: '/catalog',
	cli: ['catalog'],
	summary: 'Scenes, models, sounds, textures, templates, prefabs and presets that can be used by name',
	description:
		'POST /scene/open opens a scene by its name. A model is a `mesh`, a sound a `clip`, a texture a `texture`. Files of the data folder beyond the first 100 of a kind are listed without details.',
	effect: 'read',
	query: z.strictObject({
		kind: optional(word(CATALOG_KINDS, 'Only this kind')),
		q: optional(text('Only entries whose name, or one of whose words, contains this text', 200)),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		scenes: z
			.array(
				z.strictObject({
					name,
					from,
					title: z.string().optional().describe('Its own name'),
					entities: z.int().optional().describe('Number of entities'),
					rules: z.int().optional().describe('Number of rules'),
					open: z
						.strictObject({
							method: z.literal('POST'),
							path: z.literal('/scene/open'),
							body: z.strictObject({ name }),
						})
						.describe('Call that opens it'),
				}),
			)
			.optional(),
		models: z
			.array(
				z.strictObject({
					name,
					from,
					size: z
						.tuple([z.number(), z.number(), z.number()])
						.optional()
						.describe('Extent along x, y and z at scale 1 (m)'),
					low: z
						.tuple([z.number(), z.number(), z.number()])
						.optional()
						.describe('Lowest corner of its box, from its position, at scale 1 (m)'),
					clips: z
						.array(z.strictObject({ name: z.string(), seconds }))
						.optional()
						.describe('Clips that POST /animation/play plays'),
					words: z.array(z.string()).optional().describe('Other words that it is found by, such as tree'),
					materials: z.array(z.string()).optional().describe('Names of its materials'),
					problem,
				}),
			)
			.optional(),
		sounds: z.array(z.strictObject({ name, from, seconds: seconds.optional(), problem })).optional(),
		textures: z
			.array(
				z.strictObject({
					name,
					from,
					width: z.int().optional().describe('Width (pixels)'),
					height: z.int().optional().describe('Height (pixels)'),
					problem,
				}),
			)
			.optional(),
		templates: z.array(name).optional().describe('Templates of the world, for POST /template/spawn'),
		prefabs: z.array(name).optional().describe('Prefabs, for POST /prefab/spawn'),
		presets: z
			.array(
				z.strictObject({
					route: z.string().describe('Method and path'),
					field: z.string().describe('Field of its body'),
					names: z.array(name).describe('Allowed words'),
				}),
			)
			.optional()
			.describe('Fields that choose among named settings'),
	}),
	errors: [],
	examples: [
		{ name: 'Everything' },
		{ name: 'Models with "knight" in their name', path: '/catalog?kind=models&q=knight' },
	],
});
