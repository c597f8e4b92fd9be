/** The condition `elapsed`: so many ticks have passed. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { condition, NOBODY } from './condition.ts';

export const elapsed = condition({
	name: 'elapsed',
	fields: () => ({ ticks: integer('Ticks that have passed', { unit: 'ticks' }) }),
	doc: 'When so many ticks have passed since the rule was made or the wait began, elsewhere since the world began. There is no this',
	about: NOBODY,
	colon: { form: 'elapsed:TICKS', read: (value) => ({ ticks: readWhole(value, 'the ticks of elapsed') }) },
	say: ({ ticks }, { number: say }) => `${say(ticks)} ticks have passed`,
	reads: [],
});
