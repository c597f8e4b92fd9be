/**
 * The tools of the view Make: which one is chosen, how it steps, and what is done to the selected entities.
 * Owns: the settings that the view is told, the copies that can be pasted, and one call for each edit.
 */

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { PoseEdit, Sign, ToolName, Zone } from '../../render/messages.ts';
import type { Entities } from '../entities/entities-state.ts';
import { type Entity, freeName, type Vector } from '../entities/entity.ts';
import { topmost } from '../entities/poses.ts';
import { signsOf } from '../entities/shown-selection.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask, askRaw, inWorld, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import { brushRequests } from './brush.ts';
import {
	type CopiedEntity,
	changeOf,
	copiedOf,
	copyRequests,
	groupRequests,
	parentRequests,
	poseRequests,
	type Request,
	removeRequests,
	ungroupRequests,
} from './edits.ts';
import type { Item } from './library-items.ts';
import type { Rules } from './rules/rules-state.ts';
import { ruleWithZone, ruleZones, zoneRequests, zonesOf } from './zones.ts';

/** Steps of the tools: metres, degrees, parts of a size. */
export type Steps = Readonly<Record<'move' | 'turn' | 'scale', number>>;

/** Effect of the brush on the ground, or the plants that it sets. */
export interface Brush {
	/** An op of POST /terrain/edit, or `plants`. */
	readonly op: string;
	/** Metres. */
	readonly radius: number;
	/** Metres, or a share, as the op takes it; plants per square metre. */
	readonly amount: number;
	readonly layer: string;
	readonly plant: string;
}

export interface Tools {
	readonly tool: ReadonlySignal<ToolName>;
	readonly space: Signal<'world' | 'local'>;
	/** True if the tools use steps. */
	readonly isStepped: Signal<boolean>;
	readonly steps: Signal<Steps>;
	readonly brush: Signal<Brush>;
	/** Distance of the drag in words; null without one. */
	readonly dragging: ReadonlySignal<string | null>;
	/** True if there is something to paste. */
	readonly hasCopy: ReadonlySignal<boolean>;
	choose(tool: ToolName): void;
	/** Ends a drag, else goes back to selecting. False: there was nothing to leave. */
	back(): boolean;
	/** Changes components of several entities in one call. Null when it was carried out. */
	change(changes: readonly (readonly [Entity, Readonly<Record<string, unknown>>])[]): Promise<Refusal | null>;
	/** Puts a thing down at a point of the picture, or where there is room, and selects it. */
	put(item: Item, at: readonly [number, number] | null): Promise<void>;
	/** Shows where a thing would come to rest; null: nowhere. */
	preview(item: Item, at: readonly [number, number] | null): void;
	duplicate(): Promise<void>;
	copy(): Promise<void>;
	paste(): Promise<void>;
	remove(): Promise<void>;
	/** Puts entities under a parent, where they are; null: under none. */
	parent(children: readonly Entity[], parent: Entity | null): Promise<void>;
	group(): Promise<void>;
	ungroup(): Promise<void>;
	stop(): void;
}

export function createTools(
	services: PanelServices,
	navigation: Navigation,
	worlds: Worlds,
	entities: Entities,
	rules: Rules,
	canvas: HTMLCanvasElement,
): Tools {
	const tool = signal<ToolName>('select');
	const space = signal<'world' | 'local'>('world');
	const isStepped = signal(true);
	const steps = signal<Steps>({ move: 0.5, turn: 15, scale: 0.1 });
	const brush = signal<Brush>({ op: 'raise', radius: 3, amount: 0.5, layer: 'sand', plant: 'grass' });
	const dragging = signal<string | null>(null);
	const copied = signal<readonly CopiedEntity[]>([]);

	/** Sends one call: a request by itself, or several as a batch. Its answers, or null when it was refused. */
	const send = async (what: string, requests: readonly Request[]): Promise<readonly unknown[] | null> => {
		const [only] = requests;
		if (only === undefined) return null;
		const single = requests.length === 1;
		const path = inWorld(single ? only.path : '/batch', worlds.selected.value);
		const method = single ? (only.method ?? 'POST') : 'POST';
		const outcome = await askRaw(services, method, path, single ? only.body : { requests, atomic: true });
		entities.refresh();
		if (!outcome.ok) {
			navigation.refuse(what, outcome.refusal);
			return null;
		}
		if (single) return [outcome.body];
		return (outcome.body.results as readonly { readonly body: unknown }[]).map(({ body }) => body);
	};

	const edit = async (kind: 'move' | 'turn' | 'scale', edits: readonly PoseEdit[]): Promise<void> => {
		const what = { move: 'Move', turn: 'Turn', scale: 'Scale' }[kind];
		// What the list does not have yet was spawned a moment ago.
		if (edits.some(({ id }) => !entities.list.value.some((entity) => entity.id === id)))
			await entities.readNow();
		await send(what, poseRequests(edits, entities.list.value));
		services.view.value?.settle();
	};

	/** The documents of the selected entities and of everything below them. */
	const documents = async (): Promise<readonly CopiedEntity[]> => {
		const world = worlds.selected.value;
		const outcome = await ask(services, 'GET', '/scenario', {
			query: { exact: 'false', unset: 'false' },
			world,
			on: 'panels',
		});
		if (!outcome.ok) {
			navigation.refuse('Copy', outcome.refusal);
			return [];
		}
		const all = outcome.body.entities as readonly CopiedEntity[];
		return copiedOf(entities.chosen.value, entities.list.value, all);
	};

	const spawn = async (what: string, copies: readonly CopiedEntity[]): Promise<void> => {
		const alive = new Set(entities.list.value.map(({ id }) => id));
		const tops = new Set(copies.map(({ id }) => id));
		const answers = await send(what, copyRequests(copies, alive));
		if (answers === null) return;
		// What is below a copy is not selected by itself.
		const ids = answers.flatMap((answer, index) => {
			const { parent } = copies[index]!;
			return parent !== undefined && tops.has(parent) ? [] : [(answer as { readonly id: number }).id];
		});
		entities.selectAll(ids);
	};

	/** Resting place of a thing at a point of the picture, or near its middle; without a picture, on a free place. */
	const placeFor = async ({ room }: Item, at: readonly [number, number] | null): Promise<Vector> => {
		const view = services.view.value;
		const { clientWidth, clientHeight } = canvas;
		const [x, y] = at ?? [clientWidth / 2, clientHeight / 2];
		const step = isStepped.value ? steps.value.move : null;
		const place = view === null || clientWidth === 0 ? null : await view.land(x, y, room, step);
		return place ?? [0, -room.least[1], 0];
	};

	/** A name that no entity has, where the call takes one. */
	const named = ({ path, name }: Item) =>
		path === '/spawn' ? { name: freeName(name, entities.list.value) } : {};

	const settings = computed(() => {
		const isHere = navigation.view.value === 'make' && showsWorld(services.holding.value);
		if (!isHere) return null;
		const chosen = tool.value;
		const isSteppable = chosen !== 'select' && chosen !== 'brush';
		const step = isSteppable && isStepped.value ? steps.value[chosen] : null;
		return { tool: chosen, space: space.value, step, radius: brush.value.radius };
	});

	/** A list that stays the same one until it is another: it is read more often than it changes, and the view draws for each. */
	const steady = <T>(read: () => readonly T[]): ReadonlySignal<readonly T[]> => {
		let before: readonly T[] = [];
		return computed(() => {
			const now = settings.value === null ? [] : read();
			if (JSON.stringify(now) !== JSON.stringify(before)) before = now;
			return before;
		});
	};
	const signs = steady((): readonly Sign[] => [
		...signsOf(entities.list.value),
		...ruleZones(rules.list.value, entities.list.value).map(({ zone, rule: { id, generation } }) => ({
			id,
			generation,
			kind: 'rule' as const,
			place: zone.place,
		})),
	]);
	const zones = steady((): readonly Zone[] =>
		zonesOf(entities.list.value, rules.list.value, new Set(entities.selectedIds.value)),
	);

	/** Does to the ground what a stroke of the brush says. */
	const paint = async (stamps: readonly Vector[]): Promise<void> => {
		const what = brush.value.op === 'plants' ? 'Plant' : 'Brush';
		await send(what, brushRequests(brush.value, stamps));
	};

	/** Gives a zone the size and place that it was dragged to. */
	const editZone = async (zone: Zone): Promise<void> => {
		const changed = ruleWithZone(rules.list.value, zone);
		if (changed === null) {
			await send('Resize', zoneRequests(zone, entities.list.value));
			await entities.readNow();
		} else {
			const refusal = await rules.change(changed.id, changed.change);
			if (refusal !== null) navigation.refuse('Resize', refusal);
		}
		services.view.value?.settle();
	};

	const endings = [
		effect(() => services.view.value?.setTool(settings.value)),
		effect(() => services.view.value?.setSigns(signs.value)),
		effect(() => services.view.value?.setZones(zones.value)),
		effect(() => services.view.value?.onBrushed((stamps) => void paint(stamps))),
		effect(() => services.view.value?.onZoned((zone) => void editZone(zone))),
		effect(() => services.view.value?.onEdited((kind, edits) => void edit(kind, edits))),
		effect(() =>
			services.view.value?.onDragging((words) => {
				dragging.value = words;
			}),
		),
	];

	return {
		tool,
		space,
		isStepped,
		steps,
		brush,
		dragging,
		hasCopy: computed(() => copied.value.length > 0),
		choose(name) {
			tool.value = name;
		},
		back() {
			if (untracked(() => dragging.value) !== null) services.view.value?.cancel();
			else if (tool.value !== 'select') tool.value = 'select';
			else return false;
			return true;
		},
		async change(changes) {
			const requests = changes.map(([entity, change]) => changeOf(entity, change));
			const path = inWorld('/batch', worlds.selected.value);
			const outcome = await askRaw(services, 'POST', path, { requests, atomic: true });
			entities.refresh();
			return outcome.ok ? null : outcome.refusal;
		},
		async put(item, at) {
			const answers = await send('Spawn', [
				{ path: item.path, body: { ...named(item), ...item.body(await placeFor(item, at)) } },
			]);
			services.view.value?.cancel();
			const made = answers?.[0] as { readonly id?: number; readonly entity_id?: number } | undefined;
			const id = made?.id ?? made?.entity_id;
			if (id !== undefined) entities.select(id);
			rules.refresh();
		},
		preview(item, at) {
			if (at === null) services.view.value?.cancel();
			else void placeFor(item, at);
		},
		async duplicate() {
			if (entities.chosen.value.length > 0) await spawn('Duplicate', await documents());
		},
		async copy() {
			if (entities.chosen.value.length === 0) return;
			copied.value = await documents();
		},
		paste: () => spawn('Paste', copied.value),
		async remove() {
			const chosen = entities.chosen.value;
			const answers = await send('Delete', removeRequests(chosen, entities.list.value));
			if (answers !== null) entities.select(null);
		},
		async parent(children, parent) {
			const requests = parentRequests(children, parent, entities.list.value);
			if (requests.length > 0) await send(parent === null ? 'Ungroup' : 'Group', requests);
		},
		async group() {
			const answers = await send('Group', groupRequests(entities.chosen.value, entities.list.value));
			if (answers !== null) entities.select((answers[0] as { readonly id: number }).id);
		},
		async ungroup() {
			const chosen = entities.chosen.value;
			const children = entities.list.value.filter(({ parent }) => chosen.some(({ id }) => id === parent?.id));
			const answers = await send(
				'Ungroup',
				ungroupRequests(topmost(chosen, entities.list.value), entities.list.value),
			);
			if (answers !== null) entities.selectAll(children.map(({ id }) => id));
		},
		stop() {
			for (const end of endings) end();
		},
	};
}
