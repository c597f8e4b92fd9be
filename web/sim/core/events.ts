/**
 * Events: what happened, readable on the tick it is sent and on the next.
 * Owns: the two buffers and, per reader, how far it has read, so that every effect is applied exactly once.
 * Never: knows what an event means; that is derived from its declaration.
 */

import type { Component, EntityHandle, Fields, Row } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type EventData, type EventType, mayLack, namesEntity } from '../../../shared/contract/event.ts';
import { events } from '../../../shared/events/index.ts';
import { inKeyOrder } from './canonical-json.ts';
import { slotOf } from './entities.ts';
import {
	append,
	type Batch,
	batchOf,
	inOrder,
	noEvents,
	ownBatch,
	SENT_BYTES,
	shareBatch,
} from './event-batch.ts';
import type { WorldPart } from './part.ts';
import { EVENT_BYTES, spend, tickLimits } from './tick-budget.ts';
import { valueBytes } from './value-bytes.ts';
import { markChanged } from './version.ts';
import { get, has, inTick, partState, type World } from './world.ts';

/** By field of an event and name of a component: what the entity that the field names had when it went. */
type Remembered = Readonly<Record<string, Readonly<Record<string, Row<Fields>>>>>;

export interface SentEvent<T extends EventType = EventType> {
	readonly kind: T['kind'];
	/** Rises by one with every event of the world. */
	readonly sequence: number;
	readonly data: EventData<T>;
	/** Of entities that are gone, what the declaration asks for; left out when there is nothing. */
	readonly remembered?: Remembered;
}

/** Facts of a declaration that every event of its kind needs. */
interface KnownType {
	readonly type: EventType;
	/** All fields, each with whether it names an entity and whether an event may lack it. */
	readonly fields: readonly { readonly name: string; readonly entity: boolean; readonly lacking: boolean }[];
}

const kinds = new Map<string, KnownType>(
	events.map((type: EventType) => [
		type.kind,
		{
			type,
			fields: Object.entries(type.fields).map(([name, schema]) => ({
				name,
				entity: namesEntity(schema),
				lacking: mayLack(schema),
			})),
		},
	]),
);

interface EventsState {
	/** Events of the last tick and of this one. */
	previous: Batch;
	current: Batch;
	/** Sequence of the first event in `previous`, in `current`, and of the next event. */
	previousFrom: number;
	currentFrom: number;
	sequence: number;
	/** By reader, the sequence up to which it has had events. Clones share it until one of the worlds changes it. */
	read: Map<string, number>;
	readShared: boolean;
	/** Rises with every change. */
	version: number;
}

const encoder = new TextEncoder();

/** Notes that a reader has had all events so far. */
function markRead(state: EventsState, reader: string): void {
	if (state.readShared) {
		state.read = new Map(state.read);
		state.readShared = false;
	}
	state.read.set(reader, state.sequence);
}

function plain({ previous, current, sequence, read }: EventsState): unknown {
	return {
		previous: inOrder(previous.lists),
		current: inOrder(current.lists),
		sequence,
		read: inKeyOrder(Object.fromEntries(read)),
	};
}

/** Returns all words of an event in a fixed order: an entity that it always has a place for is two of them. */
function wordsOf({ kind, sequence, data, remembered }: SentEvent): unknown[] {
	const words: unknown[] = [kind, sequence];
	for (const { name, entity, lacking } of kinds.get(kind)!.fields) {
		const value = data[name];
		if (!entity || lacking || value === null) words.push(inKeyOrder(value));
		else words.push((value as EntityHandle).id, (value as EntityHandle).generation);
	}
	if (remembered !== undefined) words.push(inKeyOrder(remembered));
	return words;
}

/** Index of the events in a list that name an entity, by its id, as far as the list has been looked through. */
interface Naming {
	upTo: number;
	readonly places: Map<number, number[]>;
}
const namings = new WeakMap<readonly SentEvent[], Naming>();

/** Returns the places of a list's events that name an entity of this id: most entities that go are named by none. */
function placesNaming(list: readonly SentEvent[], id: number): readonly number[] {
	let naming = namings.get(list);
	if (naming === undefined) {
		naming = { upTo: 0, places: new Map() };
		namings.set(list, naming);
	}
	const { places } = naming;
	const { fields } = kinds.get(list[0]!.kind)!;
	for (; naming.upTo < list.length; naming.upTo++)
		for (const { name, entity } of fields) {
			const handle = entity ? (list[naming.upTo]!.data[name] as EntityHandle | null | undefined) : null;
			if (handle == null) continue;
			const before = places.get(handle.id);
			if (before === undefined) places.set(handle.id, [naming.upTo]);
			else if (before.at(-1) !== naming.upTo) before.push(naming.upTo);
		}
	return places.get(id) ?? NOWHERE;
}
const NOWHERE: readonly number[] = [];

/** Has the events of a list that name an entity about to go remember what they are to of it. */
function remember(world: World, list: SentEvent[], { id, generation }: EntityHandle): void {
	const places = placesNaming(list, id);
	if (places.length === 0) return;
	const { type, fields } = kinds.get(list[0]!.kind)!;
	const rows = type.remembers!.filter((component) => has(world, id, component));
	if (rows.length === 0) return;
	const all = Object.fromEntries(rows.map((component) => [component.name, get(world, id, component)!]));
	for (const at of places) {
		const event = list[at]!;
		const names = fields.filter(({ name, entity }) => {
			const handle = entity ? (event.data[name] as EntityHandle | null | undefined) : null;
			return handle?.id === id && handle.generation === generation;
		});
		if (names.length === 0) continue;
		const added = Object.fromEntries(names.map(({ name }) => [name, all]));
		list[at] = { ...event, remembered: { ...event.remembered, ...added } };
	}
}

export const Events: WorldPart<EventsState> = {
	name: 'events',
	scope: 'state',
	create: () => ({
		previous: noEvents(),
		current: noEvents(),
		previousFrom: 0,
		currentFrom: 0,
		sequence: 0,
		read: new Map(),
		readShared: false,
		version: 0,
	}),
	version: ({ version }) => version,
	clone: (state) => {
		shareBatch(state.previous);
		shareBatch(state.current);
		state.readShared = true;
		return { ...state };
	},
	leaving: (state, world, entity) => {
		state.version = markChanged(world);
		for (const which of ['previous', 'current'] as const)
			for (const kind in state[which].lists) {
				if (kinds.get(kind)!.type.remembers === undefined) continue;
				if (placesNaming(state[which].lists[kind]!, entity.id).length === 0) continue;
				state[which] = ownBatch(state[which]);
				remember(world, state[which].lists[kind]!, entity);
			}
	},
	weigh: ({ previous, current }, tell) => {
		for (const batch of [previous, current]) tell(batch, batch.bytes);
	},
	digest: ({ previous, current, sequence, read }) =>
		encoder.encode(
			JSON.stringify([
				inOrder(previous.lists).map(wordsOf),
				inOrder(current.lists).map(wordsOf),
				sequence,
				[...read].sort(([a], [b]) => (a < b ? -1 : 1)),
			]),
		),
	encode: (state) => encoder.encode(JSON.stringify(plain(state))),
	decode: (bytes) => {
		const saved = JSON.parse(new TextDecoder().decode(bytes)) as {
			previous: SentEvent[];
			current: SentEvent[];
			sequence: number;
			read: Record<string, number>;
		};
		const currentFrom = saved.sequence - saved.current.length;
		return {
			previous: batchOf(saved.previous),
			current: batchOf(saved.current),
			previousFrom: currentFrom - saved.previous.length,
			currentFrom,
			sequence: saved.sequence,
			read: new Map(Object.entries(saved.read)),
			readShared: false,
			version: 0,
		};
	},
};

function changed(world: World, state: EventsState): void {
	state.version = markChanged(world);
}

/**
 * Sends an event. It is readable until the end of the next tick. Throws an Overrun in a tick that sends too many, and
 * `out_of_room` between ticks when too much waits for the next.
 */
export function emit<T extends EventType>(world: World, type: T, data: EventData<T>): void {
	const state = partState(world, Events);
	const { data: carried } = data as { readonly data?: unknown };
	spend(world, 'sent', 1 + (carried == null ? 0 : Math.floor(valueBytes(carried) / EVENT_BYTES)));
	if (!inTick(world) && state.current.bytes > tickLimits.sent * SENT_BYTES) throw tooMuchWaits(world);
	state.current = ownBatch(state.current);
	const { bytes } = state.current;
	const added = append(state.current, { kind: type.kind, sequence: state.sequence++, data });
	world.undo?.added(added);
	world.undo?.step(() => takeBack(world, type.kind, bytes));
	changed(world, state);
}

function tooMuchWaits({ tick }: World): ApiError {
	return new ApiError(
		'out_of_room',
		`The events sent since tick ${tick} use all the memory that one tick may use for events.`,
		{ fix: 'Step the world. Events are deleted after two ticks.' },
	);
}

/** Undoes the newest event, which is of a kind and before which events took so many bytes. */
function takeBack(world: World, kind: string, bytes: number): void {
	const state = partState(world, Events);
	changed(world, state);
	state.current = ownBatch(state.current);
	const { lists, carried } = state.current;
	const list = lists[kind]!;
	const sentEvent = list.pop()!;
	namings.delete(list);
	if (list.length === 0) delete lists[kind];
	// What was first carried by it is carried no more.
	if (state.current.bytes - bytes > SENT_BYTES)
		carried.delete((sentEvent.data as { readonly data?: unknown }).data);
	state.current.bytes = bytes;
	state.sequence--;
}

/** Events of one kind that `reader` has not had yet, oldest first. Each reader gets each event once. */
export function drain<T extends EventType>(world: World, { kind }: T, reader: string): EventData<T>[] {
	const state = partState(world, Events);
	const { read } = state;
	const previous = state.previous.lists[kind];
	const current = state.current.lists[kind];
	const fresh: EventData<T>[] = [];
	if (previous === undefined && current === undefined) return fresh;
	const from = read.get(reader) ?? 0;
	if (from === state.sequence) return fresh;
	for (const list of [previous, current]) {
		if (list === undefined) continue;
		for (const event of list) if (event.sequence >= from) fresh.push(event.data as EventData<T>);
	}
	if (fresh.length > 0) {
		world.undo?.part(Events);
		changed(world, state);
		markRead(state, reader);
	}
	return fresh;
}

/**
 * Returns the row of an entity that an event names: from the world while the entity is there, afterwards as the event
 * remembers it.
 */
export function rowFor<F extends Fields>(
	world: World,
	event: SentEvent,
	field: string,
	component: Component<F>,
): Row<F> | undefined {
	const slot = slotOf(world, (event.data[field] ?? null) as EntityHandle | null);
	if (slot >= 0) return get(world, slot, component);
	return inForce(world, event).remembered?.[field]?.[component.name] as Row<F> | undefined;
}

/** Returns an event as it stands now: a reader may have had it before an entity that it names went. */
function inForce(world: World, event: SentEvent): SentEvent {
	const { previous, current } = partState(world, Events);
	for (const { lists } of [previous, current]) {
		const list = lists[event.kind];
		const found = list === undefined ? undefined : atSequence(list, event.sequence);
		if (found !== undefined) return found;
	}
	return event;
}

/** Returns the event of a list by its number among all that the world sent; those of a list are in that order. */
function atSequence(list: readonly SentEvent[], sequence: number): SentEvent | undefined {
	let [low, high] = [0, list.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle]!.sequence < sequence) low = middle + 1;
		else high = middle;
	}
	return list[low]?.sequence === sequence ? list[low] : undefined;
}

/** Marks all events so far as had by `reader`. */
export function skipEvents(world: World, reader: string): void {
	const state = partState(world, Events);
	if ((state.read.get(reader) ?? 0) === state.sequence) return;
	world.undo?.part(Events);
	changed(world, state);
	markRead(state, reader);
}

/** Events of every kind that `reader` has not had yet, oldest first. */
export function drainEvents(world: World, reader: string): SentEvent[] {
	const state = partState(world, Events);
	const from = state.read.get(reader) ?? 0;
	if (from === state.sequence) return [];
	world.undo?.part(Events);
	changed(world, state);
	markRead(state, reader);
	return pending(world).filter(({ sequence }) => sequence >= from);
}

/** Returns all readable events, oldest first. */
export function pending(world: World): readonly SentEvent[] {
	return [...eventsOfLastTick(world), ...eventsSinceLastTick(world)];
}

/** Returns the number of readable events of a kind. */
export function countPending(world: World, kind: string): number {
	const { previous, current } = partState(world, Events);
	return (previous.lists[kind]?.length ?? 0) + (current.lists[kind]?.length ?? 0);
}

/** Returns true if an event of one of the kinds is readable. */
export function isPending(world: World, kinds: readonly string[]): boolean {
	if (kinds.length === 0) return false;
	const { previous, current, previousFrom, sequence } = partState(world, Events);
	if (previousFrom === sequence) return false;
	for (const kind of kinds)
		if (previous.lists[kind] !== undefined || current.lists[kind] !== undefined) return true;
	return false;
}

/** Returns the events of the last tick, and of the time between it and the tick before it, oldest first. */
export function eventsOfLastTick(world: World): readonly SentEvent[] {
	return inOrder(partState(world, Events).previous.lists);
}

/** Returns the events since the last tick, oldest first. */
export function eventsSinceLastTick(world: World): readonly SentEvent[] {
	return inOrder(partState(world, Events).current.lists);
}

/** Returns the events of one kind alone: those sent in the running tick, or, between ticks, in the last one. */
export function newsOf(world: World, kind: string): readonly SentEvent[] {
	const { previous, current } = partState(world, Events);
	return (inTick(world) ? current : previous).lists[kind] ?? [];
}

/**
 * Returns the events of some kinds that coming ticks can see, as a text, each with the readers that have had it.
 * Sequence numbers are not part of it: worlds that sent different numbers of events before continue alike.
 */
export function eventsAhead(world: World, isSeen: (kind: string) => boolean): string {
	const { previous, current, read } = partState(world, Events);
	const readers = [...read].sort(([a], [b]) => (a < b ? -1 : 1));
	return JSON.stringify(
		[previous, current].map(({ lists }) =>
			inOrder(lists)
				.filter(({ kind }) => isSeen(kind))
				.map((event) => [
					wordsOf({ ...event, sequence: 0 }),
					readers.flatMap(([reader, sequence]) => (sequence > event.sequence ? [reader] : [])),
				]),
		),
	);
}

/** Returns the number of events of a type since the last tick. */
export function countSent(world: World, { kind }: EventType): number {
	return partState(world, Events).current.lists[kind]?.length ?? 0;
}

/** Ends the tick for events: this tick's become last tick's, last tick's are forgotten. */
export function swapEvents(world: World): void {
	const state = partState(world, Events);
	if (state.previousFrom === state.sequence) return;
	world.undo?.part(Events);
	changed(world, state);
	state.previous = state.current;
	state.previousFrom = state.currentFrom;
	state.current = noEvents();
	state.currentFrom = state.sequence;
}
