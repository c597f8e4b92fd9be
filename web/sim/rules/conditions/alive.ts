/** The condition `alive`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const alive: Predicate<ConditionOf<'alive'>> = {
	test: () => (entity) => entity.has(Health) && !entity.has(Dead),
	guaranteedComponents: () => [Health],
	requiredComponents: () => [Health],
};
