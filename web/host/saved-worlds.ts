/** Handing all worlds of a host to another, exactly, with their snapshots. Owns: nothing. */

import type { AssetBytes } from '../sim/core/assets.ts';
import { clone } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { type Snapshot, viewOf } from '../sim/snapshots/snapshot.ts';
import type { SavedBytes, SavedWorld, SavedWorlds } from '../store/saved-state.ts';
import { haltNow, MAIN, Worlds } from '../store/worlds.ts';

/** Worlds and snapshots as they are at a moment, to be encoded when it suits. */
export interface HeldWorlds extends Pick<SavedWorlds, 'identity' | 'lines'> {
	readonly worlds: readonly HeldWorld[];
	/** Each once, however many worlds have it. */
	readonly snapshots: readonly HeldSnapshot[];
}

/** `world`: a clone, which the holder disposes of: its source ends with the last world that has the snapshot. */
export interface HeldSnapshot extends Snapshot {
	readonly of: World;
}

/** `world`: a clone, which the holder disposes of. */
export interface HeldWorld extends Omit<SavedWorld, 'bytes'> {
	readonly world: World;
}

export function holdWorlds(worlds: Worlds, identity: string): HeldWorlds {
	const { snapshots, all } = worldsWithSnapshots(worlds);
	return {
		identity,
		lines: worlds.lines,
		snapshots: snapshots.map(({ world, ...rest }) => ({ ...rest, world: clone(world), of: world })),
		worlds: all.map(({ world, ...rest }) => ({ ...rest, world: clone(world) })),
	};
}

/** Returns all worlds with the places of their snapshots in a list of all. */
function worldsWithSnapshots(worlds: Worlds): {
	readonly all: readonly HeldWorld[];
	readonly snapshots: readonly Snapshot[];
} {
	const places = new Map<Snapshot, number>();
	const placeOf = (snapshot: Snapshot): number => {
		const index = places.get(snapshot) ?? places.size;
		places.set(snapshot, index);
		return index;
	};
	const all = worlds.all().map((entry) => {
		const { id, world, line, playing, speed, origin, maker, snapshots } = entry;
		const halted = haltNow(entry);
		const why = halted === undefined ? {} : { halted };
		const by = maker === undefined ? {} : { maker };
		return { id, line, playing, speed, ...why, origin, ...by, world, snapshots: snapshots.map(placeOf) };
	});
	return { all, snapshots: [...places.keys()] };
}

/**
 * Returns the worlds that were saved, with the assets that they name, inflated in order. Rejects with a
 * RangeError when main is not among them or one is damaged, and with what `inflated` does.
 */
export async function restoreWorlds(
	saved: SavedWorlds,
	assets: AssetBytes,
	inflated: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Worlds> {
	const alike = new Alike();
	const decode = async ({ bytes }: SavedBytes): Promise<World> => {
		const twin = alike.find(bytes);
		if (twin !== undefined) return clone(twin);
		const world = loadWorld(await inflated(bytes), assets);
		alike.add(bytes, world);
		return world;
	};
	const snapshots: Snapshot[] = [];
	for (const { label, owner, ...one } of saved.snapshots) {
		const world = await decode(one);
		snapshots.push({ view: viewOf(world, label), world, ...(owner === undefined ? {} : { owner }) });
	}
	const hold = async ({
		id,
		line,
		playing,
		speed = 1,
		halted,
		origin,
		maker,
		snapshots: own,
		...one
	}: SavedWorld) => {
		const world = await decode(one);
		return {
			id,
			line: line ?? { number: 0, tick: world.tick },
			playing,
			speed,
			halted,
			origin,
			maker,
			world,
			snapshots: own.map((index) => snapshots[index]!),
		};
	};
	const main = saved.worlds.find(({ id }) => id === MAIN);
	if (main === undefined) throw new RangeError('the saved worlds have no main world');
	const restored = await hold(main);
	const worlds = new Worlds(restored.world);
	const { line, playing, speed, halted, maker, snapshots: own } = restored;
	Object.assign(worlds.main, { line, playing, speed, halted, maker, snapshots: own });
	worlds.lines = saved.lines ?? 0;
	for (const fork of saved.worlds) if (fork !== main) worlds.add(await hold(fork));
	return worlds;
}

/**
 * Worlds by the bytes that they were loaded from. Worlds from the same bytes are clones, and share what they shared
 * before they were saved.
 */
class Alike {
	readonly #byLength = new Map<number, { readonly bytes: Uint8Array; readonly world: World }[]>();

	add(bytes: Uint8Array, world: World): void {
		const others = this.#byLength.get(bytes.length);
		if (others === undefined) this.#byLength.set(bytes.length, [{ bytes, world }]);
		else others.push({ bytes, world });
	}

	find(bytes: Uint8Array): World | undefined {
		return this.#byLength.get(bytes.length)?.find((candidate) => isSame(candidate.bytes, bytes))?.world;
	}
}

/** Of two that are equally long. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
	for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
	return true;
}
