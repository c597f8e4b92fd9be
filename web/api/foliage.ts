/** Handlers of the tag Terrain that are about foliage. */

import { colorOf } from '../../shared/components/color.ts';
import { isMeshFile } from '../../shared/components/mesh.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import { defaultWind, isPlant, MAX_PLANTS, PLANTS } from '../../shared/documents/foliage.ts';
import * as routes from '../../shared/routes/foliage.ts';
import { entityAt, handleOf } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { addLayer, countPlants, foliageOf, removeFoliage, removeLayer } from '../sim/foliage/foliage.ts';
import { requireTerrain } from '../sim/terrain/terrain.ts';
import { handler } from './handler.ts';
import { withMeshWarnings } from './mesh-files.ts';

/** Returns a plant, or the path of a model. Throws `unknown_mesh`. */
function requirePlant(sent: string): string {
	const name = sent.trim().toLowerCase();
	if (isPlant(name)) return name;
	if (isMeshFile(sent.trim())) return sent.trim();
	throw new ApiError('unknown_mesh', `There is no mesh "${sent}" to scatter.`, {
		fix:
			suggestion(name, [...PLANTS]) ??
			'Send the name of a plant, or the path of a model such as models/oak.glb.',
		path: 'mesh_name',
	});
}

function terrainFields(
	world: World,
	{
		entity_id,
		entity_generation,
	}: { entity_id?: number | null | undefined; entity_generation?: number | null | undefined },
) {
	if (entity_id == null) return null;
	const { id } = requireTerrain(world, entityAt(world, entity_id, entity_generation));
	return { entity_id: id, entity_generation: handleOf(world, id).generation };
}

export const handlers = [
	handler(routes.scatterFoliage, ({ host, world }, { body }) => {
		const { mesh_name, seed, color, wind, entity_id: _, entity_generation: __, ...rest } = body;
		const mesh = requirePlant(mesh_name);
		const warnings: string[] = [];
		const { layer, count } = addLayer(world, {
			...rest,
			mesh,
			seed: seed ?? null,
			color: color == null ? null : colorOf(color, warnings),
			wind: wind ?? defaultWind(mesh),
			terrain: terrainFields(world, body),
		});
		return withMeshWarnings(host, [mesh], {
			id: layer.id,
			instance_count: count,
			mesh,
			density: layer.density,
			seed: layer.seed,
			...(warnings.length > 0 ? { warnings } : {}),
		});
	}),

	handler(routes.listFoliage, ({ world }) => {
		const layers = foliageOf(world).map(({ terrain, ...layer }, index) => ({
			index,
			...layer,
			instance_count: countPlants(world, { ...layer, terrain }),
			entity_id: terrain?.entity_id ?? null,
		}));
		const instances = layers.reduce((sum, { instance_count }) => sum + instance_count, 0);
		return { layers, count: layers.length, instances, most_instances: MAX_PLANTS };
	}),

	handler(routes.removeFoliage, ({ world }, { body }) => {
		if (body.all) {
			const removed = removeFoliage(world);
			return { message: `Removed ${removed} layers of foliage.`, removed };
		}
		if (body.id == null)
			throw new ApiError('unknown_foliage', 'The call names no layer.', {
				fix: 'Send an "id" from GET /foliage/list, or "all": true.',
				path: 'id',
			});
		removeLayer(world, body.id);
		return { message: `Removed layer ${body.id} of foliage.`, removed: 1 };
	}),
];
