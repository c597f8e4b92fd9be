/** The condition `tick`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Statement } from './condition.ts';
import { due } from './due.ts';

export const tick: Statement<ConditionOf<'tick'>> = { find: ({ every }, scope) => due(scope, every) };
