/** Gold of entities. */

import { Gold } from '../../../shared/components/gold.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import { add, has, read, type World, write } from '../core/world.ts';

/** Maximum gold of an entity. */
const MAX_GOLD = 0x7fffffff;

/**
 * Adds gold, which may be negative, to an entity. Adds the component if it is missing. Returns the new amount, or null
 * if the entity is gone.
 */
export function addGold(world: World, entity: EntityHandle, amount: number): number | null {
	const slot = slotOf(world, entity);
	if (slot < 0) return null;
	const oldAmount = has(world, slot, Gold) ? read(world, Gold, 'amount')[slot]! : 0;
	const newAmount = Math.max(-MAX_GOLD - 1, Math.min(MAX_GOLD, Math.trunc(oldAmount + amount)));
	if (has(world, slot, Gold)) write(world, Gold, 'amount')[slot] = newAmount;
	else add(world, slot, Gold, { amount: newAmount });
	return newAmount;
}
