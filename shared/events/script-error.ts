/** Something went wrong in a script. */

import * as z from 'zod';
import { event, someone } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const ScriptError = event({
	kind: 'script_error',
	summary: 'Something went wrong in a script; it goes on with its next call',
	subject: 'entity',
	fields: {
		entity: someone('Entity whose turn it was; null outside of turns').nullable(),
		script: text('Name of the script'),
		message: text('What went wrong', 1000),
		line: z.int().nullable().describe('Line of the script; null where none is known'),
		during: text('What was called: on_start, on_update, on_event, timer or load'),
	},
});
