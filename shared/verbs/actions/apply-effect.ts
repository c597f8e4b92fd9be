/** The action `apply_effect`: applies a status effect to entities. */

import { effectDocument } from '../../components/effects.ts';
import { text } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { AT_ONCE, action, creditField, target } from './action.ts';
import { type ActionWord, aimWord, inOrder, numberWord, optionalWord, plainWord } from './words.ts';

/** Word of the modifiers, joined with commas. */
const modifiers: ActionWord = {
	...plainWord('modifiers'),
	read: (text) => text?.split(','),
	write: (list: readonly string[]) => list.join(','),
};

export const applyEffect = action({
	kind: 'apply_effect',
	when: `${AT_ONCE}. Its tick effect begins on the next tick`,
	fields: { target, ...effectDocument.shape, tag: text('Name of the effect', 100).min(1), by: creditField },
	form: 'TARGET TAG [SECONDS] [STAT:OP:VALUE,...] [TICK] [POLICY]',
	...inOrder(
		aimWord,
		plainWord('tag'),
		optionalWord(numberWord('duration', 'the duration')),
		optionalWord(modifiers),
		optionalWord(plainWord('tick_effect')),
		optionalWord(plainWord('stack_policy')),
	),
	provides: ({ tag }) => ({ effect: [tag] }),
	access: { reads: STATS_READ, writes: ['effects', ...STATS_WRITTEN] },
});
