/** End of a period. */

import { type ConditionFinding, type ConditionScope, found } from './condition.ts';

/** Returns true if `period` ticks, or a multiple, have passed since conditions count. */
export const isDue = ({ now, since }: ConditionScope, period: number): boolean =>
	now > since && (now - since) % period === 0;

export function due(scope: ConditionScope, period: number): ConditionFinding {
	const past = scope.now - scope.since;
	return found(isDue(scope, period), `${past} ticks have passed; the period is ${period} ticks.`);
}
