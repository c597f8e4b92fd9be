/** The condition `enter`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { HappeningBehaviour } from './condition.ts';
import { findCrossings, zoneWarnings } from './crossing.ts';

export const enter: HappeningBehaviour<ConditionOf<'enter'>> = {
	holds: ({ zone }, scope, path) => findCrossings('in', zone, scope, path),
	warn: zoneWarnings,
};
