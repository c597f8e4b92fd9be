/** The action `add_field`. */

import { fieldPath } from '../../../../shared/verbs/field-name.ts';
import { readField, writeField } from '../../fields/field-path.ts';
import type { ActionBehaviour } from './action.ts';
import { checkSettable, isNumberMissing, reviveIfHealed } from './settable-field.ts';

export const addField: ActionBehaviour<'add_field'> = {
	act: (world, action, target) => {
		const { id } = target;
		const path = fieldPath(action.field);
		if (isNumberMissing(world, action, target, path)) return;
		writeField(world, id, path, readField(world, id, path)! + action.value);
		reviveIfHealed(world, id, path);
	},
	check: checkSettable,
};
