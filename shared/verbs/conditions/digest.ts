/** The condition `digest`: the world is in a certain state. */

import { digest as digestText } from '../../contract/values.ts';
import { ANYTHING } from '../access.ts';
import { condition, NOBODY } from './condition.ts';

export const digest = condition({
	name: 'digest',
	fields: () => ({ digest: digestText }),
	doc: 'While the world has a state digest; in a rule, as the tick has come so far. There is no this',
	about: NOBODY,
	colon: { form: 'digest:HEX', read: (value) => ({ digest: value?.toLowerCase() ?? '' }) },
	say: (given) => `the digest is ${given.digest}`,
	reads: [ANYTHING],
});
