/** Types of buildings, with the data of the tuning for each type. */

import { BUILDING_TYPES, Building } from '../../../shared/components/building.ts';
import type { BuildingData } from '../../../shared/documents/tuning.ts';
import { has, read, type World } from '../core/world.ts';
import { tuning } from '../tuning/tuning.ts';

/** Returns the data of the building in a slot, or undefined if it is not a building. */
export function buildingAt(world: World, slot: number): BuildingData | undefined {
	if (!has(world, slot, Building)) return undefined;
	return tuning(world).buildings[BUILDING_TYPES[read(world, Building, 'building_type')[slot]!]!];
}
