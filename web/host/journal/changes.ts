/**
 * Changes in the worlds of a host since the last check.
 * Owns: the versions that the worlds had at that check.
 */

import { digest } from '../../sim/core/digest.ts';
import type { World } from '../../sim/core/world.ts';
import type { Assets } from '../../store/assets.ts';
import type { WorldEntry, Worlds } from '../../store/worlds.ts';

interface JournaledWorld {
	readonly world: World;
	readonly version: number;
	readonly snapshots: WorldEntry['snapshots'];
	readonly origin: WorldEntry['origin'];
}

export interface ChangedWorlds {
	/** Worlds whose state changed, or that are new. */
	readonly worlds: readonly WorldEntry[];
	/** Ids of worlds that no longer exist. */
	readonly removedIds: readonly string[];
	/** True if worlds, snapshots, playing states or assets changed. */
	readonly isAny: boolean;
}

/** Returns the worlds that play, with their speeds. */
export const playingOf = (worlds: Worlds): { id: string; speed: number }[] =>
	worlds.all().flatMap(({ id, playing, speed }) => (playing ? [{ id, speed }] : []));

/** Returns the tick and digest of a world; nulls if the world does not exist. */
export function placeOf(worlds: Worlds, id: string): { tick: number | null; digest: string | null } {
	const entry = worlds.all().find((worldEntry) => worldEntry.id === id);
	return entry === undefined
		? { tick: null, digest: null }
		: { tick: entry.world.tick, digest: digest(entry.world) };
}

export class WorldChanges {
	readonly #worlds: Worlds;
	readonly #assets: Assets;
	readonly #journaled = new Map<string, JournaledWorld>();
	#playing = '';
	#assetChanges = 0;

	constructor(worlds: Worlds, assets: Assets) {
		this.#worlds = worlds;
		this.#assets = assets;
		this.take();
	}

	/** Returns the changes since the last call of this method. */
	take(): ChangedWorlds {
		const changed: WorldEntry[] = [];
		let isAny = false;
		const all = this.#worlds.all();
		for (const entry of all) {
			const { id, world, snapshots, origin } = entry;
			const last = this.#journaled.get(id);
			const isSame = last?.world === world && last.version === world.version;
			if (isSame && last.snapshots === snapshots && last.origin === origin) continue;
			isAny = true;
			if (!isSame) changed.push(entry);
			this.#journaled.set(id, { world, version: world.version, snapshots, origin });
		}
		const removedIds: string[] = [];
		if (this.#journaled.size > all.length) {
			const ids = new Set(all.map(({ id }) => id));
			for (const id of this.#journaled.keys()) if (!ids.has(id)) removedIds.push(id);
			for (const id of removedIds) this.#journaled.delete(id);
		}
		const playing = JSON.stringify(playingOf(this.#worlds));
		if (removedIds.length > 0 || playing !== this.#playing || this.#assets.changes !== this.#assetChanges)
			isAny = true;
		this.#playing = playing;
		this.#assetChanges = this.#assets.changes;
		return { worlds: changed, removedIds, isAny };
	}
}
