/** Somebody could not cast. */

import { event, someone } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const CastFailed = event({
	kind: 'cast_failed',
	summary: 'A cast that was asked for could no longer be made, or not wholly',
	subject: 'entity',
	fields: {
		entity: someone('Who was to cast'),
		slot: text('Slot of the ability'),
		reason: text('The error code that a call would be refused with'),
	},
});
