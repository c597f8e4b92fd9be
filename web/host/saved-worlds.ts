/** Handing all worlds of a host to another, exactly, with their snapshots. Owns: nothing. */

import type { AssetBytes } from '../sim/core/assets.ts';
import { clone } from '../sim/core/clone.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { type Snapshot, viewOf } from '../sim/snapshots/snapshot.ts';
import type { SavedWorld, SavedWorlds } from './frames.ts';
import { MAIN, type WorldEntry, Worlds } from './worlds.ts';

/** Worlds and snapshots as they are at a moment, to be encoded when it suits. */
export interface HeldWorlds extends Pick<SavedWorlds, 'identity'> {
	readonly worlds: readonly HeldWorld[];
	/** Each once, however many worlds have it. */
	readonly snapshots: readonly HeldSnapshot[];
}

/** `world`: a clone, which whoever has this disposes of: what it was taken of ends with the last world that has the snapshot. */
export interface HeldSnapshot extends Snapshot {
	readonly of: World;
}

/** `world`: a clone, which whoever has this disposes of. */
export interface HeldWorld extends Omit<SavedWorld, 'bytes'> {
	readonly world: World;
}

export function holdWorlds(worlds: Worlds, identity: string): HeldWorlds {
	const { snapshots, all } = listed(worlds);
	return {
		identity,
		snapshots: snapshots.map(({ view, world }) => ({ view, world: clone(world), of: world })),
		worlds: all.map(({ world, ...rest }) => ({ ...rest, world: clone(world) })),
	};
}

export function saveWorlds(worlds: Worlds, identity: string): SavedWorlds {
	const { snapshots, all } = listed(worlds);
	return {
		identity,
		worlds: all.map(({ world, ...rest }) => ({ ...rest, bytes: encodeWorld(world) })),
		snapshots: snapshots.map(({ view, world }) => ({ label: view.label, bytes: encodeWorld(world) })),
	};
}

/** All worlds with the places of their snapshots in a list of all. */
function listed(worlds: Worlds): {
	readonly all: readonly HeldWorld[];
	readonly snapshots: readonly Snapshot[];
} {
	const places = new Map<Snapshot, number>();
	const placeOf = (snapshot: Snapshot): number => {
		const place = places.get(snapshot) ?? places.size;
		places.set(snapshot, place);
		return place;
	};
	const all = worlds.all().map(({ id, world, playing, speed, halted, origin, snapshots }) => {
		const why = halted === undefined ? {} : { halted };
		return { id, playing, speed, ...why, origin, world, snapshots: snapshots.map(placeOf) };
	});
	return { all, snapshots: [...places.keys()] };
}

/** The worlds that `saveWorlds` saved, with the assets that they name. Throws a RangeError when main is not among them or one is damaged. */
export function restoreWorlds(saved: SavedWorlds, assets: AssetBytes): Worlds {
	const decode = (bytes: Uint8Array) => loadWorld(bytes, assets);
	const snapshots = saved.snapshots.map(({ label, bytes }): Snapshot => {
		const world = decode(bytes);
		return { view: viewOf(world, label), world };
	});
	const hold = ({
		id,
		playing,
		speed = 1,
		halted,
		origin,
		bytes,
		snapshots: own,
	}: SavedWorld): WorldEntry => {
		return {
			id,
			playing,
			speed,
			halted,
			origin,
			world: decode(bytes),
			snapshots: own.map((place) => snapshots[place]!),
		};
	};
	const main = saved.worlds.find(({ id }) => id === MAIN);
	if (main === undefined) throw new RangeError('the saved worlds have no main world');
	const restored = hold(main);
	const worlds = new Worlds(restored.world);
	const { playing, speed, halted, snapshots: own } = restored;
	Object.assign(worlds.main, { playing, speed, halted, snapshots: own });
	for (const fork of saved.worlds) if (fork !== main) worlds.add(hold(fork));
	return worlds;
}
