/** The condition `no_overlap`: those of a group keep their distance. */

import { number } from '../../contract/values.ts';
import { group, NOBODY, typed } from './condition.ts';

export const noOverlap = typed({
	name: 'no_overlap',
	fields: (language) => ({
		filter: group(language),
		min_distance: number('Least distance between two of them', { unit: 'm', min: 0 }).default(0.5),
	}),
	doc: 'While all whom the filter lets through are so far apart. There is no this',
	about: NOBODY,
	blank: {
		words: ['overlap', 'no-overlap'],
		form: 'overlap METRES FILTER',
		take: (reader) =>
			reader.number('distance', 'min_distance', { whole: false }) ||
			reader.bare('min_distance', { whole: false }),
	},
	say: ({ filter, min_distance }, { number: say, inner }) =>
		`${say(min_distance)} m apart are all of: ${inner(filter as object)}`,
	reads: ['entities', 'local_transform', 'global_transform', 'parent'],
});
