/** The condition `elapsed`: a number of ticks has passed. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const elapsed = condition({
	name: 'elapsed',
	fields: () => ({ ticks: integer('Number of ticks', { unit: 'ticks' }) }),
	doc: 'Holds once this many ticks have passed since the rule was created or the wait began; otherwise since the world began. `this` is unset',
	about: ABOUT_WORLD,
	colon: { form: 'elapsed:TICKS', read: (value) => ({ ticks: readWhole(value, 'the ticks of elapsed') }) },
	write: ({ ticks }) => `elapsed:${ticks}`,
	say: ({ ticks }, { number: say }) => `${say(ticks)} ticks have passed`,
	reads: [],
});
