/** What is written over the picture. Forks share it until one shows something else. */

import { resource } from '../../sim/core/resource.ts';
import type { World } from '../../sim/core/world.ts';
import { Hud, type HudElement } from '../../sim/hud/hud.ts';
import type { Drawn } from './drawn.ts';
import { identityOf } from './identity.ts';

const NOTHING_WRITTEN: readonly HudElement[] = [];

const elements = (world: World): readonly HudElement[] => resource(world, Hud) ?? NOTHING_WRITTEN;

export const hud: Drawn<readonly HudElement[]> = {
	version: (world) => identityOf(elements(world)),
	read: elements,
};
