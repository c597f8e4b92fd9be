/**
 * Cloning a world: columns are shared until one side writes, immutable values are shared for good,
 * parts clone themselves. A clone evolves bit for bit as the original would.
 */

import { cloneEntities } from './entities.ts';
import { cloneTable } from './table.ts';
import type { World } from './world.ts';

/** An independent copy of a world. Costs a few microseconds, whatever the number of entities. */
export function clone(world: World): World {
	const copy: World = {
		...world,
		entities: cloneEntities(world.entities),
		tables: world.tables.map((table) => table && cloneTable(table)),
		resources: new Map(world.resources),
		parts: new Map(),
		seen: new Map(world.seen),
		chance: null,
	};
	for (const [name, held] of world.parts)
		copy.parts.set(name, { ...held, state: held.part.clone(held.state, copy) });
	return copy;
}

/** Frees what a world holds outside the garbage collector's reach. The world must not be used afterwards. */
export function dispose(world: World): void {
	for (const { part, state } of world.parts.values()) part.dispose?.(state);
	world.parts.clear();
}
