/** Reader of a living entity, for conditions. */

import type { Component, Field, Fields, FieldValue } from '../../../../shared/contract/component.ts';
import { hasBit } from '../../core/bits.ts';
import { load } from '../../core/table.ts';
import { presence, read, type World } from '../../core/world.ts';
import type { EntityReader } from './condition.ts';

/**
 * Reader that serves many entities in turn: set `id`, then read. It caches the last column, so it is valid until the world
 * changes.
 */
export class LiveEntityReader implements EntityReader {
	readonly #world: World;
	id: number;
	get generation(): number {
		return this.#world.entities.generations.data[this.id]!;
	}

	#having: Component | undefined;
	#have: Uint32Array | undefined;
	#component: Component | undefined;
	#field: string | undefined;
	#present: Uint32Array | undefined;
	#declared: Field | undefined;
	#column: unknown;

	constructor(world: World, id = -1) {
		this.#world = world;
		this.id = id;
	}

	has(component: Component): boolean {
		if (component !== this.#having) {
			this.#having = component;
			this.#have = presence(this.#world, component);
		}
		return hasBit(this.#have!, this.id);
	}

	value<F extends Fields, K extends keyof F & string>(
		component: Component<F>,
		field: K,
	): FieldValue<F[K]> | undefined {
		if (component !== this.#component || field !== this.#field) {
			this.#component = component;
			this.#field = field;
			this.#present = presence(this.#world, component);
			this.#declared = component.fields[field]!;
			this.#column = read(this.#world, component, field);
		}
		if (!hasBit(this.#present!, this.id)) return undefined;
		return load(this.#declared!, this.#column as never, this.id) as FieldValue<F[K]>;
	}
}
