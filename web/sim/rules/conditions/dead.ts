/** The condition `dead`. */

import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const dead: Predicate<ConditionOf<'dead'>> = {
	test: () => (entity) => entity.has(Dead),
	guaranteedComponents: () => [Dead],
	requiredComponents: () => [Health],
};
