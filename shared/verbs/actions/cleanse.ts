/** The action `cleanse`: removes status effects and crowd control from entities. */

import { optional, text, word } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { given } from '../verb-text.ts';
import { AT_ONCE, action, aimed, target } from './action.ts';

export const cleanse = action({
	kind: 'cleanse',
	when: AT_ONCE,
	fields: {
		target,
		filter: text('Removes the effects whose tag contains this text; empty: all effects', 100).default(''),
		dispel: optional(
			word(
				['BasicDispel', 'StrongDispel'],
				'Also removes crowd control that this strength of dispel can remove',
			),
		),
	},
	form: 'TARGET [TEXT]',
	most: 2,
	read: ([whom, filter]) => ({ ...aimed(whom), ...given({ filter }, (text) => text) }),
	access: { reads: STATS_READ, writes: ['crowd_control', 'effects', ...STATS_WRITTEN] },
});
