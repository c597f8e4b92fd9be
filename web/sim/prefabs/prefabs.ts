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
import { BUILT_IN, type BuiltInPrefab } from './built-in.ts';

type Prefabs = Readonly<Record<string, BuiltInPrefab>>;

export const PrefabRegistry: Resource<Prefabs> = {
	name: 'prefabs',
	scope: 'state',
	summary: 'Registered prefabs',
	schema: z.record(
		registryName,
		z.strictObject({ summary: prefabSummary, document: spawnDocument }),
	) as unknown as z.ZodType<Prefabs>,
	// No agent registers one in place of a built-in prefab.
	entriesOf: (prefabs = {}) => ({ ...BUILT_IN, ...prefabs }),
	merge: (present, added) => ({ ...present, ...added }),
	initial: (profile) => (profile === 'bare' ? undefined : {}),
};

/** Returns the prefabs that were registered beyond the built-in ones. */
export function registeredPrefabs(world: World): Prefabs {
	return resource(world, PrefabRegistry) ?? {};
}

/** A prefab with its name, and whether it is the built-in one. */
export interface PrefabEntry {
	readonly name: string;
	readonly built_in: boolean;
	readonly prefab: BuiltInPrefab;
}

/** Returns all prefabs by name, sorted; none without a registry. */
export function prefabs(world: World): PrefabEntry[] {
	const registered = resource(world, PrefabRegistry);
	if (registered === undefined) return [];
	const all: Prefabs = { ...BUILT_IN, ...registered };
	return Object.keys(all)
		.sort()
		.map((name) => ({ name, built_in: !Object.hasOwn(registered, name), prefab: all[name]! }));
}

/** Throws `unknown_prefab`. */
export function prefab(world: World, name: string): BuiltInPrefab {
	return requireEntry(world, name).prefab;
}

/** Throws `unknown_prefab`. */
export function requireEntry(world: World, name: string): PrefabEntry {
	const all = prefabs(world);
	const found = all.find((entry) => entry.name === name);
	if (found !== undefined) return found;
	const fix = suggestion(
		name,
		all.map((entry) => entry.name),
	);
	throw new ApiError('unknown_prefab', `There is no prefab "${name}".`, { fix });
}

/** Registers a prefab. Returns true if it replaced another. Throws `no_registry`. */
export function registerPrefab(world: World, name: string, entry: BuiltInPrefab): boolean {
	const registered = resource(world, PrefabRegistry);
	if (registered === undefined) throw new ApiError('no_registry', 'This host has no prefab registry.');
	setResource(world, PrefabRegistry, { ...registered, [name]: entry });
	return Object.hasOwn(registered, name) || Object.hasOwn(BUILT_IN, name);
}

/** Throws `unknown_prefab`, or `built_in_prefab` for one that was never registered. */
export function removePrefab(world: World, name: string): void {
	requireEntry(world, name);
	const registered = registeredPrefabs(world);
	if (!Object.hasOwn(registered, name))
		throw new ApiError('built_in_prefab', `The prefab "${name}" is built in and cannot be changed.`);
	const { [name]: _, ...rest } = registered;
	setResource(world, PrefabRegistry, rest);
}
