/** The action `set_field`. A maximum that is set is the entity's own: what effects make of it follows on the next tick. */

import { Health } from '../../../../shared/components/health.ts';
import { Mana } from '../../../../shared/components/mana.ts';
import { fieldPath } from '../../../../shared/verbs/field-name.ts';
import { writeField } from '../../fields/field-path.ts';
import { forgetBonus } from '../../stats/resolve-stats.ts';
import type { ActionBehaviour } from './action.ts';
import { afterHealth, checkSettable } from './settable-field.ts';

export const setField: ActionBehaviour<'set_field'> = {
	act: (world, { field, value }, { id }) => {
		const path = fieldPath(field);
		if (!writeField(world, id, path, value)) return;
		afterHealth(world, id, path);
		if (path.field !== 'max') return;
		if (path.component === Health) forgetBonus(world, id, 'health');
		if (path.component === Mana) forgetBonus(world, id, 'mana');
	},
	check: checkSettable,
};
