/** Routes of the tag Templates and prefabs. */

import * as z from 'zod';
import { entityName } from '../components/name.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { entityId, generation, listLength, optional, position, withoutReserved } from '../contract/values.ts';
import { registryName as name, prefabSummary, spawnDocument, spawnFields } from '../documents/spawn.ts';
import { assetErrors, documentErrors, warnings } from './world.ts';

const shared = { tag: 'Templates and prefabs' } as const;
const newName = withoutReserved(name, 'list');
/** Fields of a new template or prefab. Its `name` is that of the template or prefab, not of an entity. */
const documentFields = {
	...spawnFields,
	entity_name: optional(entityName.describe('Name of the entities that are spawned from it')),
};
const nameParams = (thing: 'template' | 'prefab') =>
	z.strictObject({ name: z.string().describe('Its name').meta(namesThing(thing)) });
const soldier = { path: '/template/create', body: { name: 'soldier', health: 100, team: 1, combat: true } };
const lamp = {
	path: '/prefab/register',
	body: { name: 'lamp', mesh: 'cylinder', color: 'yellow', summary: 'A lamp' },
};

const placementBody = (thing: 'template' | 'prefab') =>
	z.strictObject({
		name: name.meta(namesThing(thing)),
		position: optional(position.describe('Position; left out: that of the template or prefab')),
		overrides: optional(
			spawnDocument.describe('Fields that differ; a position given here takes precedence over `position`'),
		),
	});

const spawnAnswer = {
	ok: z.literal(true),
	id: entityId,
	generation,
	entity_id: entityId,
	entity_generation: generation,
	warnings,
};

const spawnErrors = ['entity_not_found', ...documentErrors, 'unknown_item', 'inventory_full'] as const;

const replaced = z.boolean().describe('true: it replaced an earlier one');

export const createTemplate = route({
	...shared,
	id: 'templates.create',
	method: 'POST',
	path: '/template/create',
	cli: ['template', 'create'],
	summary: 'Stores a spawn document under a name, or replaces it',
	description:
		'A bare host has no registry: it answers ok with a warning and stores nothing. Warnings name fields that a spawn would ignore, or the current reason it would be refused.',
	effect: 'write',
	body: z.strictObject({ ...documentFields, name: newName }),
	answer: z.strictObject({
		ok: z.literal(true),
		template: z.string(),
		stored: z.boolean().describe('false on a bare host'),
		replaced,
		warnings,
	}),
	makes: { thing: 'template', named: { template: '$response.body#/template' } },
	errors: assetErrors,
	inside: ['invalid_body'],
	examples: [{ name: 'A soldier', body: soldier.body }],
});

export const spawnTemplate = route({
	...shared,
	id: 'templates.spawn',
	method: 'POST',
	path: '/template/spawn',
	cli: ['template', 'spawn'],
	summary: 'Spawns an entity from a template',
	effect: 'write',
	body: placementBody('template'),
	answer: z.strictObject({ ...spawnAnswer, template: z.string() }),
	makes: { thing: 'entity', named: { entity: '$response.body#/id' } },
	errors: spawnErrors,
	inside: ['invalid_body', 'unknown_template'],
	examples: [
		{ name: 'Two metres up', given: [soldier], body: { name: 'soldier', position: [0, 2, 0] } },
		{
			name: 'A tougher one',
			given: [soldier],
			body: { name: 'soldier', overrides: { health: 999 } },
		},
	],
});

export const listTemplates = route({
	...shared,
	id: 'templates.list',
	method: 'GET',
	path: '/template/list',
	cli: ['template', 'list'],
	summary: 'Names of the templates, sorted',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), templates: z.array(z.string()), count: listLength }),
	errors: [],
	examples: [{ name: 'List them', given: [soldier] }],
});

export const getTemplate = route({
	...shared,
	id: 'templates.get',
	method: 'GET',
	path: '/template/{name}',
	cli: ['template', 'get'],
	summary: 'The spawn document of a template',
	effect: 'read',
	params: nameParams('template'),
	answer: z.strictObject({ ok: z.literal(true), name: z.string(), template: spawnDocument }),
	errors: ['unknown_template'],
	examples: [{ name: 'Read one', given: [soldier], path: '/template/soldier' }],
});

export const deleteTemplate = route({
	...shared,
	id: 'templates.delete',
	method: 'DELETE',
	path: '/template/{name}',
	cli: ['template', 'delete'],
	summary: 'Removes a template',
	effect: 'write',
	params: nameParams('template'),
	answer: z.strictObject({ ok: z.literal(true), deleted: z.string() }),
	errors: ['unknown_template'],
	examples: [{ name: 'Remove one', given: [soldier], path: '/template/soldier' }],
});

export const spawnPrefab = route({
	...shared,
	id: 'prefabs.spawn',
	method: 'POST',
	path: '/prefab/spawn',
	cli: ['prefab', 'spawn'],
	summary: 'Spawns an entity from a prefab',
	effect: 'write',
	body: placementBody('prefab'),
	answer: z.strictObject({ ...spawnAnswer, name: z.string() }),
	makes: { thing: 'entity', named: { entity: '$response.body#/id' } },
	errors: spawnErrors,
	inside: ['unknown_prefab'],
	examples: [
		{ name: 'A crate', body: { name: 'crate', position: [0, 5, 0] } },
		{ name: 'A tower of team 2', body: { name: 'tower', overrides: { team: 2, color: 'red' } } },
	],
});

const prefabView = {
	name: z.string(),
	summary: z.string(),
	built_in: z.boolean(),
	document: spawnDocument,
};

export const listPrefabs = route({
	...shared,
	id: 'prefabs.list',
	method: 'GET',
	path: '/prefab/list',
	cli: ['prefab', 'list'],
	summary: 'The prefabs, built in and registered, sorted by name',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		count: listLength,
		prefabs: z.array(z.string()).describe('Names'),
		details: z.array(z.strictObject(prefabView)),
	}),
	errors: [],
	examples: [{ name: 'List them' }],
});

export const getPrefab = route({
	...shared,
	id: 'prefabs.get',
	method: 'GET',
	path: '/prefab/{name}',
	cli: ['prefab', 'get'],
	summary: 'The spawn document of a prefab',
	effect: 'read',
	params: nameParams('prefab'),
	answer: z.strictObject({ ok: z.literal(true), ...prefabView }),
	errors: ['unknown_prefab'],
	examples: [{ name: 'Read one', path: '/prefab/crate' }],
});

export const registerPrefab = route({
	...shared,
	id: 'prefabs.register',
	method: 'POST',
	path: '/prefab/register',
	cli: ['prefab', 'register'],
	summary: 'Registers a prefab; it replaces a registered or built-in one of the same name',
	effect: 'write',
	body: z.strictObject({
		...documentFields,
		name: newName,
		summary: prefabSummary.default(''),
	}),
	answer: z.strictObject({ ok: z.literal(true), name: z.string(), replaced, warnings }),
	makes: { thing: 'prefab', named: { prefab: '$response.body#/name' } },
	errors: ['no_registry', ...assetErrors],
	examples: [{ name: 'A lamp', body: lamp.body }],
});

export const deletePrefab = route({
	...shared,
	id: 'prefabs.delete',
	method: 'DELETE',
	path: '/prefab/{name}',
	cli: ['prefab', 'delete'],
	summary: 'Removes a registered prefab; a built-in one of the same name becomes available again',
	effect: 'write',
	params: nameParams('prefab'),
	answer: z.strictObject({ ok: z.literal(true), deleted: z.string() }),
	errors: ['unknown_prefab', 'built_in_prefab'],
	examples: [{ name: 'Remove one', given: [lamp], path: '/prefab/lamp' }],
});
