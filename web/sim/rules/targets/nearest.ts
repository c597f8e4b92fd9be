/** The target `nearest`: the match nearest to `this`, except `this` itself. Of equally near matches, the lowest id. */

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
	const positions = globalPositions(world);
	let nearestId = -1;
	let nearestSquare = Number.POSITIVE_INFINITY;
	eachMatching(world, parseFilter(filter), [LocalTransform], (id) => {
		const dx = positions[id * 3]! - fromX;
		const dy = positions[id * 3 + 1]! - fromY;
		const dz = positions[id * 3 + 2]! - fromZ;
		const squaredDistance = dx * dx + dy * dy + dz * dz;
		if (squaredDistance >= nearestSquare || id === from.id) return;
		nearestId = id;
		nearestSquare = squaredDistance;
	});
	return nearestId < 0 ? [] : [handleOf(world, nearestId)];
};
