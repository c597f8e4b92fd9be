/** The condition `death`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Happening } from './condition.ts';
import { occurrencesOf } from './occurrences.ts';

export const death: Happening<ConditionOf<'death'>> = {
	holds: (_, scope) => occurrencesOf(scope, 'death', scope.events('death')),
};
