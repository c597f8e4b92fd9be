/** The condition `no_zero_health_alive`: every entity without health is dead. */

import { ABOUT_WORLD, typeCondition } from './condition.ts';

export const noZeroHealthAlive = typeCondition({
	name: 'no_zero_health_alive',
	fields: () => ({}),
	doc: 'While every entity with health 0 or below is dead. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['no-zero-health'], form: 'no-zero-health' },
	write: () => 'no-zero-health',
	say: () => 'no entity is alive with health 0',
	reads: ['entities', 'health', 'dead'],
});
