/** Aspect: the numbers of waters and decals are limited. Each is drawn separately, and each body is tested with each water. */

import { Decal, MAX_DECALS } from '../../../shared/components/decal.ts';
import { MAX_WATERS, Water } from '../../../shared/components/water.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { count, has, type World } from '../core/world.ts';
import type { Aspect } from './aspect.ts';

const LIMITS = [
	{ component: Water, key: 'water', max: MAX_WATERS, name: 'waters' },
	{ component: Decal, key: 'decal', max: MAX_DECALS, name: 'decals' },
] as const;

type SceneryLimit = (typeof LIMITS)[number];

export const scenery: Aspect = {
	components: LIMITS.map(({ component }) => component),
	require(world, { document, id }) {
		for (const limit of LIMITS) {
			if (document[limit.key] == null || (id !== null && has(world, id, limit.component))) continue;
			if (count(world, limit.component) >= limit.max) throw limitError(limit);
		}
	},
	requireExisting: requireWithinLimits,
};

/** Throws `world_full` if a world has too many waters or decals. */
function requireWithinLimits(world: World): void {
	for (const limit of LIMITS) if (count(world, limit.component) > limit.max) throw limitError(limit);
}

const limitError = ({ max, name, key }: SceneryLimit) =>
	new ApiError('world_full', `A world has at most ${max} ${name}.`, {
		fix: `Despawn an entity with "${key}", or remove that component from it.`,
	});
