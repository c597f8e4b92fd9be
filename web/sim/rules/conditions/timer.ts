/** The condition `timer`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { toTicks } from '../../core/clock.ts';
import type { Statement } from './condition.ts';
import { due, isDue } from './due.ts';

const period = ({ interval }: ConditionOf<'timer'>): number => Math.max(1, toTicks(interval));

export const timer: Statement<ConditionOf<'timer'>> = {
	holds: (condition, scope) => isDue(scope, period(condition)),
	find: (condition, scope) => due(scope, period(condition)),
};
