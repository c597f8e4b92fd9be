/** The condition `has_item`: an entity carries or wears a number of an item. */

import { integer } from '../../contract/values.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';
import { bounds, checkBounds, readBounds, sayBounds, writeBounds } from './how-many.ts';

export const hasItem = condition({
	name: 'has_item',
	fields: () => ({ item_id: integer('Item: its id in the registry'), ...bounds }),
	doc: 'Holds for entities that carry or wear between `min` and `max` of this item. Without bounds: at least one. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: {
		form: 'has-item:ID>=N',
		read: (value = '') => {
			const [, id, rest] = /^(\d+)(.*)$/.exec(value.replaceAll(' ', '')) ?? [];
			const range = id === undefined ? null : readBounds(rest === '' ? undefined : rest);
			return range === null ? null : { item_id: Number(id), ...range };
		},
	},
	write: (given) => `has-item:${given.item_id}${writeBounds(given)}`,
	say: (given) => `it has ${sayBounds(given, 'some')} of item ${given.item_id}`,
	check: checkBounds,
	reads: ['inventory', 'equipment'],
});
