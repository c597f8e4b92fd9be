/** The condition `team`. */

import { Team } from '../../../../shared/components/team.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const team: Predicate<ConditionOf<'team'>> = {
	test:
		({ team: number }) =>
		(entity) =>
			entity.value(Team, 'team') === number,
	guaranteedComponents: () => [Team],
};
