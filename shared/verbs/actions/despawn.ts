/** The action `despawn`: removes entities. */

import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder } from './words.ts';

export const despawn = action({
	kind: 'despawn',
	when: AT_ONCE,
	fields: { target },
	form: 'TARGET',
	...inOrder(aimWord),
	// A rule can be a target only by its id.
	access: ({ target }) => ({
		writes:
			typeof target === 'object' && 'entity' in target ? ['entities', `rule:${target.entity}`] : ['entities'],
	}),
});
