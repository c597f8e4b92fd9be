/** The action `text`. */

import { checkElement } from '../../hud/check-element.ts';
import { putElement } from '../../hud/hud.ts';
import { type ActionBehaviour, attempt, fail } from './action.ts';
import { colorWarnings } from './color-warnings.ts';

export const text: ActionBehaviour<'text'> = {
	act: (world, action) => {
		const { action: _, ...sent } = action;
		const refusal = attempt(() => putElement(world, 'text', sent));
		if (refusal !== null) fail(world, action, null, refusal.code);
	},
	check: checkElement,
	warn: (_, { color }) => colorWarnings(color),
};
