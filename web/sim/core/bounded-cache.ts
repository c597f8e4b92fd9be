/**
 * Cache with a limit of bytes.
 * Owns: the total size. Beyond the limit, it evicts the least recently used items.
 * Never: affects the future of a world. An evicted item can be computed again exactly.
 */

export class BoundedCache<T> {
	/** Maximum number of bytes of all items together. */
	maxBytes: number;
	readonly #onEvict: (item: T) => void;
	readonly #bytesByItem = new Map<T, number>();
	#bytes = 0;

	/** `onEvict` releases the memory of an item that the cache has just removed. */
	constructor(maxBytes: number, onEvict: (item: T) => void) {
		this.maxBytes = maxBytes;
		this.#onEvict = onEvict;
	}

	/** Number of bytes of all items together. */
	get weight(): number {
		return this.#bytes;
	}

	/** Number of items in the cache. */
	get size(): number {
		return this.#bytesByItem.size;
	}

	/** Returns the number of bytes of an item, as passed to `use`; 0 if it is not in the cache. */
	weightOf(item: T): number {
		return this.#bytesByItem.get(item) ?? 0;
	}

	/** Adds an item as the most recently used, and evicts others to make room. The item itself is never evicted here. */
	use(item: T, weight: number): void {
		this.drop(item);
		this.#bytesByItem.set(item, weight);
		this.#bytes += weight;
		for (const oldest of this.#bytesByItem.keys()) {
			if (this.#bytes <= this.maxBytes || oldest === item) break;
			this.drop(oldest);
			this.#onEvict(oldest);
		}
	}

	/** Removes an item, if it is in the cache. */
	drop(item: T): void {
		this.#bytes -= this.weightOf(item);
		this.#bytesByItem.delete(item);
	}
}
