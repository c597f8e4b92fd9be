/**
 * Documents that hold worlds: scenarios, levels and scenes.
 * Owns: their sections, the same wherever they occur.
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
import { assertionDocument } from './assertion.ts';
import { writtenRule } from './rule.ts';
import { registryName, spawnDocument, spawnFields } from './spawn.ts';

/** Widest angle of view of a camera (rad). Documents with more than that mean degrees. */
export const MOST_RADIANS = 3.1;

export const cameraDocument = z
	.strictObject({
		eye: optional(vec3('Where the camera is')),
		target: optional(vec3('What it looks at')),
		up: optional(vec3('Which way is up', { unit: 'direction' })),
		fov_y: optional(
			number(`Vertical angle of view; above ${MOST_RADIANS} it is read as degrees`, {
				unit: 'rad',
				min: 0.01,
				max: 177,
			}),
		),
		orthographic: optional(flag('Whether near and far are drawn alike')),
		ortho_size: optional(
			number('Half the height of an orthographic picture', { unit: 'm', min: 1e-3, max: 1e6 }),
		),
	})
	.describe('Camera')
	.meta({ id: 'Camera' });

export const gameDocument = z
	.strictObject({
		mode: text('Name of the mode').default('deathmatch'),
		score_limit: integer('Score that ends the match', { min: -0x80000000, max: 0x7fffffff }).default(10),
		time_limit: number('Length of the match; 0 or less: none', { unit: 's' }).default(300),
		respawn_delay: number('Time until the dead return', { unit: 's', min: 0 }).default(3),
		auto_start: flag('Begins at once instead of waiting in the lobby').default(true),
		countdown: number('Time between the start and the first tick of play', { unit: 's', min: 0 }).default(0),
	})
	.describe('Match settings')
	.meta({ id: 'Game' });

const componentValues = z
	.record(z.string(), z.record(z.string(), z.unknown()).nullable())
	.describe(
		'Exact values of components by name, put over what the fields beside it say; null: the entity has no such component. {"$entity": id} stands for an entity of the document, and ticks count from the one on which the document is applied',
	);

/** An entity in a document: a spawn document, and what of it a spawn document cannot say. */
export const entityDocument = z
	.strictObject({
		id: optional(entityId.describe('Id within the document, to which other entries refer')),
		// With a template it is a reference, and what differs stands in its overrides.
		template: z.null().optional(),
		...spawnFields,
		components: optional(componentValues),
	})
	.describe('The fields of /spawn, and what they cannot say')
	.meta({ id: 'EntityDocument' });

/** A reference to a template. */
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
/** Most bytes that an exact part may stand for (256 MiB). */
export const MAX_EXACT_BYTES = 2 ** 28;
/** Most entries of a list in a document: as many entities as a world holds. */
const MOST_ENTRIES = 1_000_000;

export const exactPart = z
	.strictObject({
		format: text('Format of the part; one of another engine no longer counts', 40),
		state_digest: digest,
		document: z
			.string()
			.regex(/^[0-9a-f]{16}$/)
			.describe('Hash of the rest of the document; when that was edited, this part no longer counts'),
		checksum: z
			.string()
			.regex(/^[0-9a-f]{16}$/)
			.describe('Hash of the bytes that `world` stands for'),
		size: z.int().min(0).max(MAX_EXACT_BYTES).describe('How many these are'),
		world: z.base64().describe('The world, bit for bit, its bytes deflated'),
		assets: optional(
			z.array(text('SHA-256', 64)).describe('Assets that the world names; a save writes them to assets/'),
		),
	})
	.describe('Everything, exactly: applying the document with this part restores the digest')
	.meta({ id: 'ExactPart' });

export type ExactPart = z.output<typeof exactPart>;

const sections = {
	version: optional(integer('Version of the format')),
	name: optional(text('Name')),
	templates: optional(z.record(registryName, spawnDocument).describe('Spawn documents by name')),
	entities: optional(z.array(entityEntry).max(MOST_ENTRIES).describe('Entities, in order')),
	rules: optional(z.array(writtenRule).max(MOST_ENTRIES).describe('Rules, as /rule/create takes them')),
	assertions: optional(z.array(assertionDocument).max(MOST_ENTRIES).describe('Assertions')),
	camera: optional(cameraDocument),
	game: optional(gameDocument.describe('The match that begins')),
	resources: optional(
		z
			.record(z.string(), z.unknown())
			.describe(
				'Registries and further settings of the world by name, such as its items; a level has registries only',
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
