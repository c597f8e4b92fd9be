/** The condition `has_effect`. */

import { Effects } from '../../../../shared/components/effects.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isCountWithin } from '../../fields/compare.ts';
import type { Predicate } from './condition.ts';

export const hasEffect: Predicate<ConditionOf<'has_effect'>> = {
	test: (condition) => (entity) => {
		const list = entity.value(Effects, 'list') ?? [];
		return isCountWithin(list.filter(({ tag }) => tag === condition.tag).length, condition);
	},
	names: ({ tag }) => [{ kind: 'effect', name: tag }],
};
