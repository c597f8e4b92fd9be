/** The condition `entity_budget`: there are no more entities than so many. */

import { integer } from '../../contract/values.ts';
import { NOBODY, typed } from './condition.ts';

export const entityBudget = typed({
	name: 'entity_budget',
	fields: () => ({ max: integer('Number of entities') }),
	doc: 'While at most so many entities live, rules and assertions among them. There is no this',
	about: NOBODY,
	blank: {
		words: ['budget', 'entity-budget'],
		form: 'budget N',
		take: (reader) => reader.number('max', 'max') || reader.bare('max'),
	},
	say: ({ max }, { number: say }) => `at most ${say(max)} entities`,
	reads: ['entities'],
});
