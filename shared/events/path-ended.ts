/** An entity has reached the end of its path, or no path leads to its goal. */

import * as z from 'zod';
import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const PathEnded = event({
	kind: 'path_ended',
	summary: 'An entity reached the end of its path, or no path leads to its goal',
	subject: 'entity',
	fields: {
		entity: entityField('Entity that walks'),
		outcome: z
			.enum(['arrived', 'near', 'no_way'])
			.describe('arrived: it is at its goal; near: as near as it can get; no_way: no path leads there'),
		reason: text('Reason, for people'),
	},
});
