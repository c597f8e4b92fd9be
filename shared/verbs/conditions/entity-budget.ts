/** The condition `entity_budget`: the number of entities is limited. */

import { integer } from '../../contract/values.ts';
import { ABOUT_WORLD, typeCondition } from './condition.ts';

export const entityBudget = typeCondition({
	name: 'entity_budget',
	fields: () => ({ max: integer('Maximum number of entities') }),
	doc: 'Holds while the world has at most this many entities, rules and assertions included. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['budget', 'entity-budget'],
		form: 'budget N',
		take: (reader) => reader.takeNumber('max', 'max') || reader.takeBareNumber('max'),
	},
	write: ({ max }) => `budget ${max}`,
	say: ({ max }, { number: say }) => `at most ${say(max)} entities`,
	reads: ['entities'],
});
