/** The condition `leave`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { HappeningBehaviour } from './condition.ts';
import { crossing, zoneWarnings } from './crossing.ts';

export const leave: HappeningBehaviour<ConditionOf<'leave'>> = {
	holds: ({ zone }, scope, path) => crossing('out', zone, scope, path),
	warn: zoneWarnings,
};
