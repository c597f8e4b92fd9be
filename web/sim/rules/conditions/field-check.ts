/** The condition `field_check`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { claimOf } from '../../../../shared/verbs/conditions/reading.ts';
import type { Statement } from './condition.ts';
import { findClaim } from './quantified.ts';

export const fieldCheck: Statement<ConditionOf<'field_check'>> = {
	find: (condition, scope) => findClaim(claimOf(condition)!, scope),
};
