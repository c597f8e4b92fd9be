/**
 * Name of a world, such as "Arena: two lanes, two ancients, one winner".
 * Owns: the storage of the name. View scope: the simulation does not depend on it.
 */

import * as z from 'zod';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const WorldName: Resource<string> = {
	name: 'world_name',
	scope: 'view',
	summary: 'Name of the world, from its scenario or level',
	schema: z.string(),
	isEmpty: (name) => name === '',
	initial: () => undefined,
};

/** Returns the name of a world; empty if it has none. */
export const worldName = (world: World): string => resource(world, WorldName) ?? '';

export function nameWorld(world: World, name: string): void {
	setResource(world, WorldName, name);
}
