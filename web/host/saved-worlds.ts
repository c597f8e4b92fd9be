/** Handing all worlds of a host to another, exactly. Owns: nothing; snapshots stay behind. */

import { decodeWorld, encodeWorld } from '../sim/core/codec.ts';
import { createWorld } from '../sim/create-world.ts';
import type { SavedWorld } from './frames.ts';
import { MAIN, Worlds } from './worlds.ts';

export function saveWorlds(worlds: Worlds): SavedWorld[] {
	return worlds
		.all()
		.map(({ id, world, playing, origin }) => ({ id, playing, origin, bytes: encodeWorld(world) }));
}

/** The worlds that `saveWorlds` saved. Throws a RangeError when main is not among them or one is damaged. */
export function restoreWorlds(saved: readonly SavedWorld[]): Worlds {
	const main = saved.find(({ id }) => id === MAIN);
	if (main === undefined) throw new RangeError('the saved worlds have no main world');
	const decode = ({ bytes }: SavedWorld) => decodeWorld(bytes, createWorld());
	const worlds = new Worlds(decode(main));
	worlds.main.playing = main.playing;
	for (const fork of saved) if (fork !== main) worlds.add(fork.id, decode(fork), fork.origin, fork.playing);
	return worlds;
}
