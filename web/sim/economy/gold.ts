/** Earning and spending gold. */

import { Gold } from '../../../shared/components/gold.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, type World, write } from '../core/world.ts';

/** Maximum amount of gold in a purse. */
const MAX_GOLD = 0x7fffffff;

/**
 * Adds gold (may be negative) to a purse, and makes one if there is none. Returns the new amount, or null if the
 * entity is gone.
 */
export function addGold(world: World, entity: EntityHandle, amount: number): number | null {
	const slot = slotOf(world, entity);
	if (slot < 0) return null;
	const before = has(world, slot, Gold) ? read(world, Gold, 'amount')[slot]! : 0;
	const after = Math.max(-MAX_GOLD - 1, Math.min(MAX_GOLD, Math.trunc(before + amount)));
	if (has(world, slot, Gold)) write(world, Gold, 'amount')[slot] = after;
	else add(world, slot, Gold, { amount: after });
	return after;
}
