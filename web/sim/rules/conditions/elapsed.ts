/** The condition `elapsed`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { createFinding, type Statement } from './condition.ts';

export const elapsed: Statement<ConditionOf<'elapsed'>> = {
	find: ({ ticks }, { now, since }) =>
		createFinding(now - since >= ticks, `${now - since} ticks have passed, expected at least ${ticks}.`),
};
