/**
 * Cache with a limit of bytes, in the order of the last use.
 * Owns: the total size. Beyond the limit, the least recently used values are dropped.
 * Never: affects the future of a world. A dropped value can be computed again exactly.
 */

export class BoundedCache<T> {
	/** Maximum number of bytes of all values together. */
	room: number;
	readonly #putAway: (thing: T) => void;
	readonly #weights = new Map<T, number>();
	#weight = 0;

	/** `putAway` releases the memory of a thing, which is already out of the cache. */
	constructor(room: number, putAway: (thing: T) => void) {
		this.room = room;
		this.#putAway = putAway;
	}

	/** Bytes that all things take together. */
	get weight(): number {
		return this.#weight;
	}

	/** Number of things in the cache. */
	get size(): number {
		return this.#weights.size;
	}

	/** Returns the number of bytes that a thing was said to take; 0 if it is not in the cache. */
	weightOf(thing: T): number {
		return this.#weights.get(thing) ?? 0;
	}

	/** Puts a thing in as the last used and makes room for it. It is never put away itself, whatever it weighs. */
	use(thing: T, weight: number): void {
		this.drop(thing);
		this.#weights.set(thing, weight);
		this.#weight += weight;
		for (const oldest of this.#weights.keys()) {
			if (this.#weight <= this.room || oldest === thing) break;
			this.drop(oldest);
			this.#putAway(oldest);
		}
	}

	/** Removes a thing, if it is in the cache. */
	drop(thing: T): void {
		this.#weight -= this.weightOf(thing);
		this.#weights.delete(thing);
	}
}
