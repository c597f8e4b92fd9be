/** Elements over the picture. Forks share the list until it changes in one of them. */

import type { ShownElement } from '../../sim/rules/conditions/hud-reading.ts';
import { shownHud } from '../../sim/rules/shown-hud.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export const hud: DrawnBlock<readonly ShownElement[]> = {
	version: (world) => identityOf(shownHud(world)),
	read: shownHud,
};
