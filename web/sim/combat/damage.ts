/** Taking and giving back health. */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LastAttacker } from '../../../shared/components/last-attacker.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { Fault } from '../../../shared/contract/errors.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { add, has, read, type World, write } from '../core/world.ts';

function requireLiving(world: World, { id }: Handle): void {
	if (!has(world, id, Health)) throw new Fault('no_health', `Entity ${id} has no health.`);
	if (has(world, id, Dead)) throw new Fault('entity_dead', `Entity ${id} is dead.`);
}

/** Queues damage that the next tick applies. Throws `no_health` or `entity_dead`. */
export function queueDamage(world: World, target: Handle, amount: number, source: Handle | null): void {
	requireLiving(world, target);
	emit(world, 'damage', { target, amount, source });
}

/** Gives health back at once, up to the maximum; the health afterwards. Throws `no_health` or `entity_dead`. */
export function heal(world: World, target: Handle, amount: number): number {
	requireLiving(world, target);
	const current = write(world, Health, 'current');
	const max = read(world, Health, 'max');
	current[target.id] = Math.min(current[target.id]! + amount, max[target.id]!);
	return current[target.id]!;
}

/** Takes health from an entity now, if it still lives; never below 0. Remembers who did it. */
export function takeDamage(world: World, target: Handle, amount: number, source: Handle | null): void {
	const slot = slotOf(world, target);
	if (slot < 0 || !has(world, slot, Health) || has(world, slot, Dead)) return;
	const current = write(world, Health, 'current');
	current[slot] = Math.max(current[slot]! - amount, 0);
	if (source !== null) add(world, slot, LastAttacker, { entity: source });
}
