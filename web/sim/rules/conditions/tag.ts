/** The condition `tag`. */

import { Tags } from '../../../../shared/components/tags.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const tag: Predicate<ConditionOf<'tag'>> = {
	test:
		({ tag: label }) =>
		(entity) =>
			entity.value(Tags, 'tags')?.includes(label) === true,
	guaranteedComponents: () => [Tags],
	names: ({ tag: label }) => [{ kind: 'tag', name: label }],
};
