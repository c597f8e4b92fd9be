/** The action `despawn`: removes entities. */

import { AT_ONCE, action, aimed, target } from './action.ts';

export const despawn = action({
	kind: 'despawn',
	when: AT_ONCE,
	fields: { target },
	form: 'TARGET',
	most: 1,
	read: ([whom]) => aimed(whom),
	// Only by its id can a rule be a target.
	access: ({ target: whom }) => ({
		writes: typeof whom === 'object' && 'entity' in whom ? ['entities', `rule:${whom.entity}`] : ['entities'],
	}),
});
