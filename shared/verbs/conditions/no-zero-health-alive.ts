/** The condition `no_zero_health_alive`: nobody lives without health. */

import { NOBODY, typed } from './condition.ts';

export const noZeroHealthAlive = typed({
	name: 'no_zero_health_alive',
	fields: () => ({}),
	doc: 'While nobody without health is not dead. There is no this',
	about: NOBODY,
	blank: { words: ['no-zero-health'], form: 'no-zero-health' },
	say: () => 'nobody lives without health',
	reads: ['entities', 'health', 'dead'],
});
