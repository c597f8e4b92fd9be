/** The action `apply_effect`: applies a status effect to entities. */

import { effectDocument } from '../../components/effects.ts';
import { text } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { AT_ONCE, action, by, target } from './action.ts';
import { type ActionWord, aim, inOrder, maybe, numeric, plain } from './words.ts';

/** Modifiers, joined with commas. */
const modifiers: ActionWord = {
	...plain('modifiers'),
	read: (text) => text?.split(','),
	write: (list: readonly string[]) => list.join(','),
};

export const applyEffect = action({
	kind: 'apply_effect',
	when: `${AT_ONCE}. Its tick effect begins on the next tick`,
	fields: { target, ...effectDocument.shape, tag: text('Name of the effect', 100).min(1), by },
	form: 'TARGET TAG [SECONDS] [STAT:OP:VALUE,...] [TICK] [POLICY]',
	...inOrder(
		aim,
		plain('tag'),
		maybe(numeric('duration', 'the duration')),
		maybe(modifiers),
		maybe(plain('tick_effect')),
		maybe(plain('stack_policy')),
	),
	gives: ({ tag }) => ({ effect: [tag] }),
	access: { reads: STATS_READ, writes: ['effects', ...STATS_WRITTEN] },
});
