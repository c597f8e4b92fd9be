/** Routes of the tag Scenes and scenarios: level files. */

import * as z from 'zod';
import { matchSettings } from '../contract/match-settings.ts';
import { route } from '../contract/route.ts';
import { integer, number, optional, text, vec3 } from '../contract/values.ts';
import { spawnDocument } from './spawn-document.ts';
import { warnings } from './world.ts';

export const cameraDocument = z
	.strictObject({
		eye: optional(vec3('Where the camera is')),
		target: optional(vec3('What it looks at')),
		fov_y: optional(number('Vertical angle of view', { unit: 'rad', min: 0.01, max: 3.1 })),
	})
	.describe('Camera');

export const levelDocument = z
	.strictObject({
		version: optional(integer('Version of the format')),
		name: optional(text('Name of the level')),
		entities: optional(z.array(spawnDocument).max(100_000).describe('Entities to spawn')),
		rules: optional(z.array(z.record(z.string(), z.unknown())).max(10_000).describe('Rules')),
		camera: optional(cameraDocument),
		game: optional(matchSettings),
	})
	.describe('A level');

export const loadLevel = route({
	id: 'scenes.load_level',
	tag: 'Scenes and scenarios',
	method: 'POST',
	path: '/level/load',
	cli: ['level', 'load'],
	summary: 'Adds the entities, camera and match settings of a level to the world, all or nothing',
	description: 'The level comes from a file under the data folder (`path`) or with the call (`level`).',
	effect: 'write',
	body: z.union([
		z.strictObject({ path: text('File under the data folder', 400) }),
		z.strictObject({ level: levelDocument }),
	]),
	answer: z.strictObject({
		ok: z.literal(true),
		entities_created: z.int().describe('Entities that were made'),
		warnings,
	}),
	errors: {
		file_missing: 200,
		file_refused: 200,
		file_failed: 200,
		invalid_level: 200,
		entity_not_found: 200,
		world_full: 200,
	},
	examples: [
		{
			name: 'Load a small level',
			body: {
				level: {
					entities: [
						{ mesh: 'plane', scale: [20, 1, 20] },
						{ mesh: 'cube', position: [0, 0.5, 0] },
					],
					camera: { eye: [0, 12, 8], target: [0, 0.5, 0] },
				},
			},
		},
	],
});
