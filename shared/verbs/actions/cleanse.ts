/** The action `cleanse`: removes status effects and crowd control from entities. */

import { optional, text, word } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, optionalWord, plainWord } from './words.ts';

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
	...inOrder(aimWord, optionalWord(plainWord('filter'))),
	access: { reads: STATS_READ, writes: ['crowd_control', 'effects', ...STATS_WRITTEN] },
});
