/** The action `add_field`: adds to a number of entities. */

import { number } from '../../contract/values.ts';
import { action, target } from './action.ts';
import { additionAccess, FORM, field, readChange } from './field-change.ts';

export const addField = action({
	kind: 'add_field',
	fields: { target, field, value: number('What is added to it') },
	doc: 'Adds to a number. Health above 0 lets the dead live again',
	form: FORM,
	most: 3,
	read: readChange,
	access: additionAccess,
});
