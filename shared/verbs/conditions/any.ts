/** The condition `any`: at least one of several conditions holds. */

import * as z from 'zod';
import { condition } from './condition.ts';

export const any = condition({
	name: 'any',
	fields: ({ condition: inner }) => ({
		of: z.array(inner).min(1).max(20).describe('Conditions, at least one of which must hold'),
	}),
	doc: 'While at least one condition in `of` holds. `this`: each entity for which one holds',
	about: ({ of }, about) => {
		const parts = of.map(about);
		return { subject: parts.some(({ subject }) => subject), source: parts.some(({ source }) => source) };
	},
	isPredicate: true,
	isDisjunction: true,
	momentary: 'parts',
	write: ({ of }, write) => `(${of.map(write).join(' | ')})`,
	say: ({ of }, { inner }) => of.map(inner).join(' or '),
	reads: [],
});
