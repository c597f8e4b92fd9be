/** The target `all`: all entities that a filter lets through. */

import { filterDocument } from '../conditions/index.ts';
import { targetRecord } from './target.ts';

export const all = targetRecord({
	kind: 'all',
	value: filterDocument.describe('All entities that the filter lets through'),
	form: 'FILTER',
	read: (filter) => filter,
	filter: true,
	names: 'many',
	access: {},
});
