/** The condition `leave`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { HappeningBehaviour } from './condition.ts';
import { findCrossings, zoneWarnings } from './crossing.ts';

export const leave: HappeningBehaviour<ConditionOf<'leave'>> = {
	holds: ({ zone }, scope, path) => findCrossings('out', zone, scope, path),
	warn: zoneWarnings,
};
