/** The action `add_field`. */

import { fieldPath } from '../../../../shared/verbs/field-name.ts';
import { readField, writeField } from '../../fields/field-path.ts';
import type { ActionBehaviour } from './action.ts';
import { afterHealth, checkSettable } from './settable-field.ts';

export const addField: ActionBehaviour<'add_field'> = {
	act: (world, { field, value: more }, { id }) => {
		const path = fieldPath(field);
		const value = readField(world, id, path);
		if (value === undefined) return;
		writeField(world, id, path, value + more);
		afterHealth(world, id, path);
	},
	check: checkSettable,
};
