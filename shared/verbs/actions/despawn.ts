/** The action `despawn`: removes entities. */

import { action, aimed, target } from './action.ts';

export const despawn = action({
	kind: 'despawn',
	fields: { target },
	form: 'TARGET',
	most: 1,
	read: ([whom]) => aimed(whom),
	// Only by its id can a rule be a target.
	access: ({ target: whom }) => ({
		writes: typeof whom === 'object' && 'entity' in whom ? ['entities', `rule:${whom.entity}`] : ['entities'],
	}),
});
