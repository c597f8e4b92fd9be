/**
 * A computed value for each world, with the sources of the computation, such as the digest.
 * Owns: detecting changed sources, and dropping the values of deleted worlds.
 */

import { type ReadonlySignal, signal } from '@preact/signals';

export class MadeValues<V> {
	readonly #values = signal<ReadonlyMap<string, V>>(new Map());
	/** Sources of each requested value. */
	readonly #sources = new Map<string, string>();

	/** The values by world. */
	get values(): ReadonlySignal<ReadonlyMap<string, V>> {
		return this.#values;
	}

	/** Stores the sources of a world's next value. Returns false if they have not changed. */
	isNew(world: string, sources: string): boolean {
		if (this.#sources.get(world) === sources) return false;
		this.#sources.set(world, sources);
		return true;
	}

	set(world: string, value: V): void {
		this.#values.value = new Map([...this.#values.value, [world, value]]);
	}

	/** Forgets the sources of a world, so that its next value is computed in any case. */
	again(world: string): void {
		this.#sources.delete(world);
	}

	/** Drops the values of all other worlds. */
	keepOnly(worlds: ReadonlySet<string>): void {
		for (const world of this.#sources.keys()) if (!worlds.has(world)) this.#sources.delete(world);
		const remaining = [...this.#values.peek()].filter(([world]) => worlds.has(world));
		if (remaining.length < this.#values.peek().size) this.#values.value = new Map(remaining);
	}
}
