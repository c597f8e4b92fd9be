/** The target `nearest`: the entity nearest to `this` among those that match a filter. */

import { PLACE_READ } from '../access.ts';
import { filterDocument, writeFilter } from '../conditions/index.ts';
import { inQuotes } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const nearest = targetRecord({
	kind: 'nearest',
	value: filterDocument.describe('The entity nearest to `this` that matches the filter, other than `this`'),
	form: 'FILTER',
	read: (filter) => filter,
	write: (filter) => inQuotes(writeFilter(filter)),
	needs: 'subject',
	filter: true,
	cardinality: 'one',
	access: { reads: PLACE_READ },
});
