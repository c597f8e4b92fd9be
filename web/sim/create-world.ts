/** Creates worlds from the lists of parts and resources, and an empty core. */

import { type AssetBytes, NO_ASSETS } from './core/assets.ts';
import { decodeWorld } from './core/codec.ts';
import { createEntities } from './core/entities.ts';
import { holdPart } from './core/part.ts';
import { setResource } from './core/resource.ts';
import type { HostProfile, World } from './core/world.ts';
import { parts as allParts } from './parts.ts';
import { resources } from './resources.ts';

/** Returns a fresh world: empty, at tick 0. `loadParts` must have finished before. */
export function createWorld({
	seed = 0,
	profile = 'full' as HostProfile,
	parts = allParts,
	assets = NO_ASSETS,
} = {}): World {
	const world: World = {
		profile,
		tick: 0,
		seed,
		version: 0,
		entities: createEntities(),
		tables: [],
		tablesShared: false,
		declared: resources,
		resources: new Map(),
		resourcesShared: false,
		parts: new Map(),
		digest: null,
		processedVersions: new Map(),
		assets,
		chance: null,
		undo: null,
	};
	for (const part of parts) world.parts.set(part.name, holdPart(part, part.create(world)));
	for (const declaration of resources) {
		const value = declaration.initial(profile);
		if (value !== undefined) setResource(world, declaration, value);
	}
	return world;
}

/** Decodes a world that `encodeWorld` wrote. Throws a RangeError if the bytes are not a world. */
export function loadWorld(bytes: Uint8Array, assets: AssetBytes = NO_ASSETS): World {
	return decodeWorld(bytes, (profile) => createWorld({ profile, assets }));
}
