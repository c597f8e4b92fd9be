/**
 * The systems of a tick, in the order in which they run.
 * Owns: that order. To add a system, write `<feature>/<verb-noun>.system.ts` and give it a line here.
 */

import { applyDamage } from './combat/apply-damage.system.ts';
import { checkDeath } from './combat/check-death.system.ts';
import type { World } from './core/world.ts';
import { stepPhysics } from './physics/step-physics.system.ts';
import { propagateTransforms } from './transform/propagate-transforms.system.ts';

export interface System {
	readonly name: string;
	run(world: World): void;
}

export const schedule: readonly System[] = [
	{ name: 'step-physics', run: stepPhysics },
	{ name: 'propagate-transforms', run: propagateTransforms },
	{ name: 'apply-damage', run: applyDamage },
	{ name: 'check-death', run: checkDeath },
];
