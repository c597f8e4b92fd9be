/**
 * Clones worlds. Columns and resources are shared until one side writes, immutable values are always shared, and parts
 * clone themselves. A clone evolves bit for bit like the original.
 */

import { cloneEntities } from './entities.ts';
import { type HeldPart, holdPart, type WorldPart } from './part.ts';
import { shareTables } from './table.ts';
import { markChanged } from './version.ts';
import type { World } from './world.ts';

/** Returns an independent copy of a world. It takes a few microseconds for any number of entities. */
export function clone(world: World): World {
	return copyOf(world, cloneOf);
}

/** Clones a part with its cached hashes. */
const cloneOf = (heldPart: HeldPart): HeldPart => ({
	...heldPart,
	state: heldPart.part.clone(heldPart.state),
});

/** Returns an independent copy of a world in which one part is as in a new world. */
export function cloneWithout(world: World, absent: WorldPart): World {
	const copy = copyOf(world, (heldPart, to) =>
		heldPart.part === absent ? holdPart(absent, absent.create(to)) : cloneOf(heldPart),
	);
	markChanged(copy);
	return copy;
}

/** State to restore after a failed tick: everything that a tick can change. No tick changes a derived part. */
interface SavedState {
	readonly columns: Pick<World, 'tick' | 'seed' | 'entities' | 'tables' | 'tablesShared' | 'resources'>;
	readonly version: number;
	readonly digest: World['digest'];
	readonly parts: readonly HeldPart[];
}

/**
 * Saves the state before a tick. `restoreSaved` or `dropSaved` must then be called with it. `mayFail` returns true if the
 * tick is likely to fail.
 */
export function saveForTick(world: World, mayFail: () => boolean): SavedState {
	const { tick, seed, version, resources, digest } = world;
	world.resourcesShared = true;
	const parts: HeldPart[] = [];
	for (const heldPart of world.parts.values()) {
		const { part, state, digested, encoded } = heldPart;
		if (part.derived !== undefined) continue;
		const savedPartState = part.keep === undefined ? part.clone(state) : part.keep(state, mayFail);
		parts.push({ part, state: savedPartState, digested, encoded });
	}
	const columns = { tick, seed, entities: cloneEntities(world.entities), ...shareTables(world), resources };
	return { columns, version, digest, parts };
}

/** Restores the saved state of a world. The version of the world still increases, so caches become invalid. */
export function restoreSaved(
	world: World,
	{ columns, version: savedVersion, digest, parts }: SavedState,
): void {
	for (const heldPart of parts) {
		const { part } = heldPart;
		part.dispose?.(world.parts.get(part.name)!.state);
		world.parts.set(part.name, heldPart);
	}
	world.processedVersions.clear();
	const version = markChanged(world);
	const digestMemo = digest?.version === savedVersion ? { value: digest.value, version } : null;
	Object.assign(world, columns, { resourcesShared: true, digest: digestMemo, undo: null });
}

/** Frees the saved state after a tick that succeeded. */
export function dropSaved({ parts }: SavedState): void {
	for (const { part, state } of parts) part.dispose?.(state);
}

/** Copies a world; `copyPart` copies each part. */
function copyOf(world: World, copyPart: (held: HeldPart, copy: World) => HeldPart): World {
	world.resourcesShared = true;
	const copy: World = {
		...world,
		entities: cloneEntities(world.entities),
		...shareTables(world),
		parts: new Map(),
		processedVersions: new Map(world.processedVersions),
		chance: null,
		undo: null,
	};
	for (const [name, heldPart] of world.parts) copy.parts.set(name, copyPart(heldPart, copy));
	return copy;
}

/** Frees the memory of a world that the garbage collector cannot reach. The world must not be used afterwards. */
export function dispose(world: World): void {
	for (const { part, state } of world.parts.values()) part.dispose?.(state);
	world.parts.clear();
}
