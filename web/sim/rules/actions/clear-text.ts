/** The action `clear_text`. */

import { removeElements } from '../../hud/hud.ts';
import type { ActionBehaviour } from './action.ts';

export const clearText: ActionBehaviour<'clear_text'> = {
	act: (world, { id }) => {
		removeElements(world, (element) => (id == null ? element.type === 'text' : element.id === id));
	},
};
