/** The condition `has_effect`: an entity has a number of effects with a tag. */

import { text } from '../../contract/values.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';
import { bounds, checkBounds, readBounds, sayBounds, writeBounds } from './how-many.ts';

export const hasEffect = condition({
	name: 'has_effect',
	fields: () => ({ tag: text('Name of the effect', 100).min(1), ...bounds }),
	doc: 'Holds for entities whose number of effects with this tag is within the bounds; left out: at least one. `this`: the entity',
	about: ABOUT_SUBJECT,
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
	say: (given) => `it has ${sayBounds(given, 'some')} of effect ${given.tag}`,
	check: checkBounds,
	reads: ['effects'],
});
