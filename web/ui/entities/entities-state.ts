/**
 * The entities of the selected world, and the selected ones of them.
 * Owns: when the list and the inspected entity are read again, and the edits made to entities.
 * Never: reads the list more than twice a second, nor while no panel shows it.
 */

import {
	batch,
	computed,
	effect,
	type ReadonlySignal,
	type Signal,
	signal,
	untracked,
} from '@preact/signals';
import type { Body } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import type { CallInput } from '../../../shared/transport/client.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import { type Entity, readEntities, readEntity } from './entity.ts';
import { shownSelection } from './shown-selection.ts';

const LIST_MS = 500;
const ONE_MS = 200;
/** The list rests at least this many times as long as reading it took. */
const REST_FACTOR = 8;

interface Picking {
	/** Name of the field. */
	readonly name: string;
	readonly done: (id: number) => void;
}

export interface Entities {
	readonly list: ReadonlySignal<readonly Entity[]>;
	/** False until the selected world was read once. */
	readonly known: ReadonlySignal<boolean>;
	/** The one selected last. */
	readonly selectedId: ReadonlySignal<number | null>;
	/** All that are selected, the last one last. */
	readonly selectedIds: ReadonlySignal<readonly number[]>;
	/** Those of them that the list has. */
	readonly chosen: ReadonlySignal<readonly Entity[]>;
	/** The entity selected last, as it was read last. */
	readonly inspected: ReadonlySignal<Entity | null>;
	readonly search: Signal<string>;
	/** Field that waits for an entity: the next one that is selected goes there instead. */
	readonly picking: ReadonlySignal<Picking | null>;
	/** Waits for an entity for a field; the same field again: no longer. */
	pick(name: string, done: (id: number) => void): void;
	/** Ends the waiting. False: nothing waited. */
	stopPicking(): boolean;
	select(id: number | null): void;
	selectAll(ids: readonly number[]): void;
	/** Selects an entity besides the others, or no longer. */
	toggle(id: number): void;
	/** The world was changed: reads it again soon. */
	refresh(): void;
	/** Reads the list at once. */
	readNow(): Promise<void>;
	/** Sends an edit of the inspected entity. Null when it was carried out. */
	change(entity: Entity, components: Readonly<Record<string, unknown>>): Promise<Refusal | null>;
	damage(entity: Entity, amount: number): Promise<Refusal | null>;
	heal(entity: Entity, amount: number): Promise<Refusal | null>;
	tag(
		entity: Entity,
		labels: { readonly add?: string[]; readonly remove?: string[] },
	): Promise<Refusal | null>;
	stop(): void;
}

export function createEntities(services: PanelServices, navigation: Navigation, worlds: Worlds): Entities {
	const list = signal<readonly Entity[]>([]);
	const listWorld = signal<string | null>(null);
	const selectedIds = signal<readonly number[]>([]);
	const selectedId = computed(() => selectedIds.value.at(-1) ?? null);
	const inspected = signal<Entity | null>(null);
	const search = signal('');
	/** Changes only when the state does: the status also comes for calls that read. */
	const stamp = computed(() => {
		const here = worlds.here.value;
		return here === null ? null : `${here.id} ${here.tick} ${here.digest}`;
	});
	const shown = computed(() => navigation.shown.value.selects === true && showsWorld(services.holding.value));

	/** True if the picture is on the page, also without any part of the list. */
	const pictured = computed(
		() => shown.value || (navigation.view.value === 'play' && showsWorld(services.holding.value)),
	);

	const readNow = async (): Promise<void> => {
		const world = worlds.selected.value;
		const outcome = await ask(services, 'POST', '/observe', { world, on: 'panels' });
		if (!outcome.ok || world !== worlds.selected.value) return;
		const entities = readEntities(outcome.body);
		if (entities === null) return;
		batch(() => {
			list.value = entities;
			listWorld.value = world;
			const alive = new Map(entities.map((entity) => [entity.id, entity]));
			const left = selectedIds.value.filter((id) => alive.has(id));
			if (left.length < selectedIds.value.length) selectAll(left);
			const id = selectedId.value;
			if (id !== null) inspected.value = alive.get(id)!;
		});
	};
	const readList = paced({ least: LIST_MS, factor: REST_FACTOR }, readNow);
	const readOne = paced({ least: ONE_MS }, async () => {
		const id = selectedId.value;
		const world = worlds.selected.value;
		if (id === null) return;
		const outcome = await ask(services, 'GET', '/entities/{id}', { params: { id }, world, on: 'panels' });
		if (id !== selectedId.value || world !== worlds.selected.value) return;
		if (!outcome.ok) selectAll(selectedIds.value.filter((one) => one !== id));
		else inspected.value = readEntity(outcome.body) ?? inspected.value;
	});

	const picking = signal<Picking | null>(null);
	const selectAll = (ids: readonly number[]): void => {
		const waiting = picking.peek();
		const picked = ids.at(-1);
		if (waiting !== null && picked !== undefined) {
			picking.value = null;
			waiting.done(picked);
			return;
		}
		batch(() => {
			selectedIds.value = ids;
			const id = selectedId.value;
			inspected.value = id === null ? null : (list.value.find((entity) => entity.id === id) ?? null);
		});
		if (ids.length > 0) readOne.ask();
	};
	const select = (id: number | null): void => selectAll(id === null ? [] : [id]);
	const toggle = (id: number): void => {
		const others = selectedIds.value.filter((one) => one !== id);
		selectAll(others.length < selectedIds.value.length ? others : [...others, id]);
	};
	const chosen = computed(() =>
		selectedIds.value.flatMap((id) => list.value.find((entity) => entity.id === id) ?? []),
	);

	const endings = [
		// Another world: what was shown is not of it.
		effect(() => {
			const world = worlds.selected.value;
			services.view.value?.setWorld(world);
			untracked(() => {
				if (listWorld.value === world) return;
				batch(() => {
					list.value = [];
					listWorld.value = null;
				});
				if (selectedIds.value.length > 0) select(null);
			});
		}),
		effect(() => {
			if (!shown.value || stamp.value === null) return;
			untracked(() => {
				readList.ask();
				readOne.ask();
			});
		}),
		effect(() =>
			services.view.value?.onSelected((found, adds) => {
				const ids = found.map(({ id }) => id);
				const [first] = ids;
				if (!adds) selectAll(ids);
				else if (ids.length === 1) toggle(first!);
				else selectAll([...selectedIds.value.filter((id) => !ids.includes(id)), ...ids]);
			}),
		),
		effect(() => {
			const known = inspected.value;
			services.view.value?.select(
				shownSelection(selectedIds.value, list.value, known === null ? [] : [known]),
			);
		}),
		effect(() => services.view.value?.setShown(pictured.value)),
		effect(() => {
			if (pictured.value) services.openPicture();
		}),
	];

	const done = async <P extends PathOf<'POST'>>(
		path: P,
		body: Body<RouteAt<'POST', P>>,
		params: CallInput<RouteAt<'POST', P>>['params'] = {},
	): Promise<Refusal | null> => {
		const world = worlds.selected.value;
		const outcome = await ask(services, 'POST', path, { params, world, body });
		readOne.ask();
		readList.ask();
		return outcome.ok ? null : outcome.refusal;
	};
	const owner = (entity: Entity) => (entity.agent_id === undefined ? {} : { agent_id: entity.agent_id });

	return {
		list,
		known: computed(() => listWorld.value === worlds.selected.value),
		selectedId,
		selectedIds,
		chosen,
		inspected,
		search,
		picking,
		pick(name, done) {
			picking.value = picking.peek()?.name === name ? null : { name, done };
		},
		stopPicking() {
			const waited = picking.peek() !== null;
			picking.value = null;
			return waited;
		},
		select,
		selectAll,
		toggle,
		refresh() {
			readOne.ask();
			readList.ask();
		},
		readNow,
		change: (entity, components) =>
			done(
				'/entities/{id}/components',
				{ generation: entity.generation, ...owner(entity), ...components },
				{ id: entity.id },
			),
		damage: (entity, amount) =>
			done('/entity/damage', { entity_id: entity.id, generation: entity.generation, amount }),
		heal: (entity, amount) =>
			done('/entity/heal', { entity_id: entity.id, generation: entity.generation, amount }),
		tag: (entity, labels) => done('/tag', { entity_id: entity.id, generation: entity.generation, ...labels }),
		stop() {
			for (const end of endings) end();
			readList.stop();
			readOne.stop();
		},
	};
}
