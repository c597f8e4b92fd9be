/**
 * Documents of worlds: scenarios, levels and scenes.
 * Owns: their sections, which are the same in all documents.
 */

import * as z from 'zod';
import {
	digest,
	entityId,
	flag,
	integer,
	number,
	optional,
	position,
	text,
	vec3,
} from '../contract/values.ts';
import { registryName, spawnDocument, spawnFields } from '../documents/spawn.ts';
import { actionList } from './action.ts';
import { assertionDocument } from './assertion.ts';
import { environmentDocument } from './environment.ts';
import { writtenRules } from './rule.ts';

/** Maximum angle of view of a camera (rad). Larger values in documents are degrees. */
export const MAX_RADIANS = 3.1;

export const cameraDocument = z
	.strictObject({
		eye: optional(vec3('Position of the camera')),
		target: optional(vec3('Point that the camera looks at')),
		up: optional(vec3('Up direction', { unit: 'direction' })),
		fov_y: optional(
			number(`Vertical angle of view; above ${MAX_RADIANS} it is read as degrees`, {
				unit: 'rad',
				min: 0.01,
				max: 177,
			}),
		),
		orthographic: optional(flag('Orthographic projection, without perspective')),
		ortho_size: optional(
			number('Half the visible height, with orthographic projection', { unit: 'm', min: 1e-3, max: 1e6 }),
		),
		near: optional(number('Nearest distance that is drawn', { unit: 'm', min: 1e-3, max: 1e4 })),
		far: optional(number('Farthest distance that is drawn', { unit: 'm', min: 0.01, max: 1e6 })),
	})
	.describe('Camera')
	.meta({ id: 'Camera' });

export const gameDocument = z
	.strictObject({
		mode: text('Name of the game mode').default('deathmatch'),
		score_limit: integer('Score that ends the match', { min: -0x80000000, max: 0x7fffffff }).default(10),
		time_limit: number('Longest duration of the match; 0 or less: no limit', { unit: 's' }).default(300),
		respawn_delay: number('Time until a dead entity respawns', { unit: 's', min: 0 }).default(3),
		auto_start: flag('Starts the match immediately instead of waiting in the lobby').default(true),
		countdown: number('Duration of the countdown before play begins', { unit: 's', min: 0 }).default(0),
	})
	.describe('Match settings')
	.meta({ id: 'Game' });

const componentValues = z
	.record(z.string(), z.record(z.string(), z.unknown()).nullable())
	.describe(
		'Exact values of components by name; they override the other fields of the entity. null: the entity lacks this component. {"$entity": id} refers to an entity of the document. Ticks are relative to the tick on which the document is applied',
	);

/** Schema of an entity in a document: a spawn document, with component values that it cannot express. */
export const entityDocument = z
	.strictObject({
		id: optional(entityId.describe('Id within the document, for references from other entries')),
		// With a template the entry is a reference, and its differences are in `overrides`.
		template: z.null().optional(),
		...spawnFields,
		components: optional(componentValues),
	})
	.describe('An entity: the fields of POST /spawn, and exact component values')
	.meta({ id: 'EntityDocument' });

/** Schema of a reference to a template. */
export const templateReference = z.strictObject({
	id: optional(entityId.describe('Id within the document')),
	template: text('Name of a template', 100),
	position: optional(position),
	overrides: optional(spawnDocument.describe('Fields that differ from the template')),
});

export const entityEntry = z
	.union([templateReference, entityDocument])
	.describe('An entity: {template, position, overrides}, or a spawn document');

export type EntityEntry = z.output<typeof entityEntry>;
export type EntityDocument = z.output<typeof entityDocument>;

/** The format of exact parts that this engine writes and reads. */
export const EXACT_FORMAT = 'orrery-world-3';
/** Maximum number of inflated bytes of an exact part (256 MiB). */
export const MAX_EXACT_BYTES = 2 ** 28;
/** Maximum length of a list in a document. It is the maximum number of entities in a world. */
const MAX_ENTRIES = 1_000_000;

export const exactPart = z
	.strictObject({
		format: text('Format of the exact part; other formats are ignored', 40),
		state_digest: digest,
		document: z
			.string()
			.regex(/^[0-9a-f]{16}$/)
			.describe('Hash of the rest of the document; if the rest was edited, the exact part is ignored'),
		checksum: z
			.string()
			.regex(/^[0-9a-f]{16}$/)
			.describe('Hash of the inflated bytes of `world`'),
		size: z.int().min(0).max(MAX_EXACT_BYTES).describe('Number of inflated bytes of `world`'),
		world: z.base64().describe('The exact state of the world: deflated bytes as base64'),
		assets: optional(
			z
				.array(text('SHA-256', 64))
				.describe(
					'Assets that the world uses. If one is missing, the exact part is refused; /scene/save writes them to assets/',
				),
		),
	})
	.describe('The exact state of the world: applying a document with this part restores the digest')
	.meta({ id: 'ExactPart' });

export type ExactPart = z.output<typeof exactPart>;

const sections = {
	version: optional(integer('Version of the format')),
	name: optional(text('Name of the world; GET / shows it as world_name')),
	templates: optional(z.record(registryName, spawnDocument).describe('Spawn documents by name')),
	entities: optional(z.array(entityEntry).max(MAX_ENTRIES).describe('Entities, in order')),
	rules: optional(writtenRules.describe('Rules, as /rule/create takes them')),
	assertions: optional(z.array(assertionDocument).max(MAX_ENTRIES).describe('Assertions')),
	actions: optional(actionList.describe('Moves of the game by name, for POST /action/{name}')),
	camera: optional(cameraDocument),
	game: optional(gameDocument.describe('Match to start')),
	environment: optional(environmentDocument),
	resources: optional(
		z
			.record(z.string(), z.unknown())
			.describe(
				'Registries and other settings of the world by name, such as its items; a level has registries only',
			),
	),
};

export const scenarioDocument = z
	.strictObject({
		...sections,
		exact: optional(exactPart),
	})
	.describe('A scenario')
	.meta({ id: 'Scenario' });

export type ScenarioDocument = z.output<typeof scenarioDocument>;

export const levelDocument = z.strictObject(sections).describe('A level').meta({ id: 'Level' });

export type LevelDocument = z.output<typeof levelDocument>;
