/** The condition `digest`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { digest as digestOf } from '../../core/digest.ts';
import { found, type Statement } from './condition.ts';

export const digest: Statement<ConditionOf<'digest'>> = {
	find: ({ digest: expected }, { world }) => {
		const is = digestOf(world);
		return found(is === expected, `The digest is ${is}.`);
	},
};
