/** Finds the entity that a request names. */

import type { EntityHandle } from '../../shared/contract/component.ts';
import { entityAt } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';

interface NamedEntity {
	readonly entity_id: number;
	readonly entity_generation?: number | null | undefined;
	readonly generation?: number | null | undefined;
}

/** Returns the entity that a body names. Throws `entity_not_found`, and `stale_handle` if another entity has the slot now. */
export function requireNamedEntity(
	world: World,
	{ entity_id, entity_generation, generation }: NamedEntity,
): EntityHandle {
	const entity = entityAt(world, entity_id, entity_generation ?? generation);
	// If both fields are sent and differ, one of the two calls throws.
	return generation == null ? entity : entityAt(world, entity_id, generation);
}
