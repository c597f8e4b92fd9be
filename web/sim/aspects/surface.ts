/** Aspect: the textures of a surface are assets that can be drawn. */

import { Material } from '../../../shared/components/material.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { materialValues } from '../../../shared/media/material.ts';
import { get, type World } from '../core/world.ts';
import { findMaterial, requireTexturesOf } from '../looks/materials.ts';
import type { Aspect } from './aspect.ts';

const PATH_PREFIX = 'material.';

export const surface: Aspect = {
	components: [Material],
	require(world, { document: { material } }) {
		if (material == null || typeof material === 'string') return;
		requireTexturesOf(world, materialValues(material), PATH_PREFIX);
	},
	warn: (world, { document }) => materialWarnings(world, document),
	requireExisting(world, ids) {
		for (const id of ids) requireTexturesOf(world, get(world, id, Material)!.values, PATH_PREFIX);
	},
};

/** Returns a warning if a document names a material that the world does not have. */
export function materialWarnings(world: World, { material }: SpawnDocument): string[] {
	const name = typeof material === 'string' ? material : material?.name;
	if (name == null || findMaterial(world, name) !== undefined) return [];
	return [`material "${name}" is not defined yet; define it with POST /material/define`];
}
