/** Handlers of the tag Camera and render that are about materials. */

import { Material } from '../../shared/components/material.ts';
import { DEFAULT_MATERIAL, materialValues, type WholeMaterial } from '../../shared/media/material.ts';
import * as routes from '../../shared/routes/materials.ts';
import { entityAt } from '../sim/core/entities.ts';
import { add, get } from '../sim/core/world.ts';
import * as looks from '../sim/looks/materials.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';

const materialView = ({ albedo, emissive, repeat, ...rest }: WholeMaterial) => ({
	albedo: albedo && ([...albedo] as [number, number, number, number]),
	emissive: [...emissive] as [number, number, number],
	repeat: [...repeat] as [number, number],
	...rest,
});

export const handlers = [
	handler(routes.setMaterial, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		if (body.name != null) looks.requireMaterial(world, body.name);
		const materialFields = materialValues(body);
		looks.requireTexturesOf(world, materialFields);
		const current = body.replace ? undefined : get(world, id, Material);
		const name = body.name ?? current?.name ?? null;
		const values = { ...current?.values, ...materialFields };
		add(world, id, Material, { name, values });
		return {
			message: `Entity ${id} has ${name === null ? 'a material of its own' : `the material "${name}"`}.`,
			material: materialView(looks.wholeMaterial(world, name, values)),
		};
	}),

	handler(routes.getEntityMaterial, ({ world }, { params, query }) => {
		const { id } = entityAt(world, params.id, query.generation);
		const row = get(world, id, Material);
		return {
			own: row !== undefined,
			name: row?.name ?? null,
			material: materialView(looks.materialOf(world, id) ?? DEFAULT_MATERIAL),
		};
	}),

	handler(routes.defineMaterial, ({ world }, { body: { name, ...materialFields } }) => {
		const values = materialValues(materialFields);
		looks.requireTexturesOf(world, values);
		const replaced = looks.defineMaterial(world, name, values);
		return { name, replaced, material: materialView(looks.wholeMaterial(world, name, {})) };
	}),

	handler(routes.listMaterials, ({ world }) => {
		const names = Object.keys(looks.namedMaterials(world)).sort();
		return {
			materials: names.map((name) => ({
				name,
				material: materialView(looks.wholeMaterial(world, name, {})),
			})),
			count: names.length,
		};
	}),

	handler(routes.getMaterial, ({ world }, { params: { name } }) => {
		looks.requireMaterial(world, name);
		return { name, material: materialView(looks.wholeMaterial(world, name, {})) };
	}),

	handler(routes.deleteMaterial, ({ world }, { params: { name } }) => {
		looks.removeMaterial(world, name);
		return { deleted: name };
	}),
];
