/** Copies all worlds of a host with their snapshots, and restores them exactly in another host. */

import type { AssetBytes } from '../sim/core/assets.ts';
import { clone } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { type Snapshot, viewOf } from '../sim/snapshots/snapshot.ts';
import type { SavedBytes, SavedWorld, SavedWorlds } from '../store/saved-state.ts';
import { currentHalt, MAIN, Worlds } from '../store/worlds.ts';

/** Copies of worlds and snapshots, which can be encoded later. */
export interface WorldsCopy extends Pick<SavedWorlds, 'identity' | 'lines'> {
	readonly worlds: readonly WorldCopy[];
	/** Each snapshot once, even if several worlds have it. */
	readonly snapshots: readonly SnapshotCopy[];
}

/** Copy of a snapshot. `world` is a clone of `source`, because the source may be freed first. The receiver disposes of it. */
export interface SnapshotCopy extends Snapshot {
	readonly source: World;
}

/** Copy of a world. `world` is a clone, which the receiver disposes of. */
export interface WorldCopy extends Omit<SavedWorld, 'bytes'> {
	readonly world: World;
}

/** Copies all worlds of a host. `identity`: identity of the engine's worlds. */
export function copyWorlds(worlds: Worlds, identity: string): WorldsCopy {
	const { snapshots, worldCopies } = worldsWithSnapshots(worlds);
	return {
		identity,
		lines: worlds.lines,
		snapshots: snapshots.map(({ world, ...rest }) => ({ ...rest, world: clone(world), source: world })),
		worlds: worldCopies.map(({ world, ...rest }) => ({ ...rest, world: clone(world) })),
	};
}

/** Returns all worlds, with the indices of their snapshots in one list. The worlds are not cloned yet. */
function worldsWithSnapshots(worlds: Worlds): {
	readonly worldCopies: readonly WorldCopy[];
	readonly snapshots: readonly Snapshot[];
} {
	const indices = new Map<Snapshot, number>();
	const indexOf = (snapshot: Snapshot): number => {
		const index = indices.get(snapshot) ?? indices.size;
		indices.set(snapshot, index);
		return index;
	};
	const worldCopies = worlds.all().map((entry) => {
		const { id, world, line, playing, speed, origin, maker, snapshots } = entry;
		const halted = currentHalt(entry);
		const haltField = halted === undefined ? {} : { halted };
		const makerField = maker === undefined ? {} : { maker };
		return {
			id,
			line,
			playing,
			speed,
			...haltField,
			origin,
			...makerField,
			world,
			snapshots: snapshots.map(indexOf),
		};
	});
	return { worldCopies, snapshots: [...indices.keys()] };
}

/**
 * Restores saved worlds. Rejects with a RangeError if main is missing or a world is damaged, and with the errors of `inflate`.
 */
export async function restoreWorlds(
	saved: SavedWorlds,
	assets: AssetBytes,
	inflate: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Worlds> {
	const loaded = new LoadedWorlds();
	const decode = async ({ bytes }: SavedBytes): Promise<World> => {
		const twin = loaded.find(bytes);
		if (twin !== undefined) return clone(twin);
		const world = loadWorld(await inflate(bytes), assets);
		loaded.add(bytes, world);
		return world;
	};
	const snapshots: Snapshot[] = [];
	for (const { label, owner, ...fields } of saved.snapshots) {
		const world = await decode(fields);
		snapshots.push({ view: viewOf(world, label), world, ...(owner === undefined ? {} : { owner }) });
	}
	const restoreEntry = async ({
		id,
		line,
		playing,
		speed = 1,
		halted,
		origin,
		maker,
		snapshots: indices,
		...fields
	}: SavedWorld) => {
		const world = await decode(fields);
		return {
			id,
			line: line ?? { number: 0, tick: world.tick },
			playing,
			speed,
			halted,
			origin,
			maker,
			world,
			snapshots: indices.map((index) => snapshots[index]!),
		};
	};
	const main = saved.worlds.find(({ id }) => id === MAIN);
	if (main === undefined) throw new RangeError('the saved worlds have no main world');
	const restored = await restoreEntry(main);
	const worlds = new Worlds(restored.world);
	const { line, playing, speed, halted, maker, snapshots: own } = restored;
	Object.assign(worlds.main, { line, playing, speed, halted, maker, snapshots: own });
	worlds.lines = saved.lines ?? 0;
	for (const fork of saved.worlds) if (fork !== main) worlds.add(await restoreEntry(fork));
	return worlds;
}

/** Loaded worlds by their saved bytes. Worlds with equal bytes become clones of each other, so that they share data. */
class LoadedWorlds {
	readonly #byLength = new Map<number, { readonly bytes: Uint8Array; readonly world: World }[]>();

	add(bytes: Uint8Array, world: World): void {
		const others = this.#byLength.get(bytes.length);
		if (others === undefined) this.#byLength.set(bytes.length, [{ bytes, world }]);
		else others.push({ bytes, world });
	}

	find(bytes: Uint8Array): World | undefined {
		return this.#byLength.get(bytes.length)?.find((candidate) => areEqual(candidate.bytes, bytes))?.world;
	}
}

/** Compares two arrays of equal length. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
	for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
	return true;
}
