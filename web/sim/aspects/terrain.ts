/** Aspect: the terrains of a world together have at most as many points as the physics library supports. */

import { Terrain } from '../../../shared/components/terrain.ts';
import { ownerAt } from '../owners/shares.ts';
import { requireFewPoints, requirePoints } from '../terrain/terrain.ts';
import type { Aspect } from './aspect.ts';

export const terrain: Aspect = {
	components: [Terrain],
	require(world, { document, id }) {
		const ground = document.terrain;
		if (ground == null) return;
		const owner = id === null ? document.agent_id : ownerAt(world, id);
		requirePoints(world, ground.width, ground.height, id, owner ?? undefined);
	},
	requireExisting: requireFewPoints,
};
