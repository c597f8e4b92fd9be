/** The condition `tick`: every so many ticks. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { condition, NOBODY } from './condition.ts';

export const tick = condition({
	name: 'tick',
	fields: () => ({ every: integer('Fires every so many ticks', { unit: 'ticks', min: 1 }) }),
	doc: 'Every so many ticks since the rule was made. There is no this',
	about: NOBODY,
	momentary: true,
	colon: { form: 'tick:N', read: (value) => ({ every: readWhole(value, 'the ticks of tick') }) },
	say: ({ every }, { number: say }) => (every === 1 ? 'every tick' : `every ${say(every)} ticks`),
	reads: [],
});
