/** Whatever a caller or a rule wants to be known; the engine gives it no meaning. */

import * as z from 'zod';
import { event, someone } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const Signal = event({
	kind: 'signal',
	summary: 'Something that a caller or a rule made known; it may be about somebody, and have a source',
	subject: 'entity',
	source: 'source',
	fields: {
		name: text('Name that readers look for'),
		data: z.unknown().describe('Any JSON value that belongs to it'),
		entity: someone('Whom it is about: the "this" of rules that wait for it').optional(),
		source: someone('Who caused it: their "source"').nullable().optional(),
	},
	sent: {
		name: text('Name that readers look for', 100),
		data: z.unknown().default(null).describe('Any JSON value that belongs to it'),
	},
});
