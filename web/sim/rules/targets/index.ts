/** Entities that each kind of target names. The types ensure that none is missing and none is left over. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import { type Target, type TargetName, targetParts } from '../../../../shared/verbs/targets/index.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from '../conditions/occurrence.ts';
import { all } from './all.ts';
import { entity } from './entity.ts';
import { nearest } from './nearest.ts';
import { source } from './source.ts';
import { tag } from './tag.ts';
import type { TargetBehaviour } from './target.ts';
import { team } from './team.ts';
import { thisEntity } from './this.ts';

export const BEHAVIOURS: { readonly [K in TargetName]: TargetBehaviour<K> } = {
	this: thisEntity,
	source,
	entity,
	tag,
	team,
	nearest,
	all,
};

/** Returns the living entities that a target names, in id order; an empty list if there are none. */
export function resolveTarget(world: World, target: Target, occurrence: Occurrence): EntityHandle[] {
	const { kind, value } = targetParts(target);
	const resolve = BEHAVIOURS[kind] as (
		world: World,
		value: unknown,
		occurrence: Occurrence,
	) => EntityHandle[];
	return resolve(world, value, occurrence);
}
