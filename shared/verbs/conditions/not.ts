/** The condition `not`: a condition does not hold. */

import { condition } from './condition.ts';

export const not = condition({
	name: 'not',
	fields: ({ condition: inner }) => ({ of: inner.describe('The condition that must not hold') }),
	doc: 'When the condition in `of` does not hold. If `of` is an event: on every tick without it. If `of` lasts: each time it stops holding. `this`: each entity with a position for which it does not hold',
	about: ({ of }, about) => ({ subject: about(of).subject, source: false }),
	isPredicate: true,
	isNegation: true,
	momentary: 'parts',
	write: ({ of }, write) => `!${write(of)}`,
	say: ({ of }, { inner }) => `not ${inner(of)}`,
	reads: ['local_transform'],
});
