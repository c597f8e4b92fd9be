/**
 * Things that cost room, in the order of their last use.
 * Owns: their total size. Beyond the limit, the least recently used are dropped. When it is more than there is, those
 * not used for longest are put away.
 * Never: decides what the future of a world is; what is put away can be obtained again exactly.
 */

export class Shelf<T> {
	/** Maximum number of bytes that things may take together before the oldest are put away. */
	room: number;
	readonly #putAway: (thing: T) => void;
	readonly #weights = new Map<T, number>();
	#weight = 0;

	/** `putAway` gives back what a thing takes; the thing is off the shelf at that time. */
	constructor(room: number, putAway: (thing: T) => void) {
		this.room = room;
		this.#putAway = putAway;
	}

	/** Bytes that all things take together. */
	get weight(): number {
		return this.#weight;
	}

	/** Number of things on the shelf. */
	get size(): number {
		return this.#weights.size;
	}

	/** Returns the bytes that a thing was said to take; 0 when it does not stand here. */
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

	/** Takes a thing off, when it stands here. */
	drop(thing: T): void {
		this.#weight -= this.weightOf(thing);
		this.#weights.delete(thing);
	}
}
