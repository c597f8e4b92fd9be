/** An entity cast an ability. */

import { entityField, event } from '../contract/event.ts';
import { text } from '../contract/values.ts';

export const Cast = event({
	kind: 'cast',
	summary: 'An entity cast an ability',
	subject: 'entity',
	fields: {
		entity: entityField('Caster'),
		slot: text('Slot of the ability'),
		ability: text('Name of the ability'),
		aim: entityField('Entity it was aimed at').nullable(),
	},
});
