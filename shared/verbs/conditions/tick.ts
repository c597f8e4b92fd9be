/** The condition `tick`: every N ticks. */

import { integer } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const tick = condition({
	name: 'tick',
	fields: () => ({ every: integer('Ticks between firings', { unit: 'ticks', min: 1 }) }),
	doc: 'Every N ticks, counted from the creation of the rule. `this` is unset',
	about: ABOUT_WORLD,
	momentary: true,
	colon: { form: 'tick:N', read: (value) => ({ every: readWhole(value, 'the ticks of tick') }) },
	write: ({ every }) => `tick:${every}`,
	say: ({ every }, { number: say }) => (every === 1 ? 'every tick' : `every ${say(every)} ticks`),
	reads: [],
});
