/**
 * A world of a host with its place among the others.
 * Owns: what an entry has, and entries of a copy, which clone their worlds on demand.
 */

import { clone } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import type { Snapshot } from '../sim/snapshots/snapshot.ts';

export const MAIN = 'main';

/** The origin of a cloned world. */
export interface Origin {
	readonly parent: string;
	readonly tick: number;
	/** Number of the parent's line; missing in older states. */
	readonly line?: number;
	/** The parent was deleted; a world of that name now is another one. */
	readonly gone?: true;
}

/** The part of an entry's past in which its ticks follow one another: a new line begins with another world in its place. */
export interface Line {
	/** Increases with every line of any world of the host. */
	readonly number: number;
	/** Ticks completed when it began. */
	readonly tick: number;
}

/** A tick that could not be made while a world played. The world is as before it. */
export interface Halt {
	readonly tick: number;
	readonly message: string;
	readonly fix: string;
}

/** A world with its place among the others. */
export interface WorldEntry {
	readonly id: string;
	/** The world that it is a copy of, for a call that is done whole or not at all. */
	readonly base?: WorldEntry;
	world: World;
	line: Line;
	playing: boolean;
	/** Speed of play; 1 is real time. */
	speed: number;
	/** The reason why it last stopped playing by itself, until it plays again or becomes another world; `haltNow` says whether that still holds. */
	halted?: Halt | undefined;
	/** Its origin; null for main. */
	origin: Origin | null;
	/** Number of the agent that made the fork or owns main; undefined for the operators. */
	readonly maker?: number | undefined;
	/** Oldest first; a fork shares those that its parent had. Replaced, never changed in place. */
	snapshots: readonly Snapshot[];
}

/** Returns the reason why a world has stopped playing by itself; undefined once it is beyond that tick. */
export function haltNow({ halted, world }: WorldEntry): Halt | undefined {
	return halted?.tick === world.tick ? halted : undefined;
}

export function holdWorld(
	id: string,
	world: World,
	line: number,
	origin: Origin | null,
	snapshots: readonly Snapshot[] = [],
	maker?: number,
): WorldEntry {
	const { tick } = world;
	return { id, world, line: { number: line, tick }, playing: false, speed: 1, origin, maker, snapshots };
}

/** An entry of a copy of worlds. Its world is cloned when it is first requested. */
export class CopiedEntry implements WorldEntry {
	readonly id: string;
	readonly base: WorldEntry;
	line: Line;
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
		this.line = base.line;
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

	/** True if it plays; undefined if that was not changed here. */
	get playingChanged(): boolean {
		return this.playing !== this.#playedAtFirst;
	}

	/** The world of the copy when it differs from the base's, else null. */
	get changed(): World | null {
		const isSame = this.#own === this.#cloned && this.#own?.version === this.#version;
		return this.#own === null || isSame ? null : this.#own;
	}

	/** The world that was cloned or put here, if any was. */
	get own(): World | null {
		return this.#own;
	}
}
