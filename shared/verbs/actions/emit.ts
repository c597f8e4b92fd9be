/** The action `emit`: sends a signal that rules can wait for. */

import * as z from 'zod';
import { Refusal } from '../../contract/errors.ts';
import { optional, text } from '../../contract/values.ts';
import { readTarget, writeTarget } from '../targets/index.ts';
import { inQuotes, withoutQuotes } from '../verb-text.ts';
import { action, target } from './action.ts';

export const emit = action({
	kind: 'emit',
	when: 'on the next tick: rules receive the signal then',
	fields: {
		name: text('Name of the signal', 100).min(1),
		data: z.unknown().default(null).describe('Any JSON value, sent with the signal'),
		about: optional(target.describe('Subject of the signal; of several, one signal for each')),
	},
	form: 'NAME [TARGET]',
	maxWords: 2,
	read: ([name, about]) => {
		if (name === undefined) throw new Refusal('"emit" has no signal');
		return { name: withoutQuotes(name), ...(about === undefined ? {} : { about: readTarget(about) }) };
	},
	write: ({ name, about }) => [inQuotes(name), about == null ? undefined : writeTarget(about)],
	targetFields: ['about'],
	access: { emits: ['signal'] },
});
