/** The condition `timer`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { toTicks } from '../../core/clock.ts';
import type { Statement } from './condition.ts';
import { findDue, isDue } from './due.ts';

const periodOf = ({ interval }: ConditionOf<'timer'>): number => Math.max(1, toTicks(interval));

export const timer: Statement<ConditionOf<'timer'>> = {
	holds: (condition, scope) => isDue(scope, periodOf(condition)),
	find: (condition, scope) => findDue(scope, periodOf(condition)),
};
