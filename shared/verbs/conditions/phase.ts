/** The condition `phase`: the match is in a phase. */

import { word } from '../../contract/values.ts';
import { PHASES } from '../../documents/match.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

export const phaseWord = word(PHASES, 'Phase of the match');

export const phase = condition({
	name: 'phase',
	fields: () => ({ phase: phaseWord }),
	doc: 'Each time the match enters this phase. `this` is unset',
	about: ABOUT_WORLD,
	colon: { form: 'phase:NAME', read: (value) => ({ phase: value ?? '' }) },
	write: (form) => `phase:${form.phase}`,
	say: (form) => `phase ${form.phase}`,
	reads: ['match'],
});
