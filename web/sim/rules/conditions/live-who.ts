/** An entity that lives, as conditions look at it. */

import type { Component, Fields, FieldValue } from '../../../../shared/contract/component.ts';
import { load } from '../../core/table.ts';
import { has, read, type World } from '../../core/world.ts';
import type { Who } from './condition.ts';

/** One to look at many: set `id` and ask again. */
export class LiveWho implements Who {
	readonly #world: World;
	id: number;

	constructor(world: World, id = -1) {
		this.#world = world;
		this.id = id;
	}

	has(component: Component): boolean {
		return has(this.#world, this.id, component);
	}

	value<F extends Fields, K extends keyof F & string>(
		component: Component<F>,
		field: K,
	): FieldValue<F[K]> | undefined {
		if (!has(this.#world, this.id, component)) return undefined;
		const column = read(this.#world, component, field);
		return load(component.fields[field]!, column as never, this.id) as FieldValue<F[K]>;
	}
}
