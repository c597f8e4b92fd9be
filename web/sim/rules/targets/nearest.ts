/** The target `nearest`: the match nearest to `this`, itself excepted; the lowest id among equally near ones. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import type { Handle } from '../../../../shared/contract/component.ts';
import { has } from '../../core/world.ts';
import { placeOf } from '../../space/place.ts';
import { squaredDistance } from '../../transform/facing.ts';
import { parseFilter } from '../conditions/filter.ts';
import { matching } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const nearest: TargetBehaviour<'nearest'> = (world, filter, { subject: from }) => {
	if (from === null || !has(world, from.id, LocalTransform)) return [];
	const origin = placeOf(world, from.id);
	let best: Handle | null = null;
	let bestDistance = Number.POSITIVE_INFINITY;
	for (const handle of matching(world, parseFilter(filter))) {
		if (handle.id === from.id || !has(world, handle.id, LocalTransform)) continue;
		const distance = squaredDistance(placeOf(world, handle.id), origin);
		if (distance < bestDistance) {
			best = handle;
			bestDistance = distance;
		}
	}
	return best === null ? [] : [best];
};
