/**
 * The worlds of a host: main and its forks.
 * Owns: which worlds exist, who was cloned from whom, and which of them play.
 */

import { Fault, unknownFork } from '../../shared/contract/errors.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';

export const MAIN = 'main';
const MAX_FORKS = 1000;

/** A world with its place among the others. */
export interface Held {
	readonly id: string;
	world: World;
	playing: boolean;
	/** What it was cloned from and when; null for main. */
	readonly origin: { readonly parent: string; readonly tick: number } | null;
}

export class Worlds {
	readonly #held = new Map<string, Held>();

	constructor(main: World) {
		this.#held.set(MAIN, { id: MAIN, world: main, playing: false, origin: null });
	}

	get main(): Held {
		return this.#held.get(MAIN)!;
	}

	/** Ids of the forks, sorted. */
	forkIds(): string[] {
		return [...this.#held.keys()].filter((id) => id !== MAIN).sort();
	}

	all(): Held[] {
		return [...this.#held.values()];
	}

	find(id: string): Held | undefined {
		return this.#held.get(id);
	}

	/** A fork by its id. Throws `unknown_fork`. */
	fork(id: string): Held {
		const held = id === MAIN ? undefined : this.#held.get(id);
		if (held === undefined) throw unknownFork(id, this.forkIds());
		return held;
	}

	/** Clones a world under a new id. Throws `fork_exists` or `too_many_forks`. */
	createFork(id: string, from: Held, seed?: number): Held {
		if (this.#held.has(id)) throw new Fault('fork_exists', `There is already a fork "${id}".`);
		if (this.#held.size > MAX_FORKS)
			throw new Fault('too_many_forks', `There are ${MAX_FORKS} forks, which is the most.`);
		const world = clone(from.world);
		if (seed !== undefined) {
			world.seed = seed;
			world.version++;
		}
		const held: Held = { id, world, playing: false, origin: { parent: from.id, tick: from.world.tick } };
		this.#held.set(id, held);
		return held;
	}

	/** Drops a fork. Throws `unknown_fork`. */
	deleteFork(id: string): void {
		dispose(this.fork(id).world);
		this.#held.delete(id);
	}

	/**
	 * Makes a change on a clone and keeps it only when `change` returns: all of it happens, or nothing.
	 */
	atomically<T>(held: Held, change: (world: World) => T): T {
		const copy = clone(held.world);
		try {
			const result = change(copy);
			dispose(held.world);
			held.world = copy;
			return result;
		} catch (error) {
			dispose(copy);
			throw error;
		}
	}
}
