/** The action `text`. */

import { checkElement } from '../../hud/check-element.ts';
import { putElement } from '../../hud/hud.ts';
import { type ActionBehaviour, attempt, fail } from './action.ts';
import { colorWarnings } from './color-warnings.ts';

export const text: ActionBehaviour<'text'> = {
	act: (world, action) => {
		const { action: _, ...sent } = action;
		const refused = attempt(() => putElement(world, 'text', sent));
		if (refused !== null) fail(world, action, null, refused.code);
	},
	check: checkElement,
	warn: (_, { color }) => colorWarnings(color),
};
