/**
 * Locked entities: clicks and tools in the picture pass them by, and Delete leaves them.
 * Owns: the set, for as long as the page is open. It is no part of a world: calls change locked entities as any other.
 */

import { signal } from '@preact/signals';
import type { EntityRef } from '../../render/messages.ts';
import type { WorldInfo } from '../worlds/fork-list.ts';

type LockedIn = Pick<WorldInfo, 'id' | 'name'> | null;

/** Main may become another world, which has entities of the same ids: its name tells them apart. */
const keyOf = (world: LockedIn, { id, generation }: EntityRef): string =>
	JSON.stringify([world?.id, world?.name, id, generation]);

export class Locks {
	readonly #keys = signal<ReadonlySet<string>>(new Set());
	readonly #world: () => LockedIn;

	/** `world`: the selected one. */
	constructor(world: () => LockedIn) {
		this.#world = world;
	}

	has(entity: EntityRef): boolean {
		return this.#keys.value.has(keyOf(this.#world(), entity));
	}

	/** Locks entities, or unlocks them. */
	set(entities: readonly EntityRef[], isLocked: boolean): void {
		const next = new Set(this.#keys.value);
		for (const entity of entities) {
			const key = keyOf(this.#world(), entity);
			if (isLocked) next.add(key);
			else next.delete(key);
		}
		this.#keys.value = next;
	}
}
