/** A queued cast failed, completely or in part. */

import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const CastFailed = event({
	kind: 'cast_failed',
	summary: 'A queued cast was no longer possible, or only in part',
	subject: 'entity',
	fields: {
		entity: entityField('Caster'),
		slot: text('Slot of the ability'),
		reason: text('Error code that refuses the same call'),
	},
});
