/** The target `all`: all entities that match a filter. */

import { filterDocument, writeFilter } from '../conditions/index.ts';
import { inQuotes } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const all = targetRecord({
	kind: 'all',
	value: filterDocument.describe('All entities that match the filter'),
	form: 'FILTER',
	read: (filter) => filter,
	write: (filter) => inQuotes(writeFilter(filter)),
	filter: true,
	cardinality: 'many',
	access: {},
});
