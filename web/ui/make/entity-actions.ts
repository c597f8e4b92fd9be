/**
 * Actions of a person on entities in Make: spawning, copying, grouping and deleting them.
 * Owns: the copies for pasting, and the selection after an action.
 */

import { computed, signal } from '@preact/signals';
import type { EntitiesState } from '../entities/entities-state.ts';
import { type Entity, entityName, freeName, type Vector } from '../entities/entity.ts';
import { topmost } from '../entities/poses.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { EditSender } from './edit-sender.ts';
import {
	type CopiedEntity,
	changeOf,
	copiedOf,
	copyRequests,
	groupRequests,
	parentRequests,
	removeRequests,
	ungroupRequests,
} from './edits.ts';
import type { Item } from './library-items.ts';
import type { Rules } from './rules/rules-state.ts';

export interface EntityActionsServices {
	readonly services: PanelServices;
	readonly navigation: Navigation;
	readonly worlds: WorldsState;
	readonly entities: EntitiesState;
	readonly rules: Rules;
	readonly sender: EditSender;
	/** Returns the place of a thing at a point of the picture; with null, a place near the middle. */
	readonly placeFor: (item: Item, at: readonly [number, number] | null) => Promise<Vector>;
}

export class EntityActions {
	/** True if there is something to paste. */
	readonly hasCopy = computed(() => this.#copied.value.length > 0);
	readonly #context: EntityActionsServices;
	#puts: Promise<void> = Promise.resolve();
	/** True after the hint about dragging, and after a thing was dragged. */
	#knowsDragging = false;
	readonly #copied = signal<readonly CopiedEntity[]>([]);

	constructor(context: EntityActionsServices) {
		this.#context = context;
	}

	/** Changes components of several entities in one call. Resolves to the refusal, or to null. */
	change(
		changes: readonly (readonly [Entity, Readonly<Record<string, unknown>>])[],
	): Promise<Refusal | null> {
		return this.#context.sender.tryAll(changes.map(([entity, change]) => changeOf(entity, change)));
	}

	/** Places a thing at a point of the picture, or in free space, and selects it. Calls run one after the other. */
	put(item: Item, at: readonly [number, number] | null): Promise<void> {
		const next = () => this.#put(item, at);
		this.#puts = this.#puts.then(next, next);
		return this.#puts;
	}

	async #put(item: Item, at: readonly [number, number] | null): Promise<void> {
		const { services, navigation, entities, rules, sender, placeFor } = this.#context;
		// The call `/spawn` accepts a name, which must be free.
		const named = item.path === '/spawn' ? { name: freeName(item.name, this.#list) } : {};
		const body = { ...named, ...item.body(await placeFor(item, at)) };
		const answers = await sender.send('Spawn', [{ path: item.path, body }]);
		services.view.value?.cancel();
		const answer = answers?.[0] as { readonly id?: number; readonly entity_id?: number } | undefined;
		const id = answer?.id ?? answer?.entity_id;
		if (id !== undefined) entities.select(id);
		if (at !== null) this.#knowsDragging = true;
		if (id !== undefined && !this.#knowsDragging) {
			this.#knowsDragging = true;
			navigation.tell(
				`${item.name} stands near the middle of the picture.`,
				'To choose the place, drag it from the library into the picture.',
			);
		}
		rules.refresh();
		// The next free name depends on the current list.
		await entities.readNow();
	}

	/** Shows the future place of a thing; with null, hides it. */
	preview(item: Item, at: readonly [number, number] | null): void {
		if (at === null) this.#context.services.view.value?.cancel();
		else void this.#context.placeFor(item, at);
	}

	async duplicate(): Promise<void> {
		if (this.#chosen.length > 0) await this.#spawn('Duplicate', await this.#documents());
	}

	async copy(): Promise<void> {
		if (this.#chosen.length > 0) this.#copied.value = await this.#documents();
	}

	/** Copies the selected entities, and deletes them if there is a copy. */
	async cut(): Promise<void> {
		const entities = this.#chosen;
		if (entities.length === 0) return;
		const copied = await this.#documents();
		if (copied.length === 0) return;
		this.#copied.value = copied;
		await this.#delete('Cut', entities);
	}

	paste(): Promise<void> {
		return this.#spawn('Paste', this.#copied.value);
	}

	remove(): Promise<void> {
		return this.#delete('Delete', this.#chosen);
	}

	/** Deletes entities, unless one of them is locked. */
	async #delete(what: string, entities: readonly Entity[]): Promise<void> {
		const locked = entities.find((entity) => this.#context.entities.locks.has(entity));
		if (locked !== undefined) {
			const sentence = `${entityName(locked)} is locked.`;
			return this.#context.navigation.refuse(what, { sentence, fix: 'Unlock it in the inspector first.' });
		}
		const answers = await this.#context.sender.send(what, removeRequests(entities, this.#list));
		if (answers !== null) this.#context.entities.select(null);
	}

	/** Gives entities a parent, or none, and keeps their places. */
	async parent(children: readonly Entity[], parent: Entity | null): Promise<void> {
		const requests = parentRequests(children, parent, this.#list);
		if (requests.length > 0) await this.#context.sender.send(parent === null ? 'Ungroup' : 'Group', requests);
	}

	async group(): Promise<void> {
		const answers = await this.#context.sender.send('Group', groupRequests(this.#chosen, this.#list));
		if (answers !== null) this.#context.entities.select((answers[0] as { readonly id: number }).id);
	}

	async ungroup(): Promise<void> {
		const entities = this.#chosen;
		const children = this.#list.filter(({ parent }) => entities.some(({ id }) => id === parent?.id));
		const requests = ungroupRequests(topmost(entities, this.#list), this.#list);
		const answers = await this.#context.sender.send('Ungroup', requests);
		if (answers !== null) this.#context.entities.selectAll(children.map(({ id }) => id));
	}

	get #list(): readonly Entity[] {
		return this.#context.entities.list.value;
	}

	get #chosen(): readonly Entity[] {
		return this.#context.entities.chosen.value;
	}

	/** Returns the documents of the selected entities and their descendants. */
	async #documents(): Promise<readonly CopiedEntity[]> {
		const { services, navigation, worlds } = this.#context;
		const outcome = await ask(services, 'GET', '/scenario', {
			query: { exact: 'false', unset: 'false' },
			world: worlds.selected.value,
			on: 'panels',
		});
		if (!outcome.ok) {
			navigation.refuse('Copy', outcome.refusal);
			return [];
		}
		return copiedOf(this.#chosen, this.#list, outcome.body.entities as readonly CopiedEntity[]);
	}

	/** Spawns copies and selects them, without their descendants. */
	async #spawn(what: string, copies: readonly CopiedEntity[]): Promise<void> {
		const tops = new Set(copies.map(({ id }) => id));
		const answers = await this.#context.sender.send(what, copyRequests(copies, this.#list));
		if (answers === null) return;
		const ids = answers.flatMap((answer, index) => {
			const { parent } = copies[index]!;
			return parent !== undefined && tops.has(parent) ? [] : [(answer as { readonly id: number }).id];
		});
		this.#context.entities.selectAll(ids);
	}
}
