/** The condition `all`: all of several conditions hold. */

import * as z from 'zod';
import { condition } from './condition.ts';

export const all = condition({
	name: 'all',
	fields: ({ condition: inner }) => ({
		of: z.array(inner).min(1).max(20).describe('Conditions, all of which must hold'),
	}),
	doc: 'While all conditions in `of` hold. `this`: each entity for which every condition with a subject holds',
	about: ({ of }, about) => {
		const parts = of.map(about);
		return { subject: parts.some(({ subject }) => subject), source: parts.some(({ source }) => source) };
	},
	isPredicate: true,
	isConjunction: true,
	momentary: 'parts',
	write: ({ of }, write) => `(${of.map(write).join(' & ')})`,
	say: ({ of }, { inner }) => of.map(inner).join(' and '),
	reads: [],
});
