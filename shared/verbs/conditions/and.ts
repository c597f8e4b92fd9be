/** The condition `and`: all of several conditions hold. Texts joined with + have this form. */

import * as z from 'zod';
import { ABOUT_SUBJECT, typeCondition } from './condition.ts';

export const and = typeCondition({
	name: 'and',
	fields: ({ condition: inner }) => ({
		filters: z.array(inner).max(20).describe('Conditions that must all hold'),
	}),
	doc: 'Holds for entities for which all of `filters` hold; an empty list holds for every entity. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	isConjunction: true,
	momentary: 'parts',
	write: ({ filters }, write) => (filters.length === 0 ? 'any' : filters.map(write).join('+')),
	say: ({ filters }, { inner }) => (filters.length === 0 ? 'any entity' : filters.map(inner).join(' and ')),
	reads: [],
});
