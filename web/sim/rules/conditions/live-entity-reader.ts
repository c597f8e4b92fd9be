/** Reader of a living entity, for conditions. */

import type { Component, Field, Fields, FieldValue } from '../../../../shared/contract/component.ts';
import { hasBit } from '../../core/bits.ts';
import { load } from '../../core/table.ts';
import { presence, read, type World } from '../../core/world.ts';
import type { EntityReader } from './condition.ts';

/**
 * Reader for many entities in turn: set `id`, then read. It caches the last column, so it is invalid after the world
 * changes.
 */
export class LiveEntityReader implements EntityReader {
	readonly #world: World;
	id: number;
	get generation(): number {
		return this.#world.entities.generations.data[this.id]!;
	}

	/** Component of the last call of `has`, and the entities that have it. */
	#testedComponent: Component | undefined;
	#testedBits: Uint32Array | undefined;
	/** Field of the last call of `value`, and its data. */
	#component: Component | undefined;
	#fieldName: string | undefined;
	#presenceBits: Uint32Array | undefined;
	#field: Field | undefined;
	#column: unknown;

	constructor(world: World, id = -1) {
		this.#world = world;
		this.id = id;
	}

	has(component: Component): boolean {
		if (component !== this.#testedComponent) {
			this.#testedComponent = component;
			this.#testedBits = presence(this.#world, component);
		}
		return hasBit(this.#testedBits!, this.id);
	}

	value<F extends Fields, K extends keyof F & string>(
		component: Component<F>,
		field: K,
	): FieldValue<F[K]> | undefined {
		if (component !== this.#component || field !== this.#fieldName) {
			this.#component = component;
			this.#fieldName = field;
			this.#presenceBits = presence(this.#world, component);
			this.#field = component.fields[field]!;
			this.#column = read(this.#world, component, field);
		}
		if (!hasBit(this.#presenceBits!, this.id)) return undefined;
		return load(this.#field!, this.#column as never, this.id) as FieldValue<F[K]>;
	}
}
