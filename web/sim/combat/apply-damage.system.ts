/** Applies the damage that was sent since this system last ran, each once. */

import { drain } from '../core/events.ts';
import type { World } from '../core/world.ts';
import { takeDamage } from './damage.ts';

export function applyDamage(world: World): void {
	for (const { target, amount, source } of drain(world, 'damage', 'apply-damage'))
		takeDamage(world, target, amount, source);
}
