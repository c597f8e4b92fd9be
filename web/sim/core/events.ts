/**
 * Events. Each is readable on the tick in which it is sent, and on the next.
 * Owns: the two buffers, and the position of each reader, so that each reader gets each event exactly once.
 * Never: knows the meaning of an event; that follows from its declaration.
 */

import type { Component, EntityHandle, Fields, Row } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type EventData, type EventType, mayLack, namesEntity } from '../../../shared/contract/event.ts';
import { events } from '../../../shared/events/index.ts';
import { withSortedKeys } from './canonical-json.ts';
import { slotOf } from './entities.ts';
import {
	appendEvent,
	BYTES_PER_EVENT,
	batchOf,
	type EventBatch,
	emptyBatch,
	eventsInOrder,
	ownBatch,
	shareBatch,
} from './event-batch.ts';
import type { WorldPart } from './part.ts';
import { EVENT_BYTES, spend, tickLimits } from './tick-budget.ts';
import { valueBytes } from './value-bytes.ts';
import { markChanged } from './version.ts';
import { get, has, inTick, partState, type World } from './world.ts';

/** Last values of despawned entities, by field of the event that names the entity, and by component. */
type RememberedRows = Readonly<Record<string, Readonly<Record<string, Row<Fields>>>>>;

export interface SentEvent<T extends EventType = EventType> {
	readonly kind: T['kind'];
	/** Rises by one with every event of the world. */
	readonly sequence: number;
	readonly data: EventData<T>;
	/** Last values of despawned entities that the declaration of the event asks for; omitted if there are none. */
	readonly remembered?: RememberedRows;
}

/** Facts of a declaration that every event of its kind needs. */
interface EventFacts {
	readonly type: EventType;
	/** All fields of the event. `isHandle`: the field contains a handle. `isOptional`: the field may be missing. */
	readonly fields: readonly {
		readonly name: string;
		readonly isHandle: boolean;
		readonly isOptional: boolean;
	}[];
}

const factsByKind = new Map<string, EventFacts>(
	events.map((type: EventType) => [
		type.kind,
		{
			type,
			fields: Object.entries(type.fields).map(([name, schema]) => ({
				name,
				isHandle: namesEntity(schema),
				isOptional: mayLack(schema),
			})),
		},
	]),
);

interface EventsState {
	/** Events of the last tick and of this one. */
	previous: EventBatch;
	current: EventBatch;
	/** Sequence of the first event in `previous`, in `current`, and of the next event. */
	previousFrom: number;
	currentFrom: number;
	sequence: number;
	/** Sequence of the next unread event, by reader. Clones share the map until one of them changes it. */
	read: Map<string, number>;
	readShared: boolean;
	/** Increases with every change. */
	version: number;
}

const encoder = new TextEncoder();

/** Records that a reader has read all events so far. */
function markRead(state: EventsState, reader: string): void {
	if (state.readShared) {
		state.read = new Map(state.read);
		state.readShared = false;
	}
	state.read.set(reader, state.sequence);
}

function toPlain({ previous, current, sequence, read }: EventsState): unknown {
	return {
		previous: eventsInOrder(previous.lists),
		current: eventsInOrder(current.lists),
		sequence,
		read: withSortedKeys(Object.fromEntries(read)),
	};
}

/** Returns the values of an event in a fixed order. A required handle becomes two values: id and generation. */
function wordsOf({ kind, sequence, data, remembered }: SentEvent): unknown[] {
	const words: unknown[] = [kind, sequence];
	for (const { name, isHandle, isOptional } of factsByKind.get(kind)!.fields) {
		const value = data[name];
		if (!isHandle || isOptional || value === null) words.push(withSortedKeys(value));
		else words.push((value as EntityHandle).id, (value as EntityHandle).generation);
	}
	if (remembered !== undefined) words.push(withSortedKeys(remembered));
	return words;
}

/** Index of the events in a list that name an entity. Only the events before `indexedCount` are indexed so far. */
interface NameIndex {
	indexedCount: number;
	/** Indexes of events, by entity id. */
	readonly indexesById: Map<number, number[]>;
}
const nameIndexes = new WeakMap<readonly SentEvent[], NameIndex>();

/** Returns the indexes of the events in a list that name an entity id. For most despawned entities there are none. */
function indexesNaming(list: readonly SentEvent[], id: number): readonly number[] {
	let nameIndex = nameIndexes.get(list);
	if (nameIndex === undefined) {
		nameIndex = { indexedCount: 0, indexesById: new Map() };
		nameIndexes.set(list, nameIndex);
	}
	const { indexesById } = nameIndex;
	const { fields } = factsByKind.get(list[0]!.kind)!;
	for (; nameIndex.indexedCount < list.length; nameIndex.indexedCount++)
		for (const { name, isHandle } of fields) {
			const handle = isHandle
				? (list[nameIndex.indexedCount]!.data[name] as EntityHandle | null | undefined)
				: null;
			if (handle == null) continue;
			const indexes = indexesById.get(handle.id);
			if (indexes === undefined) indexesById.set(handle.id, [nameIndex.indexedCount]);
			else if (indexes.at(-1) !== nameIndex.indexedCount) indexes.push(nameIndex.indexedCount);
		}
	return indexesById.get(id) ?? NO_INDEXES;
}
const NO_INDEXES: readonly number[] = [];

/** Records the last values of an entity in the events that name it. Called just before it is despawned. */
function rememberEntity(world: World, list: SentEvent[], { id, generation }: EntityHandle): void {
	const indexes = indexesNaming(list, id);
	if (indexes.length === 0) return;
	const { type, fields } = factsByKind.get(list[0]!.kind)!;
	const present = type.remembers!.filter((component) => has(world, id, component));
	if (present.length === 0) return;
	const rows = Object.fromEntries(present.map((component) => [component.name, get(world, id, component)!]));
	for (const index of indexes) {
		const event = list[index]!;
		const namingFields = fields.filter(({ name, isHandle }) => {
			const handle = isHandle ? (event.data[name] as EntityHandle | null | undefined) : null;
			return handle?.id === id && handle.generation === generation;
		});
		if (namingFields.length === 0) continue;
		const rowsByField = Object.fromEntries(namingFields.map(({ name }) => [name, rows]));
		list[index] = { ...event, remembered: { ...event.remembered, ...rowsByField } };
	}
}

export const Events: WorldPart<EventsState> = {
	name: 'events',
	scope: 'state',
	create: () => ({
		previous: emptyBatch(),
		current: emptyBatch(),
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
	beforeDespawn: (state, world, entity) => {
		state.version = markChanged(world);
		for (const buffer of ['previous', 'current'] as const)
			for (const kind in state[buffer].lists) {
				if (factsByKind.get(kind)!.type.remembers === undefined) continue;
				if (indexesNaming(state[buffer].lists[kind]!, entity.id).length === 0) continue;
				state[buffer] = ownBatch(state[buffer]);
				rememberEntity(world, state[buffer].lists[kind]!, entity);
			}
	},
	weigh: ({ previous, current }, report) => {
		for (const batch of [previous, current]) report(batch, batch.bytes);
	},
	digest: ({ previous, current, sequence, read }) =>
		encoder.encode(
			JSON.stringify([
				eventsInOrder(previous.lists).map(wordsOf),
				eventsInOrder(current.lists).map(wordsOf),
				sequence,
				[...read].sort(([a], [b]) => (a < b ? -1 : 1)),
			]),
		),
	encode: (state) => encoder.encode(JSON.stringify(toPlain(state))),
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

function markEventsChanged(world: World, state: EventsState): void {
	state.version = markChanged(world);
}

/**
 * Sends an event. It is readable until the end of the next tick. Throws an Overrun if the tick sends too many events,
 * and `out_of_room` between ticks if the waiting events take too much memory.
 */
export function emit<T extends EventType>(world: World, type: T, data: EventData<T>): void {
	const state = partState(world, Events);
	const { data: signalData } = data as { readonly data?: unknown };
	spend(world, 'sent', 1 + (signalData == null ? 0 : Math.floor(valueBytes(signalData) / EVENT_BYTES)));
	if (!inTick(world) && state.current.bytes > tickLimits.sent * BYTES_PER_EVENT) throw eventMemoryFull(world);
	state.current = ownBatch(state.current);
	const { bytes: bytesBefore } = state.current;
	const eventBytes = appendEvent(state.current, { kind: type.kind, sequence: state.sequence++, data });
	world.undo?.addBytes(eventBytes);
	world.undo?.addUndoStep(() => undoNewest(world, type.kind, bytesBefore));
	markEventsChanged(world, state);
}

function eventMemoryFull({ tick }: World): ApiError {
	return new ApiError(
		'out_of_room',
		`The events sent since tick ${tick} use all the memory that one tick may use for events.`,
		{ fix: 'Step the world. Events are deleted after two ticks.' },
	);
}

/** Removes the newest event, which is of this kind. `bytesBefore` is the size of the batch before it was sent. */
function undoNewest(world: World, kind: string, bytesBefore: number): void {
	const state = partState(world, Events);
	markEventsChanged(world, state);
	state.current = ownBatch(state.current);
	const { lists, signalData } = state.current;
	const list = lists[kind]!;
	const sentEvent = list.pop()!;
	nameIndexes.delete(list);
	if (list.length === 0) delete lists[kind];
	// If the event counted its signal data, it was the first event with that data.
	if (state.current.bytes - bytesBefore > BYTES_PER_EVENT)
		signalData.delete((sentEvent.data as { readonly data?: unknown }).data);
	state.current.bytes = bytesBefore;
	state.sequence--;
}

/** Returns the events of one kind that `reader` has not read yet, oldest first. Each reader gets each event once. */
export function drain<T extends EventType>(world: World, { kind }: T, reader: string): EventData<T>[] {
	const state = partState(world, Events);
	const { read } = state;
	const previous = state.previous.lists[kind];
	const current = state.current.lists[kind];
	const unread: EventData<T>[] = [];
	if (previous === undefined && current === undefined) return unread;
	const firstUnread = read.get(reader) ?? 0;
	if (firstUnread === state.sequence) return unread;
	for (const list of [previous, current]) {
		if (list === undefined) continue;
		for (const event of list) if (event.sequence >= firstUnread) unread.push(event.data as EventData<T>);
	}
	if (unread.length > 0) {
		world.undo?.savePart(Events);
		markEventsChanged(world, state);
		markRead(state, reader);
	}
	return unread;
}

/**
 * Returns the row of an entity that an event names: the current row, or, after the entity is despawned, the row that
 * the event recorded.
 */
export function rowFor<F extends Fields>(
	world: World,
	event: SentEvent,
	field: string,
	component: Component<F>,
): Row<F> | undefined {
	const slot = slotOf(world, (event.data[field] ?? null) as EntityHandle | null);
	if (slot >= 0) return get(world, slot, component);
	return latestForm(world, event).remembered?.[field]?.[component.name] as Row<F> | undefined;
}

/** Returns the latest form of an event. A reader may hold the form before an entity that it names was despawned. */
function latestForm(world: World, event: SentEvent): SentEvent {
	const { previous, current } = partState(world, Events);
	for (const { lists } of [previous, current]) {
		const list = lists[event.kind];
		const latest = list === undefined ? undefined : atSequence(list, event.sequence);
		if (latest !== undefined) return latest;
	}
	return event;
}

/** Returns the event with a sequence number, by binary search. */
function atSequence(list: readonly SentEvent[], sequence: number): SentEvent | undefined {
	let [low, high] = [0, list.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle]!.sequence < sequence) low = middle + 1;
		else high = middle;
	}
	return list[low]?.sequence === sequence ? list[low] : undefined;
}

/** Marks all events so far as read by `reader`. */
export function skipEvents(world: World, reader: string): void {
	const state = partState(world, Events);
	if ((state.read.get(reader) ?? 0) === state.sequence) return;
	world.undo?.savePart(Events);
	markEventsChanged(world, state);
	markRead(state, reader);
}

/** Returns the events of every kind that `reader` has not read yet, oldest first. */
export function drainEvents(world: World, reader: string): SentEvent[] {
	const state = partState(world, Events);
	const firstUnread = state.read.get(reader) ?? 0;
	if (firstUnread === state.sequence) return [];
	world.undo?.savePart(Events);
	markEventsChanged(world, state);
	markRead(state, reader);
	return pendingEvents(world).filter(({ sequence }) => sequence >= firstUnread);
}

/** Returns all readable events, oldest first. */
export function pendingEvents(world: World): readonly SentEvent[] {
	return [...eventsOfLastTick(world), ...eventsSinceLastTick(world)];
}

/** Returns the number of readable events of a kind. */
export function countPending(world: World, kind: string): number {
	const { previous, current } = partState(world, Events);
	return (previous.lists[kind]?.length ?? 0) + (current.lists[kind]?.length ?? 0);
}

/** Returns true if an event of one of the kinds is readable. */
export function hasPending(world: World, kinds: readonly string[]): boolean {
	if (kinds.length === 0) return false;
	const { previous, current, previousFrom, sequence } = partState(world, Events);
	if (previousFrom === sequence) return false;
	for (const kind of kinds)
		if (previous.lists[kind] !== undefined || current.lists[kind] !== undefined) return true;
	return false;
}

/** Returns the events of the last tick, and those that calls sent just before it, oldest first. */
export function eventsOfLastTick(world: World): readonly SentEvent[] {
	return eventsInOrder(partState(world, Events).previous.lists);
}

/** Returns the events since the last tick, oldest first. */
export function eventsSinceLastTick(world: World): readonly SentEvent[] {
	return eventsInOrder(partState(world, Events).current.lists);
}

/** Returns the new events of one kind: those of the running tick or, between ticks, of the last one. */
export function newEventsOf(world: World, kind: string): readonly SentEvent[] {
	const { previous, current } = partState(world, Events);
	return (inTick(world) ? current : previous).lists[kind] ?? [];
}

/**
 * Returns the events of the chosen kinds that later ticks can read, as a text, each with the readers that have read it.
 * Sequence numbers are omitted, because worlds with different numbers of earlier events continue alike.
 */
export function eventsAhead(world: World, isSeen: (kind: string) => boolean): string {
	const { previous, current, read } = partState(world, Events);
	const readers = [...read].sort(([a], [b]) => (a < b ? -1 : 1));
	return JSON.stringify(
		[previous, current].map(({ lists }) =>
			eventsInOrder(lists)
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

/** Ends the tick for events: those of this tick become those of the last tick, and older ones are dropped. */
export function swapEvents(world: World): void {
	const state = partState(world, Events);
	if (state.previousFrom === state.sequence) return;
	world.undo?.savePart(Events);
	markEventsChanged(world, state);
	state.previous = state.current;
	state.previousFrom = state.currentFrom;
	state.current = emptyBatch();
	state.currentFrom = state.sequence;
}
