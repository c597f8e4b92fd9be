/** The action `set_field`: sets a number of entities. */

import { number } from '../../contract/values.ts';
import { action, target } from './action.ts';
import { changeAccess, FORM, field, readChange } from './field-change.ts';

export const setField = action({
	kind: 'set_field',
	fields: { target, field, value: number('Its value then') },
	doc: 'Sets a number. Health above 0 lets the dead live again',
	form: FORM,
	most: 3,
	read: readChange,
	access: changeAccess,
});
