/** The condition `death`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { HappeningBehaviour } from './condition.ts';
import { occurrencesOf } from './occurrences.ts';

export const death: HappeningBehaviour<ConditionOf<'death'>> = {
	holds: (_, scope) => occurrencesOf(scope, 'death', scope.events('death')),
};
