/** The condition `digest`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { digest as digestOf } from '../../core/digest.ts';
import { createFinding, type Statement } from './condition.ts';

export const digest: Statement<ConditionOf<'digest'>> = {
	find: ({ digest: expected }, { world }) => {
		const currentDigest = digestOf(world);
		return createFinding(currentDigest === expected, `The digest is ${currentDigest}.`);
	},
};
