/**
 * The prefab registry: the built-in prefabs and those that were registered.
 * Owns: the registry. A registered prefab replaces a built-in one of its name. A bare host has none at all.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { prefabSummary, registryName, spawnDocument } from '../../../shared/documents/spawn.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';
import { BUILT_IN, type PrefabDefinition } from './built-in.ts';

type Prefabs = Readonly<Record<string, PrefabDefinition>>;

export const PrefabRegistry: Resource<Prefabs> = {
	name: 'prefabs',
	scope: 'state',
	summary: 'Registered prefabs',
	schema: z.record(
		registryName,
		z.strictObject({ summary: prefabSummary, document: spawnDocument }),
	) as unknown as z.ZodType<Prefabs>,
	// Includes the built-in prefabs, so that no agent can replace one of them.
	entriesOf: (prefabs = {}) => ({ ...BUILT_IN, ...prefabs }),
	merge: (present, added) => ({ ...present, ...added }),
	initial: (profile) => (profile === 'bare' ? undefined : {}),
};

/** Returns the prefabs that were registered beyond the built-in ones. */
export function registeredPrefabs(world: World): Prefabs {
	return resource(world, PrefabRegistry) ?? {};
}

/** A prefab with its name. `built_in`: true unless it was registered. */
export interface PrefabEntry {
	readonly name: string;
	readonly built_in: boolean;
	readonly prefab: PrefabDefinition;
}

/** Returns all prefabs by name, sorted; none without a registry. */
export function listPrefabs(world: World): PrefabEntry[] {
	const registered = resource(world, PrefabRegistry);
	if (registered === undefined) return [];
	const all: Prefabs = { ...BUILT_IN, ...registered };
	return Object.keys(all)
		.sort()
		.map((name) => ({ name, built_in: !Object.hasOwn(registered, name), prefab: all[name]! }));
}

/** Returns the prefab of a name. Throws `unknown_prefab`. */
export function requirePrefab(world: World, name: string): PrefabDefinition {
	return requirePrefabEntry(world, name).prefab;
}

/** Returns the prefab of a name with its entry. Throws `unknown_prefab`. */
export function requirePrefabEntry(world: World, name: string): PrefabEntry {
	const all = listPrefabs(world);
	const match = all.find((entry) => entry.name === name);
	if (match !== undefined) return match;
	const fix = suggestion(
		name,
		all.map((entry) => entry.name),
	);
	throw new ApiError('unknown_prefab', `There is no prefab "${name}".`, { fix });
}

/** Registers a prefab. Returns true if it replaced another. Throws `no_registry`. */
export function registerPrefab(world: World, name: string, entry: PrefabDefinition): boolean {
	const registered = resource(world, PrefabRegistry);
	if (registered === undefined) throw new ApiError('no_registry', 'This host has no prefab registry.');
	setResource(world, PrefabRegistry, { ...registered, [name]: entry });
	return Object.hasOwn(registered, name) || Object.hasOwn(BUILT_IN, name);
}

/** Removes a registered prefab. Throws `unknown_prefab`, or `built_in_prefab` if it was never registered. */
export function removePrefab(world: World, name: string): void {
	requirePrefabEntry(world, name);
	const registered = registeredPrefabs(world);
	if (!Object.hasOwn(registered, name))
		throw new ApiError('built_in_prefab', `The prefab "${name}" is built in and cannot be changed.`);
	const { [name]: _, ...rest } = registered;
	setResource(world, PrefabRegistry, rest);
}
