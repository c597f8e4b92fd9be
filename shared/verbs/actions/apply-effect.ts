/** The action `apply_effect`: puts a status effect on entities. */

import { effectDocument } from '../../components/effects.ts';
import { text } from '../../contract/values.ts';
import { STATS_READ, STATS_WRITTEN } from '../access.ts';
import { given, readNumber } from '../verb-text.ts';
import { AT_ONCE, action, aimed, by, target } from './action.ts';

export const applyEffect = action({
	kind: 'apply_effect',
	when: `${AT_ONCE}. Its tick effect begins on the next tick`,
	fields: { target, ...effectDocument.shape, tag: text('Name of the effect', 100).min(1), by },
	form: 'TARGET TAG [SECONDS] [STAT:OP:VALUE,...] [TICK] [POLICY]',
	most: 6,
	read: ([whom, tag, duration, modifiers, tick_effect, stack_policy]) => ({
		...aimed(whom),
		tag: tag ?? '',
		...given({ duration }, (text) => readNumber(text, 'the duration')),
		...given({ modifiers }, (text) => text.split(',')),
		...given({ tick_effect, stack_policy }, (text) => text),
	}),
	gives: ({ tag }) => ({ effect: [tag] }),
	access: { reads: STATS_READ, writes: ['effects', ...STATS_WRITTEN] },
});
