/** Routes of the tag Scenes and scenarios: scenario documents, scene and level files. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { entityId, nullMeansDefault, queryFlag, text } from '../contract/values.ts';
import { SHIPPED } from '../documents/shipped.ts';
import { levelDocument, scenarioDocument } from '../rules/scenario.ts';
import { entityCount, worldStamp } from './entity-view.ts';
import { assetErrors, warnings } from './world.ts';

const shared = { tag: 'Scenes and scenarios' } as const;
const file = text('File below the data folder', 400);
const sceneFile = z.strictObject(
	nullMeansDefault({ path: file.meta(namesThing('scene')).default('scene.json') }),
);
const forkParams = z.strictObject({ id: z.string().describe('Id of the fork').meta(namesThing('fork')) });

const scenarioErrors = [
	'invalid_scenario',
	'invalid_rule',
	'invalid_assertion',
	'unknown_template',
	'world_full',
	...assetErrors,
] as const;

const duel = {
	version: 2,
	name: 'duel',
	game: { mode: 'deathmatch', score_limit: 5, time_limit: 60, respawn_delay: 2 },
	templates: {
		hero: { mesh: 'cube', health: 500, team: 1, combat: true },
		minion: { mesh: 'cube', health: 80, team: 2 },
	},
	entities: [
		{ template: 'hero', position: [0, 1, 0] },
		{ template: 'minion', position: [5, 1, 0] },
		{ template: 'minion', position: [-5, 1, 0], overrides: { health: 120 } },
	],
	rules: [
		{
			when: { kind: 'death' },
			filter: 'team:2',
			actions: [{ action: 'score', target: 'source', points: 1 }],
		},
	],
	assertions: [
		{
			name: 'team1_alive',
			condition: { type: 'entity_count', filter: { type: 'team', team: 1 }, min: 1 },
			severity: 'error',
		},
	],
};

const ids = {
	entity_ids: z.array(entityId).describe('Ids of the game entities, in the order of the document'),
	rule_ids: z.array(entityId).describe('Ids of the rules, in the order of the document'),
	assertion_ids: z.array(entityId).describe('Ids of the assertions, in the order of the document'),
};

const appliedFields = {
	entities_spawned: z.int().describe('Game entities'),
	templates: z.int().describe('Templates registered'),
	rules: z.int().describe('Rules created'),
	assertions: z.int().describe('Assertions created'),
	...ids,
	exact: z.boolean().describe('true: the exact part was used, so the digest is the saved one'),
	...worldStamp,
	warnings,
};

export const applyScenario = route({
	...shared,
	id: 'scenarios.apply',
	method: 'POST',
	path: '/scenario',
	compact: 6 * 1024,
	cli: ['scenario', 'load'],
	summary: 'Replaces all entities, rules and assertions with those of a scenario, all or nothing',
	description:
		'With an `exact` part that matches the document, the world becomes the saved one bit for bit, including its tick. With sign-in, only an operator may send that part. Otherwise the tick is not reset, templates are added to the existing ones, and the match, the camera and settings missing in the document are kept.',
	effect: 'replace',
	body: scenarioDocument,
	document: true,
	adminFields: ['exact'],
	answer: z.strictObject({ ok: z.literal(true), ...appliedFields }),
	errors: scenarioErrors,
	examples: [
		{ name: 'A duel', body: duel },
		{
			name: 'Rules that use the short texts',
			body: {
				entities: [{ health: 50, position: [0, 0, 0], team: 1 }],
				rules: [{ when: 'health-below:20', actions: ['heal this 30'] }],
			},
		},
	],
});

const exportQuery = z.strictObject({
	exact: queryFlag('Adds the exact part: base64 that only the engine reads').default(true),
	unset: queryFlag(
		'Lists unset fields of templates and entities as null; a field left out means the same',
	).default(true),
});

export const exportScenario = route({
	...shared,
	id: 'scenarios.export',
	method: 'GET',
	path: '/scenario',
	cli: ['scenario', 'save'],
	summary: 'The world as a scenario: applying and exporting it again gives the same bytes',
	description:
		'The answer is the document itself. It is never longer than POST /scenario accepts. A bare host exports position, scale, health and team only.',
	effect: 'read',
	query: exportQuery,
	answer: z.record(z.string(), z.unknown()).describe('A scenario document'),
	errors: ['too_large_to_save', 'asset_missing'],
	examples: [
		{ name: 'Export', given: [{ path: '/scenario', body: duel }] },
		{
			name: 'The shortest form',
			given: [{ path: '/scenario', body: duel }],
			path: '/scenario?exact=false&unset=false',
		},
	],
});

const withFork = [{ path: '/fork', body: { fork_id: 'plan' } }];

export const applyForkScenario = route({
	...shared,
	id: 'scenarios.apply_to_fork',
	method: 'POST',
	path: '/fork/{id}/scenario',
	cli: ['scenario', 'apply-to-fork'],
	summary: 'Replaces all entities, rules and assertions of a fork with those of a scenario, all or nothing',
	effect: 'fork',
	world: false,
	params: forkParams,
	body: scenarioDocument,
	document: true,
	adminFields: ['exact'],
	answer: z.strictObject({ ok: z.literal(true), fork_id: z.string(), ...appliedFields }),
	errors: scenarioErrors,
	inside: ['unknown_fork'],
	examples: [{ name: 'Try a duel in a fork', given: withFork, path: '/fork/plan/scenario', body: duel }],
});

export const exportForkScenario = route({
	...shared,
	id: 'scenarios.export_fork',
	method: 'GET',
	path: '/fork/{id}/scenario',
	cli: ['fork', 'scenario'],
	summary: 'A fork as a scenario',
	effect: 'read',
	world: false,
	params: forkParams,
	query: exportQuery,
	answer: z.record(z.string(), z.unknown()).describe('A scenario document'),
	errors: ['unknown_fork', 'too_large_to_save', 'asset_missing'],
	examples: [{ name: 'Export a fork', given: withFork, path: '/fork/plan/scenario' }],
});

const fileAnswer = z.strictObject({
	ok: z.literal(true),
	message: z.string(),
	path: z.string(),
	entity_count: entityCount,
	...worldStamp,
	warnings,
});

const spawnCube = {
	path: '/spawn',
	body: { health: 80, team: 1, position: [1, 2, 3], mesh: 'cube' },
} as const;
const savedScene = [spawnCube, { path: '/scene/save', body: { path: 'saved.json' } }] as const;

export const saveScene = route({
	...shared,
	id: 'scenes.save',
	method: 'POST',
	path: '/scene/save',
	cli: ['scene', 'save'],
	summary: 'Saves the world to a file: every entity in readable form, and the exact state',
	effect: 'read',
	owner: ['file'],
	access: 'write',
	body: sceneFile,
	answer: fileAnswer,
	makes: { thing: 'scene', named: { scene: '$response.body#/path' } },
	errors: ['asset_missing'],
	inside: ['file_refused', 'file_failed', 'too_large_to_save'],
	examples: [{ name: 'Save', given: [spawnCube], body: { path: 'saved.json' } }],
});

export const loadScene = route({
	...shared,
	id: 'scenes.load',
	method: 'POST',
	path: '/scene/load',
	cli: ['scene', 'load'],
	summary: 'Replaces the world with a saved one, bit for bit if the file has its exact part',
	description:
		'Without that part, or after edits of entities, only the readable form is restored: pose, body, collider, velocity, health, team, role, tags, mesh and colour. A bare host restores position, scale, health, team and body only.',
	effect: 'replace',
	body: sceneFile,
	answer: fileAnswer.extend({ exact: z.boolean().describe('true: the digest is the saved one') }),
	errors: ['world_full'],
	inside: ['file_missing', 'file_refused', 'file_failed', 'invalid_scene'],
	examples: [{ name: 'Load', given: savedScene, body: { path: 'saved.json' } }],
});

export const openScene = route({
	...shared,
	id: 'scenes.open',
	method: 'POST',
	path: '/scene/open',
	cli: ['scene', 'open'],
	summary: 'Opens a scene by its name, in a new world: one of the engine, or a file of the data folder',
	description: `The same as POST /reset with fresh, then POST /scenario, /level/load or /scene/load with the file. A scene of the data folder is named by its path, or by its name without .json. GET /catalog lists all of them. Scenes of the engine: ${SHIPPED.scenes.names.join(', ')}. Models and sounds of the engine have paths such as models/knight.glb and sounds/coin.wav.`,
	effect: 'replace',
	body: z.strictObject({ name: text('Name of the scene', 100) }),
	answer: z.strictObject({
		ok: z.literal(true),
		name: z.string(),
		path: z.string().describe('Path of its file'),
		heroes: z
			.array(
				z.strictObject({
					id: entityId,
					name: z.string().nullable().describe('Its name, or that of its hero definition'),
					tags: z.array(z.string()),
				}),
			)
			.describe('Entities with the role hero or a player, in the order of their ids'),
		...appliedFields,
	}),
	errors: [...scenarioErrors, 'file_missing', 'invalid_scene'],
	examples: [{ name: 'The arena', needs: 'relay', body: { name: 'arena' } }],
});

export const saveLevel = route({
	...shared,
	id: 'scenes.save_level',
	method: 'POST',
	path: '/level/save',
	cli: ['level', 'save'],
	summary: 'Saves entities, rules, assertions, templates, registries, camera and match settings as a level',
	effect: 'read',
	owner: ['file'],
	access: 'write',
	body: z.strictObject({ path: file }),
	answer: fileAnswer,
	errors: ['asset_missing'],
	inside: ['file_refused', 'file_failed', 'too_large_to_save'],
	examples: [{ name: 'Save', given: [spawnCube], body: { path: 'my-level.json' } }],
});

export const loadLevel = route({
	...shared,
	id: 'scenes.load_level',
	method: 'POST',
	path: '/level/load',
	cli: ['level', 'load'],
	summary:
		'Adds the entities, rules, assertions, templates, camera and match of a level to the world, all or nothing',
	description:
		'The level comes from a file below the data folder (`path`) or with the call (`level`). Existing content is kept; items, heroes and prefabs of the level are added to the registries. In a world without entities, the level keeps its ids; otherwise entities get new ids, and references inside the level follow.',
	effect: 'write',
	owner: ['changed'],
	document: true,
	body: z.union([z.strictObject({ path: file }), z.strictObject({ level: levelDocument })]),
	answer: z.strictObject({
		ok: z.literal(true),
		entities_created: z.int().describe('Game entities created'),
		rules_created: z.int().describe('Rules created'),
		assertions_created: z.int().describe('Assertions created'),
		templates: z.int().describe('Templates registered'),
		...ids,
		...worldStamp,
		warnings,
	}),
	errors: [...assetErrors, 'invalid_rule', 'invalid_assertion', 'unknown_template', 'world_full'],
	inside: ['file_missing', 'invalid_level', 'file_refused', 'file_failed'],
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
