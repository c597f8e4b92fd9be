/** The condition `timer`: every N seconds. */

import { number } from '../../contract/values.ts';
import { readNumber } from '../verb-text.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const timer = condition({
	name: 'timer',
	fields: () => ({ interval: number('Time between firings', { unit: 's', min: 0 }) }),
	doc: 'Every N seconds, counted from the creation of the rule; 0: on every tick. `this` is unset',
	about: ABOUT_WORLD,
	momentary: true,
	colon: {
		form: 'timer:SECONDS',
		read: (value) => ({ interval: readNumber(value, 'the seconds of a timer') }),
	},
	write: ({ interval }) => `timer:${interval}`,
	say: ({ interval }, { number: say }) => `timer ${say(interval)} s`,
	reads: [],
});
