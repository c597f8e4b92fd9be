/** The action `cleanse`: takes status effects and crowd control off entities. */

import { optional, text, word } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { given } from '../verb-text.ts';
import { action, aimed, target } from './action.ts';

export const cleanse = action({
	kind: 'cleanse',
	fields: {
		target,
		filter: text('Text that the tag of an effect contains; empty: every effect', 100).default(''),
		dispel: optional(word(['BasicDispel', 'StrongDispel'], 'Crowd control to take off as well')),
	},
	form: 'TARGET [TEXT]',
	most: 2,
	read: ([whom, filter]) => ({ ...aimed(whom), ...given({ filter }, (text) => text) }),
	access: { reads: STATS_READ, writes: ['crowd_control', 'effects', ...STATS_WRITTEN] },
});
