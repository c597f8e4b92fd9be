/** System that removes HUD elements at the end of their lifetime. */

import type { System } from '../core/system.ts';
import type { World } from '../core/world.ts';
import { Hud, removeElements } from './hud.ts';

export const expireHud: System = {
	name: 'expire-hud',
	awaits: [Hud],
	access: { reads: ['hud'], writes: ['hud'] },
	run,
};

function run(world: World): void {
	const nextTick = world.tick + 1;
	removeElements(world, ({ until }) => until !== null && until <= nextTick);
}
