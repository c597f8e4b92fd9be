/** The condition `arrived`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { HappeningBehaviour } from './condition.ts';
import { occurrencesOf } from './occurrences.ts';

export const arrived: HappeningBehaviour<ConditionOf<'arrived'>> = {
	holds: (_, scope) => {
		const ended = scope.events('path_ended').filter(({ data }) => data.outcome !== 'no_way');
		return occurrencesOf(scope, 'path_ended', ended);
	},
};
