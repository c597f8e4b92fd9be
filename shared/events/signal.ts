/** A named message from a caller or a rule. The engine itself does not use it. */

import * as z from 'zod';
import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const Signal = event({
	kind: 'signal',
	summary: 'A named message from a caller or a rule, with an optional subject and source',
	subject: 'entity',
	source: 'source',
	fields: {
		name: text('Name that rules and readers use to find it'),
		data: z.unknown().describe('Any JSON value, sent with the signal'),
		entity: entityField('Subject: the entity that is `this` in rules that wait for the signal').optional(),
		source: entityField('Entity that caused it: `source` in these rules').nullable().optional(),
	},
	callFields: {
		name: text('Name that rules and readers use to find it', 100),
		data: z.unknown().default(null).describe('Any JSON value, sent with the signal'),
	},
});
