/** The condition `has_effect`. */

import { Effects } from '../../../../shared/components/effects.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { withinBounds } from '../../fields/compare.ts';
import type { Predicate } from './condition.ts';

export const hasEffect: Predicate<ConditionOf<'has_effect'>> = {
	test: (condition) => (entity) => {
		const list = entity.value(Effects, 'list') ?? [];
		return withinBounds(list.filter(({ tag }) => tag === condition.tag).length, condition);
	},
	names: ({ tag }) => [{ kind: 'effect', name: tag }],
};
