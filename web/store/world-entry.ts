/**
 * A world of a host with its id, origin and snapshots.
 * Owns: the fields of an entry, and entries of a copy, which clone their worlds on demand.
 */

import { clone } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import type { Snapshot } from '../sim/snapshots/snapshot.ts';

export const MAIN = 'main';

/** Origin of a cloned world: its parent, and the tick at which it was cloned. */
export interface Origin {
	readonly parent: string;
	readonly tick: number;
	/** Number of the parent's line; missing in older states. */
	readonly line?: number;
	/** True if the parent was deleted. A present world with its id is another world. */
	readonly gone?: true;
}

/** An unbroken sequence of ticks of an entry. A new line begins when its world is replaced. */
export interface Line {
	/** Increases with every line of any world of the host. */
	readonly number: number;
	/** Ticks completed when it began. */
	readonly tick: number;
}

/** Failure of a tick while a world played. The world is unchanged. */
export interface Halt {
	readonly tick: number;
	readonly message: string;
	readonly fix: string;
}

/** A world with its id, origin and snapshots. */
export interface WorldEntry {
	readonly id: string;
	/** Entry of which this is a copy, for a call that applies whole or not at all. */
	readonly base?: WorldEntry;
	world: World;
	line: Line;
	playing: boolean;
	/** Speed of play; 1 is real time. */
	speed: number;
	/** Reason why it last stopped playing by itself; removed when it plays again or is replaced. `currentHalt` returns it only while it is valid. */
	halted?: Halt | undefined;
	/** Origin of the world; null for main. */
	origin: Origin | null;
	/** Number of the agent that made the fork or owns main; undefined for the operators. */
	readonly maker?: number | undefined;
	/** Snapshots, oldest first. A fork shares those of its parent. The array is replaced, never changed in place. */
	snapshots: readonly Snapshot[];
}

/** Returns the reason why a world has stopped playing by itself; undefined once it has passed that tick. */
export function currentHalt({ halted, world }: WorldEntry): Halt | undefined {
	return halted?.tick === world.tick ? halted : undefined;
}

/** Returns the entry of a paused world, with a new line. */
export function createEntry(
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
	readonly #wasPlaying: boolean;
	#own: World | null = null;
	#cloned: World | null = null;
	#version = 0;

	constructor(base: WorldEntry) {
		this.id = base.id;
		this.base = base;
		this.line = base.line;
		this.playing = base.playing;
		this.#wasPlaying = base.playing;
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

	/** True if `playing` was changed in the copy. */
	get hasNewPlaying(): boolean {
		return this.playing !== this.#wasPlaying;
	}

	/** World of the copy if it differs from the base's; null otherwise. */
	get changedWorld(): World | null {
		const isSame = this.#own === this.#cloned && this.#own?.version === this.#version;
		return this.#own === null || isSame ? null : this.#own;
	}

	/** World that was cloned or set in the copy; null if there is none. */
	get ownWorld(): World | null {
		return this.#own;
	}
}
