/** The condition `timer`: every so many seconds. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { condition, NOBODY } from './condition.ts';

export const timer = condition({
	name: 'timer',
	fields: () => ({ interval: number('Time between firings', { unit: 's', min: 0 }) }),
	doc: 'Every so many seconds since the rule was made; 0: on every tick. There is no this',
	about: NOBODY,
	momentary: true,
	colon: {
		form: 'timer:SECONDS',
		read: (value) => ({ interval: readNumber(value, 'the seconds of a timer') }),
	},
	say: ({ interval }, { number: say }) => `timer ${say(interval)} s`,
	reads: [],
});
