/** The condition `entity_count`: the number of entities in a group is within bounds. */

import { Refusal } from '../../contract/errors.ts';
import { operator } from '../../contract/operators.ts';
import { ABOUT_WORLD, groupFilter, joinWords, typeCondition, writeGroup } from './condition.ts';
import { bounds, checkBounds, sayBounds } from './how-many.ts';

export const entityCount = typeCondition({
	name: 'entity_count',
	aliases: ['count'],
	fields: (language) => ({ filter: groupFilter(language), ...bounds }),
	doc: 'While the number of entities that match the filter is within the bounds. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['count', 'entity-count'],
		form: 'count FILTER min=N max=N',
		take: (reader) => {
			if (operator.safeParse(reader.next).success)
				throw new Refusal(
					`"${reader.text}" uses the comparison ${reader.next}, which count does not take`,
					'Give the bounds as min=N and max=N.',
				);
			return reader.takeNumber('min', 'min') || reader.takeNumber('max', 'max');
		},
	},
	write: ({ filter, min, max }, write) =>
		joinWords(
			'count',
			writeGroup(filter, write),
			min == null ? null : `min=${min}`,
			max == null ? null : `max=${max}`,
		),
	say: (given, { inner }) => `${sayBounds(given)} of: ${inner(given.filter as object)}`,
	check: checkBounds,
	reads: ['entities'],
});
