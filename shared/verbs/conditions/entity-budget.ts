/** The condition `entity_budget`: the number of entities is limited. */

import { integer } from '../../contract/values.ts';
import { ABOUT_WORLD, typed } from './condition.ts';

export const entityBudget = typed({
	name: 'entity_budget',
	fields: () => ({ max: integer('Maximum number of entities') }),
	doc: 'Holds while the world has at most this many entities, rules and assertions included. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['budget', 'entity-budget'],
		form: 'budget N',
		take: (reader) => reader.number('max', 'max') || reader.bare('max'),
	},
	write: ({ max }) => `budget ${max}`,
	say: ({ max }, { number: say }) => `at most ${say(max)} entities`,
	reads: ['entities'],
});
