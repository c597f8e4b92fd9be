/**
 * A value for each world, made of sources such as its digest.
 * Owns: that none is made twice of the same sources, and that those of worlds that are gone are dropped.
 */

import { type ReadonlySignal, signal } from '@preact/signals';

export class MadeValues<V> {
	readonly #values = signal<ReadonlyMap<string, V>>(new Map());
	/** Sources of each value that was asked for. */
	readonly #sources = new Map<string, string>();

	/** The values by world. */
	get values(): ReadonlySignal<ReadonlyMap<string, V>> {
		return this.#values;
	}

	/** Notes the sources of a world's next value. Returns false if its value is made of them. */
	isNew(world: string, sources: string): boolean {
		if (this.#sources.get(world) === sources) return false;
		this.#sources.set(world, sources);
		return true;
	}

	set(world: string, value: V): void {
		this.#values.value = new Map([...this.#values.value, [world, value]]);
	}

	/** The next value of a world is made whatever its sources are. */
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
