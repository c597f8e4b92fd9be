/** Ends of periods, for the conditions `tick` and `timer`. */

import { type ConditionFinding, type ConditionScope, createFinding } from './condition.ts';

/** Returns true if `period` ticks, or a multiple, have passed since `since`. */
export const isDue = ({ now, since }: ConditionScope, period: number): boolean =>
	now > since && (now - since) % period === 0;

export function findDue(scope: ConditionScope, period: number): ConditionFinding {
	const elapsedTicks = scope.now - scope.since;
	return createFinding(
		isDue(scope, period),
		`${elapsedTicks} ticks have passed; the period is ${period} ticks.`,
	);
}
