/** Behaviour of a kind of target in a world: returns the living entities that it names, in id order. */

import type { EntityHandle } from '../../../../shared/contract/component.ts';
import type { TargetName, TargetValue } from '../../../../shared/verbs/targets/index.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from '../conditions/occurrence.ts';

export type TargetBehaviour<K extends TargetName> = (
	world: World,
	value: TargetValue<K>,
	occurrence: Occurrence,
) => EntityHandle[];
