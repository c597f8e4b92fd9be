/** A rule could not do what it was to do. */

import { event, someone } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const ActionFailed = event({
	kind: 'action_failed',
	summary: 'An action of a rule could not be done',
	subject: 'entity',
	fields: {
		entity: someone('To whom; null for an action that is about nobody').nullable(),
		action: text('Kind of action'),
		reason: text('The error code that a call would be refused with'),
	},
});
