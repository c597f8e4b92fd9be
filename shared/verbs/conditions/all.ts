/** The condition `all`: several at once. */

import * as z from 'zod';
import { condition } from './condition.ts';

export const all = condition({
	name: 'all',
	fields: ({ condition: inner }) => ({ of: z.array(inner).min(1).max(20).describe('All of these') }),
	doc: 'When all hold at once. this: for whom every part that is about somebody holds',
	about: ({ of }, about) => {
		const parts = of.map(about);
		return { subject: parts.some(({ subject }) => subject), source: parts.some(({ source }) => source) };
	},
	predicate: true,
	joins: true,
	momentary: 'parts',
	write: ({ of }, write) => `(${of.map(write).join(' & ')})`,
	say: ({ of }, { inner }) => of.map(inner).join(' and '),
	reads: [],
});
