/** The action `set_field`: sets a number of entities. */

import { number } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { changeAccess, changeWords, FORM, field } from './field-change.ts';

export const setField = action({
	kind: 'set_field',
	when: `${AT_ONCE}. If it reduces health to 0, the entity counts as alive until the next tick marks it dead`,
	fields: { target, field, value: number('New value') },
	doc: 'Sets a number of the target. A dead entity whose health is set above 0 lives again. If its collider has no such number, nothing is set and action_failed is sent',
	form: FORM,
	...changeWords,
	access: changeAccess,
});
