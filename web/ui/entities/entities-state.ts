/**
 * The entities of the selected world, and the selection.
 * Owns: the selection, and when the list and the inspected entity are read again. Never: reads the list more than twice
 * a second, or while no panel shows it.
 */

import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { EntityRef } from '../../render/messages.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { type Entity, readEntities, readEntity } from './entity.ts';
import { EntityEdits } from './entity-edits.ts';
import { Locks } from './locks.ts';
import { shownSelection } from './shown-selection.ts';

const LIST_MS = 500;
const INSPECTED_MS = 200;
/** The list rests for at least this multiple of the time that reading it took. */
const REST_FACTOR = 8;

interface Picking {
	/** Name of the field. */
	readonly name: string;
	readonly done: (id: number) => void;
}

export class EntitiesState {
	readonly edits: EntityEdits;
	readonly locks: Locks;
	readonly list = signal<readonly Entity[]>([]);
	/** False until the list of the selected world is read. */
	readonly known = computed(() => this.#listWorld.value === this.#worlds.selected.value);
	/** Ids of the selected entities, in the order of their selection. */
	readonly selectedIds = signal<readonly number[]>([]);
	/** Id of the entity that was selected last. */
	readonly selectedId = computed(() => this.selectedIds.value.at(-1) ?? null);
	/** Selected entities that the list has. */
	readonly chosen = computed(() =>
		this.selectedIds.value.flatMap((id) => this.list.value.find((entity) => entity.id === id) ?? []),
	);
	/** Entity that was selected last, as read most recently. */
	readonly inspected = signal<Entity | null>(null);
	readonly search = signal('');
	/** Field that waits for an entity. The next selected entity goes to the field instead. */
	readonly picking = signal<Picking | null>(null);
	readonly #services: PanelServices;
	readonly #worlds: WorldsState;
	/** True if a panel shows the list. */
	readonly #isShown: ReadonlySignal<boolean>;
	/** World of the list; null until it is read. */
	readonly #listWorld = signal<string | null>(null);
	readonly #readList = paced({ minRest: LIST_MS, factor: REST_FACTOR }, () => this.readNow());
	readonly #readOne = paced({ minRest: INSPECTED_MS }, () => this.#readInspected());
	readonly #endings: readonly (() => void)[];

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#worlds = worlds;
		this.locks = new Locks(() => worlds.selectedInfo.value);
		this.edits = new EntityEdits(services, worlds, () => this.refresh());
		this.#isShown = computed(
			() => navigation.shown.value.selects === true && showsWorld(services.holding.value),
		);
		/** True if the picture is on the page, even if no panel shows the list. */
		const isPictured = computed(
			() => this.#isShown.value || (navigation.view.value === 'play' && showsWorld(services.holding.value)),
		);
		this.#endings = [
			effect(() => this.#showWorld()),
			this.#readWhile(this.#isShown),
			...this.#directView(isPictured),
		];
	}

	/** Starts waiting for an entity for a field. A second call for the same field stops waiting. */
	pick(name: string, done: (id: number) => void): void {
		this.picking.value = this.picking.peek()?.name === name ? null : { name, done };
	}

	/** Stops waiting for an entity. Returns false if no field waited. */
	stopPicking(): boolean {
		const wasPicking = this.picking.peek() !== null;
		this.picking.value = null;
		return wasPicking;
	}

	select(id: number | null): void {
		this.selectAll(id === null ? [] : [id]);
	}

	selectAll(ids: readonly number[]): void {
		const waiting = this.picking.peek();
		const picked = ids.at(-1);
		if (waiting !== null && picked !== undefined) {
			this.picking.value = null;
			waiting.done(picked);
			return;
		}
		batch(() => {
			this.selectedIds.value = ids;
			const id = this.selectedId.value;
			this.inspected.value = this.list.value.find((entity) => entity.id === id) ?? null;
		});
		if (ids.length > 0) this.#readOne.ask();
	}

	/** Adds an entity to the selection, or removes it. */
	toggle(id: number): void {
		const others = this.selectedIds.value.filter((candidate) => candidate !== id);
		this.selectAll(others.length < this.selectedIds.value.length ? others : [...others, id]);
	}

	/** Reads list and inspected entity again soon, because the world was changed. */
	refresh(): void {
		this.#readOne.ask();
		this.#readList.ask();
	}

	/**
	 * Undoes or redoes the last call of this person. The list is read right after it: a person waits for the list, and the
	 * rest between two reads can be long.
	 */
	async undo(redo: boolean): Promise<void> {
		await this.#worlds.undo(redo);
		if (this.#isShown.value) await this.readNow();
	}

	/** Reads the list immediately. */
	async readNow(): Promise<void> {
		const world = this.#worlds.selected.value;
		const outcome = await ask(this.#services, 'POST', '/observe', { world, on: 'panels' });
		if (!outcome.ok || world !== this.#worlds.selected.value) return;
		const entities = readEntities(outcome.body);
		if (entities === null) return;
		batch(() => {
			this.list.value = entities;
			this.#listWorld.value = world;
			const alive = new Map(entities.map((entity) => [entity.id, entity]));
			const remaining = this.selectedIds.value.filter((id) => alive.has(id));
			if (remaining.length < this.selectedIds.value.length) this.selectAll(remaining);
			const id = this.selectedId.value;
			if (id !== null) this.inspected.value = alive.get(id)!;
		});
	}

	stop(): void {
		for (const end of this.#endings) end();
		this.#readList.stop();
		this.#readOne.stop();
	}

	async #readInspected(): Promise<void> {
		const id = this.selectedId.value;
		const world = this.#worlds.selected.value;
		if (id === null) return;
		const outcome = await ask(this.#services, 'GET', '/entities/{id}', {
			params: { id },
			world,
			on: 'panels',
		});
		if (id !== this.selectedId.value || world !== this.#worlds.selected.value) return;
		if (outcome.ok) this.inspected.value = readEntity(outcome.body) ?? this.inspected.value;
		else this.selectAll(this.selectedIds.value.filter((candidate) => candidate !== id));
	}

	/** Clears list and selection when another world is selected. */
	#showWorld(): void {
		const world = this.#worlds.selected.value;
		this.#services.view.value?.setWorld(world);
		untracked(() => {
			if (this.#listWorld.value === world) return;
			batch(() => {
				this.list.value = [];
				this.#listWorld.value = null;
			});
			if (this.selectedIds.value.length > 0) this.select(null);
		});
	}

	/** Reads again after each change of the world, while a panel shows it. */
	#readWhile(shown: ReadonlySignal<boolean>): () => void {
		/** Changes only with the state of the world. The status is also renewed after calls that only read. */
		const stamp = computed(() => {
			const selectedWorld = this.#worlds.selectedInfo.value;
			return selectedWorld === null
				? null
				: `${selectedWorld.id} ${selectedWorld.tick} ${selectedWorld.digest}`;
		});
		return effect(() => {
			if (shown.value && stamp.value !== null) untracked(() => this.refresh());
		});
	}

	/** Shows the selection in the picture, and handles clicks there. */
	#directView(isPictured: ReadonlySignal<boolean>): readonly (() => void)[] {
		const { view, openPicture } = this.#services;
		return [
			effect(() => view.value?.onSelected((clicked, adds) => this.#takeClick(clicked, adds))),
			effect(() => {
				const known = this.inspected.value;
				view.value?.select(
					shownSelection(this.selectedIds.value, this.list.value, known === null ? [] : [known]),
				);
			}),
			effect(() => view.value?.setShown(isPictured.value)),
			effect(() => {
				if (isPictured.value) openPicture();
			}),
		];
	}

	#takeClick(found: readonly EntityRef[], adds: boolean): void {
		const ids = found.filter((entity) => !this.locks.has(entity)).map(({ id }) => id);
		const [first] = ids;
		if (!adds) this.selectAll(ids);
		else if (ids.length === 1) this.toggle(first!);
		else this.selectAll([...this.selectedIds.value.filter((id) => !ids.includes(id)), ...ids]);
	}
}
