/** The condition `any`: at least one of several. */

import * as z from 'zod';
import { condition } from './condition.ts';

export const any = condition({
	name: 'any',
	fields: ({ condition: inner }) => ({ of: z.array(inner).min(1).max(20).describe('At least one of these') }),
	doc: 'When at least one of them holds. this: for whom one of the parts does',
	about: ({ of }, about) => {
		const parts = of.map(about);
		return { subject: parts.some(({ subject }) => subject), source: parts.some(({ source }) => source) };
	},
	predicate: true,
	momentary: 'parts',
	write: ({ of }, write) => `(${of.map(write).join(' | ')})`,
	say: ({ of }, { inner }) => of.map(inner).join(' or '),
	reads: [],
});
