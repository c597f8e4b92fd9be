/**
 * Changes in the worlds of a host since the last look.
 * Owns: the memory of how they were then.
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

export interface Changed {
	/** Worlds whose state changed, or that are new. */
	readonly worlds: readonly WorldEntry[];
	/** Ids of those that are gone. */
	readonly gone: readonly string[];
	/** True if anything changed: these, snapshots, what plays, or assets. */
	readonly any: boolean;
}

/** Worlds that play, and their speeds. */
export const playingOf = (worlds: Worlds): { id: string; speed: number }[] =>
	worlds.all().flatMap(({ id, playing, speed }) => (playing ? [{ id, speed }] : []));

/** Returns the tick and digest of a world; none if it does not exist. */
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

	/** Returns the changes since its last call. */
	take(): Changed {
		const changed: WorldEntry[] = [];
		let any = false;
		const all = this.#worlds.all();
		for (const entry of all) {
			const { id, world, snapshots, origin } = entry;
			const cached = this.#journaled.get(id);
			const isSame = cached?.world === world && cached.version === world.version;
			if (isSame && cached.snapshots === snapshots && cached.origin === origin) continue;
			any = true;
			if (!isSame) changed.push(entry);
			this.#journaled.set(id, { world, version: world.version, snapshots, origin });
		}
		const removed: string[] = [];
		if (this.#journaled.size > all.length) {
			const ids = new Set(all.map(({ id }) => id));
			for (const id of this.#journaled.keys()) if (!ids.has(id)) removed.push(id);
			for (const id of removed) this.#journaled.delete(id);
		}
		const playing = JSON.stringify(playingOf(this.#worlds));
		if (removed.length > 0 || playing !== this.#playing || this.#assets.changes !== this.#assetChanges)
			any = true;
		this.#playing = playing;
		this.#assetChanges = this.#assets.changes;
		return { worlds: changed, gone: removed, any };
	}
}
