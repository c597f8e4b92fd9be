/** The action `set_text`. */

import { checkElement } from '../../hud/check-element.ts';
import { setText as setTextOf } from '../../hud/hud.ts';
import { type ActionBehaviour, attempt, fail } from './action.ts';
import { colorWarnings } from './color-warnings.ts';

export const setText: ActionBehaviour<'set_text'> = {
	act: (world, action) => {
		const { action: _, id, ...change } = action;
		const refusal = attempt(() => setTextOf(world, id, change));
		if (refusal !== null) fail(world, action, null, refusal.code);
	},
	check: checkElement,
	warn: (_, { color }) => (color == null ? [] : colorWarnings(color)),
};
