/**
 * The entities of the selected world, and the selected one of them.
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
import { PICTURE_VIEWS } from '../chrome/keys.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import { type Entity, readEntities, readEntity } from './entity.ts';

const LIST_MS = 500;
const ONE_MS = 200;
/** The list rests at least this many times as long as reading it took. */
const REST_FACTOR = 8;

export interface Entities {
	readonly list: ReadonlySignal<readonly Entity[]>;
	/** False until the selected world was read once. */
	readonly known: ReadonlySignal<boolean>;
	readonly selectedId: ReadonlySignal<number | null>;
	/** The selected entity as it was read last. */
	readonly inspected: ReadonlySignal<Entity | null>;
	readonly search: Signal<string>;
	select(id: number | null): void;
	/** Sends an edit of the inspected entity. Null when it was carried out. */
	change(entity: Entity, components: Readonly<Record<string, unknown>>): Promise<Refusal | null>;
	damage(entity: Entity, amount: number): Promise<Refusal | null>;
	heal(entity: Entity, amount: number): Promise<Refusal | null>;
	tag(
		entity: Entity,
		labels: { readonly add?: string[]; readonly remove?: string[] },
	): Promise<Refusal | null>;
	/** Spawns and selects. */
	spawn(document: Readonly<Record<string, unknown>>): Promise<void>;
	despawn(entity: Entity): Promise<void>;
	stop(): void;
}

export function createEntities(services: PanelServices, navigation: Navigation, worlds: Worlds): Entities {
	const list = signal<readonly Entity[]>([]);
	const listWorld = signal<string | null>(null);
	const selectedId = signal<number | null>(null);
	const inspected = signal<Entity | null>(null);
	const search = signal('');
	/** Changes only when the state does: the status also comes for calls that read. */
	const stamp = computed(() => {
		const here = worlds.here.value;
		return here === null ? null : `${here.id} ${here.tick} ${here.digest}`;
	});
	const shown = computed(
		() => PICTURE_VIEWS.includes(navigation.view.value) && showsWorld(services.holding.value),
	);

	/** Whether the picture is on the page: also where nothing of the list is. */
	const pictured = computed(
		() => shown.value || (navigation.view.value === 'play' && showsWorld(services.holding.value)),
	);

	const readList = paced({ least: LIST_MS, factor: REST_FACTOR }, async () => {
		const world = worlds.selected.value;
		const outcome = await ask(services, 'POST', '/observe', { world, on: 'panels' });
		if (!outcome.ok || world !== worlds.selected.value) return;
		const entities = readEntities(outcome.body);
		if (entities === null) return;
		batch(() => {
			list.value = entities;
			listWorld.value = world;
			const id = selectedId.value;
			if (id !== null) {
				const now = entities.find((entity) => entity.id === id);
				if (now === undefined) select(null);
				else inspected.value = now;
			}
		});
	});
	const readOne = paced({ least: ONE_MS }, async () => {
		const id = selectedId.value;
		const world = worlds.selected.value;
		if (id === null) return;
		const outcome = await ask(services, 'GET', '/entities/{id}', { params: { id }, world, on: 'panels' });
		if (id !== selectedId.value || world !== worlds.selected.value) return;
		if (!outcome.ok) select(null);
		else inspected.value = readEntity(outcome.body) ?? inspected.value;
	});

	const select = (id: number | null): void => {
		batch(() => {
			selectedId.value = id;
			inspected.value = id === null ? null : (list.value.find((entity) => entity.id === id) ?? null);
		});
		services.view.value?.select(id);
		if (id !== null) readOne.ask();
	};

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
				if (selectedId.value !== null) select(null);
			});
		}),
		effect(() => {
			if (!shown.value || stamp.value === null) return;
			untracked(() => {
				readList.ask();
				readOne.ask();
			});
		}),
		effect(() => services.view.value?.onSelected((id) => select(id))),
		effect(() => services.view.value?.setShown(pictured.value)),
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
		inspected,
		search,
		select,
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
		async spawn(document) {
			const outcome = await ask(services, 'POST', '/spawn', { world: worlds.selected.value, body: document });
			if (!outcome.ok) return navigation.refuse('Spawn', outcome.refusal);
			readList.ask();
			select(outcome.body.id);
		},
		async despawn(entity) {
			const refusal = await done('/despawn', {
				entity_id: entity.id,
				entity_generation: entity.generation,
				...owner(entity),
			});
			if (refusal !== null) navigation.refuse('Despawn', refusal);
			else if (selectedId.value === entity.id) select(null);
		},
		stop() {
			for (const end of endings) end();
			readList.stop();
			readOne.stop();
		},
	};
}
