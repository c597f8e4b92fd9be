/** The target `nearest`: the match nearest to `this`, itself excepted; the lowest id among equally near ones. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { handleOf } from '../../core/entities.ts';
import { has } from '../../core/world.ts';
import { globalPosition, globalPositions } from '../../space/global-position.ts';
import { parseFilter } from '../conditions/filter.ts';
import { eachMatching } from './living.ts';
import type { TargetBehaviour } from './target.ts';

export const nearest: TargetBehaviour<'nearest'> = (world, filter, { subject: from }) => {
	if (from === null || !has(world, from.id, LocalTransform)) return [];
	const [fromX, fromY, fromZ] = globalPosition(world, from.id);
	const at = globalPositions(world);
	let best = -1;
	let bestDistance = Number.POSITIVE_INFINITY;
	eachMatching(world, parseFilter(filter), [LocalTransform], (id) => {
		const x = at[id * 3]! - fromX;
		const y = at[id * 3 + 1]! - fromY;
		const z = at[id * 3 + 2]! - fromZ;
		const distance = x * x + y * y + z * z;
		if (distance >= bestDistance || id === from.id) return;
		best = id;
		bestDistance = distance;
	});
	return best < 0 ? [] : [handleOf(world, best)];
};
