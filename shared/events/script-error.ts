/** An error occurred in a script. */

import * as z from 'zod';
import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const ScriptError = event({
	kind: 'script_error',
	summary: 'An error occurred in a script; its next call runs as usual',
	subject: 'entity',
	fields: {
		entity: entityField('Entity the script ran for; null if none').nullable(),
		script: text('Name of the script'),
		message: text('Error message', 1000),
		line: z.int().nullable().describe('Line of the script; null if unknown'),
		during: text('Function that was running: on_start, on_update, on_event, timer or load'),
	},
});
