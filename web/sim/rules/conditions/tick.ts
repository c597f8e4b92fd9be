/** The condition `tick`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Statement } from './condition.ts';
import { findDue, isDue } from './due.ts';

export const tick: Statement<ConditionOf<'tick'>> = {
	holds: ({ every }, scope) => isDue(scope, every),
	find: ({ every }, scope) => findDue(scope, every),
};
