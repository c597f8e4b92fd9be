/** The condition `has_effect`: an entity has a number of effects with a tag. */

import { text } from '../../contract/values.ts';
import { ABOUT_SUBJECT, condition } from './condition.ts';
import { bounds, checkBounds, readBounds, sayBounds, writeBounds } from './how-many.ts';

export const hasEffect = condition({
	name: 'has_effect',
	fields: () => ({ tag: text('Tag of the effects', 100).min(1), ...bounds }),
	doc: 'Holds for entities that have between `min` and `max` effects with this tag. Without bounds: at least one. `this`: the entity',
	about: ABOUT_SUBJECT,
	isPredicate: true,
	colon: {
		form: 'has-effect:TAG>=N',
		read: (value = '') => {
			const [, tag, boundsText] = /^([^<>=]+)(.*)$/.exec(value) ?? [];
			const range = tag === undefined ? null : readBounds(boundsText === '' ? undefined : boundsText);
			return range === null ? null : { tag: tag!.trim(), ...range };
		},
	},
	write: (condition) => `has-effect:${condition.tag}${writeBounds(condition)}`,
	say: (condition) => `it has ${sayBounds(condition, 'some')} of effect ${condition.tag}`,
	check: checkBounds,
	reads: ['effects'],
});
