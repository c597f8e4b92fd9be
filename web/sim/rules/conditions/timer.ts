/** The condition `timer`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { toTicks } from '../../core/clock.ts';
import type { Statement } from './condition.ts';
import { due } from './due.ts';

export const timer: Statement<ConditionOf<'timer'>> = {
	find: ({ interval }, scope) => due(scope, Math.max(1, toTicks(interval))),
};
