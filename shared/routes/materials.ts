/** Routes of the tag Camera and render about materials. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityReference,
	existingEntityId,
	flag,
	generation,
	listLength,
	message,
	optional,
	withoutReserved,
} from '../contract/values.ts';
import { materialFields, materialName, wholeMaterial } from '../media/material.ts';
import { assetErrors, warnings } from './world.ts';

const shared = { tag: 'Camera and render' } as const;
const nameParams = z.strictObject({ name: z.string().describe('Its name').meta(namesThing('material')) });
const brass = {
	path: '/material/define',
	body: { name: 'brass', albedo: [0.82, 0.65, 0.31, 1], metallic: 1, roughness: 0.3 },
};
const ball = { path: '/spawn', body: { mesh: 'sphere' } };

export const setMaterial = route({
	...shared,
	id: 'material.set',
	method: 'POST',
	path: '/material/set',
	cli: ['material', 'set'],
	summary: 'Changes the material of an entity; fields left out keep their values',
	description:
		'Values of the entity override the named material, which overrides the defaults. POST /entities/{id}/components with "remove": ["material"] removes it. A bare host stores it and draws nothing.',
	effect: 'view',
	body: z.strictObject({
		...entityReference,
		name: optional(materialName.describe('Named material to use').meta(namesThing('material'))),
		...materialFields,
		replace: flag('Clears the previous values of the entity first').default(false),
	}),
	answer: message.extend({ material: wholeMaterial }),
	errors: ['unknown_material', ...assetErrors],
	inside: ['entity_not_found', 'stale_handle'],
	examples: [
		{
			name: 'A ball of brushed metal',
			given: [ball],
			body: { entity_id: 0, albedo: [0.75, 0.77, 0.8, 1], metallic: 1, roughness: 0.35 },
		},
		{ name: 'A named one', given: [ball, brass], body: { entity_id: 0, name: 'brass' } },
		{
			name: 'Frosted glass',
			given: [ball],
			body: { entity_id: 0, albedo: [0.8, 0.95, 0.9, 1], transmission: 0.9, roughness: 0.3 },
		},
		{ name: 'A sign that needs no light', given: [ball], body: { entity_id: 0, unlit: true } },
	],
});

export const getEntityMaterial = route({
	...shared,
	id: 'material.of',
	method: 'GET',
	path: '/material/entity/{id}',
	cli: ['material', 'of'],
	summary: 'Complete material of an entity',
	effect: 'read',
	params: z.strictObject({ id: existingEntityId }),
	query: z.strictObject({ generation: optional(generation) }),
	answer: z.strictObject({
		ok: z.literal(true),
		own: z.boolean().describe('false: it has no material of its own, and these are the defaults'),
		name: z.string().nullable().describe('Named material, or null'),
		material: wholeMaterial,
	}),
	errors: ['entity_not_found', 'stale_handle'],
	examples: [{ name: 'Read one', given: [ball], path: '/material/entity/0' }],
});

export const defineMaterial = route({
	...shared,
	id: 'material.define',
	method: 'POST',
	path: '/material/define',
	cli: ['material', 'define'],
	summary: 'Defines a named material, or replaces it; entities that use it change immediately',
	effect: 'view',
	body: z.strictObject({ name: withoutReserved(materialName, 'list'), ...materialFields }),
	answer: z.strictObject({
		ok: z.literal(true),
		name: z.string(),
		replaced: z.boolean().describe('true: it replaced an earlier one'),
		material: wholeMaterial,
		warnings,
	}),
	makes: { thing: 'material', named: { material: '$response.body#/name' } },
	errors: assetErrors,
	examples: [{ name: 'Brass', body: brass.body }],
});

export const listMaterials = route({
	...shared,
	id: 'material.list',
	method: 'GET',
	path: '/material/list',
	cli: ['material', 'list'],
	summary: 'Named materials, sorted by name',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		materials: z.array(z.strictObject({ name: z.string(), material: wholeMaterial })),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'List them', given: [brass] }],
});

export const getMaterial = route({
	...shared,
	id: 'material.get',
	method: 'GET',
	path: '/material/{name}',
	cli: ['material', 'get'],
	summary: 'A named material',
	effect: 'read',
	params: nameParams,
	answer: z.strictObject({ ok: z.literal(true), name: z.string(), material: wholeMaterial }),
	errors: ['unknown_material'],
	examples: [{ name: 'Read one', given: [brass], path: '/material/brass' }],
});

export const deleteMaterial = route({
	...shared,
	id: 'material.delete',
	method: 'DELETE',
	path: '/material/{name}',
	cli: ['material', 'delete'],
	summary: 'Removes a named material; entities that use it fall back to the defaults',
	effect: 'view',
	params: nameParams,
	answer: z.strictObject({ ok: z.literal(true), deleted: z.string() }),
	errors: ['unknown_material'],
	examples: [{ name: 'Remove one', given: [brass], path: '/material/brass' }],
});
