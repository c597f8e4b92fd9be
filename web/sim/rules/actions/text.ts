/** The action `text`. */

import { showText } from '../../hud/hud.ts';
import type { ActionBehaviour } from './action.ts';
import { colorWarnings } from './color-warnings.ts';

export const text: ActionBehaviour<'text'> = {
	act: (world, { text: words, x, y, size, color }) => showText(world, { text: words, x, y, size, color }),
	warn: (_, { color }) => colorWarnings(color),
};
