/** The condition `not`: what must not hold. */

import { condition } from './condition.ts';

export const not = condition({
	name: 'not',
	fields: ({ condition: inner }) => ({ of: inner.describe('What must not hold') }),
	doc: 'Of what happens: on every tick on which it does not. Of what lasts: each time it ceases to hold. this: everybody with a place for whom it does not hold',
	about: ({ of }, about) => ({ subject: about(of).subject, source: false }),
	predicate: true,
	negates: true,
	momentary: 'parts',
	write: ({ of }, write) => `!${write(of)}`,
	say: ({ of }, { inner }) => `not ${inner(of)}`,
	reads: ['local_transform'],
});
