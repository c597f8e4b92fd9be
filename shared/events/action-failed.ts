/** An action of a rule was refused. */

import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const ActionFailed = event({
	kind: 'action_failed',
	summary: 'An action of a rule was refused',
	subject: 'entity',
	fields: {
		entity: entityField('Target of the action; null for an action without a target').nullable(),
		action: text('Kind of action'),
		reason: text('Error code of the refusal, the same as for a call'),
	},
});
