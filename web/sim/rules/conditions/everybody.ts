/** The condition `any` of filters. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const everyEntity: Predicate<ConditionOf<'everybody'>> = { test: () => () => true };
