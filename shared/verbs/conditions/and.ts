/** The condition `and`: all of several, as filters write it. */

import * as z from 'zod';
import { SOMEBODY, typed } from './condition.ts';

export const and = typed({
	name: 'and',
	fields: ({ condition: inner }) => ({ filters: z.array(inner).max(20).describe('All of these') }),
	doc: 'For whom all hold; with none of them, for everybody. this: who',
	about: SOMEBODY,
	predicate: true,
	joins: true,
	momentary: 'parts',
	write: ({ filters }, write) => (filters.length === 0 ? 'any' : filters.map(write).join('+')),
	say: ({ filters }, { inner }) => (filters.length === 0 ? 'anybody' : filters.map(inner).join(' and ')),
	reads: [],
});
