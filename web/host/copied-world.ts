/**
 * A world of a copy of all worlds, for a call that is done whole or not at all.
 * Owns: cloning it when it is first requested, and whether it has changed since.
 */

import { clone } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import type { Snapshot } from '../sim/snapshots/snapshot.ts';
import type { Halt, Origin, WorldEntry } from './worlds.ts';

export class Copied implements WorldEntry {
	readonly id: string;
	readonly base: WorldEntry;
	playing: boolean;
	speed: number;
	halted: Halt | undefined;
	origin: Origin | null;
	snapshots: readonly Snapshot[];
	readonly #playedAtFirst: boolean;
	#own: World | null = null;
	#cloned: World | null = null;
	#version = 0;

	constructor(base: WorldEntry) {
		this.id = base.id;
		this.base = base;
		this.playing = base.playing;
		this.#playedAtFirst = base.playing;
		this.speed = base.speed;
		this.halted = base.halted;
		this.origin = base.origin;
		this.snapshots = base.snapshots;
	}

	get maker(): number | undefined {
		return this.base.maker;
	}

	get world(): World {
		if (this.#own === null) {
			this.#own = clone(this.base.world);
			this.#cloned = this.#own;
			this.#version = this.#own.version;
		}
		return this.#own;
	}

	set world(next: World) {
		this.#own = next;
	}

	/** Whether it plays, when that was changed here. */
	get playingChanged(): boolean {
		return this.playing !== this.#playedAtFirst;
	}

	/** The world of the copy when it differs from the base's, else null. */
	get changed(): World | null {
		const same = this.#own === this.#cloned && this.#own?.version === this.#version;
		return this.#own === null || same ? null : this.#own;
	}

	/** The world that was cloned or put here, if any was. */
	get own(): World | null {
		return this.#own;
	}
}
