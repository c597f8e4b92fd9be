/** The action `add_field`: adds to a number of entities. */

import { number } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { additionAccess, changeWords, FORM, field } from './field-change.ts';

export const addField = action({
	kind: 'add_field',
	when: `${AT_ONCE}. If it reduces health to 0, the entity counts as alive until the next tick marks it dead`,
	fields: { target, field, value: number('Number to add') },
	doc: 'Adds to a number of the target. A dead entity whose health rises above 0 lives again',
	form: FORM,
	...changeWords,
	access: additionAccess,
});
