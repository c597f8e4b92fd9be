/** The condition `no_overlap`: the entities of a group keep a distance. */

import { number } from '../../contract/values.ts';
import { ABOUT_WORLD, groupFilter, joinWords, typeCondition, writeGroup } from './condition.ts';

export const noOverlap = typeCondition({
	name: 'no_overlap',
	fields: (language) => ({
		filter: groupFilter(language),
		min_distance: number('Smallest distance between any two of them', { unit: 'm', min: 0 }).default(0.5),
	}),
	doc: 'While any two entities that match the filter are at least this far apart. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['overlap', 'no-overlap'],
		form: 'overlap METRES FILTER',
		take: (reader) =>
			reader.takeNumber('distance', 'min_distance', { whole: false }) ||
			reader.takeBareNumber('min_distance', { whole: false }),
	},
	write: ({ filter, min_distance }, write) =>
		joinWords('overlap', `${min_distance}`, writeGroup(filter, write)),
	say: ({ filter, min_distance }, { number: say, inner }) =>
		`at least ${say(min_distance)} m between any two of: ${inner(filter as object)}`,
	reads: ['entities', 'local_transform', 'global_transform', 'parent'],
});
