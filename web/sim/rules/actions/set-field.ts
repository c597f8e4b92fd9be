/** The action `set_field`. It sets the base value of a maximum. Effects change that value again on the next tick. */

import { Health } from '../../../../shared/components/health.ts';
import { Mana } from '../../../../shared/components/mana.ts';
import { fieldPath } from '../../../../shared/verbs/field-name.ts';
import { writeField } from '../../fields/field-path.ts';
import { clearBonus } from '../../stats/resolve-stats.ts';
import type { ActionBehaviour } from './action.ts';
import { checkSettable, isNumberMissing, reviveIfHealed } from './settable-field.ts';

export const setField: ActionBehaviour<'set_field'> = {
	act: (world, action, target) => {
		const { id } = target;
		const path = fieldPath(action.field);
		if (isNumberMissing(world, action, target, path)) return;
		writeField(world, id, path, action.value);
		reviveIfHealed(world, id, path);
		if (path.field !== 'max') return;
		if (path.component === Health) clearBonus(world, id, 'health');
		if (path.component === Mana) clearBonus(world, id, 'mana');
	},
	check: checkSettable,
};
