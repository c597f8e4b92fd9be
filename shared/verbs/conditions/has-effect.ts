/** The condition `has_effect`: somebody is under so many effects of a name. */

import { text } from '../../contract/values.ts';
import { condition, SOMEBODY } from './condition.ts';
import { bounds, checkBounds, readBounds, sayBounds, writeBounds } from './how-many.ts';

export const hasEffect = condition({
	name: 'has_effect',
	fields: () => ({ tag: text('Name of the effect', 100).min(1), ...bounds }),
	doc: 'For those under so many effects of a name; at least one, unless bounds are given. this: who',
	about: SOMEBODY,
	predicate: true,
	colon: {
		form: 'has-effect:TAG>=N',
		read: (value = '') => {
			const [, name, rest] = /^([^<>=]+)(.*)$/.exec(value) ?? [];
			const range = name === undefined ? null : readBounds(rest === '' ? undefined : rest);
			return range === null ? null : { tag: name!.trim(), ...range };
		},
	},
	write: (given) => `has-effect:${given.tag}${writeBounds(given)}`,
	say: (given) => `it is under ${sayBounds(given, 'some')} of ${given.tag}`,
	check: checkBounds,
	reads: ['effects'],
});
