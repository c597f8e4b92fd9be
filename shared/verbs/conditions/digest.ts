/** The condition `digest`: the world has a given state digest. */

import { digest as digestText } from '../../contract/values.ts';
import { ANYTHING } from '../access.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const digest = condition({
	name: 'digest',
	fields: () => ({ digest: digestText }),
	doc: 'Holds while the state digest of the world equals `digest`. A rule compares the state at its point within the tick. `this` is unset',
	about: ABOUT_WORLD,
	colon: { form: 'digest:HEX', read: (value) => ({ digest: value?.toLowerCase() ?? '' }) },
	write: ({ digest: hex }) => `digest:${hex}`,
	say: ({ digest: hex }) => `the digest is ${hex}`,
	reads: [ANYTHING],
});
