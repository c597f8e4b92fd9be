/**
 * Events: what happened, readable on the tick it is sent and on the next.
 * Owns: the two buffers and, per reader, how far it has read, so that every effect is applied exactly once.
 * Never: knows what an event means; that is read off its declaration.
 */

import type { Component, EntityHandle, Fields, Row } from '../../../shared/contract/component.ts';
import { type EventData, type EventType, mayLack, namesEntity } from '../../../shared/contract/event.ts';
import { events } from '../../../shared/events/index.ts';
import { inKeyOrder } from './canonical-json.ts';
import { slotOf } from './entities.ts';
import type { Part } from './part.ts';
import { markChanged } from './version.ts';
import { get, has, partState, type World } from './world.ts';

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

/** What of a declaration every event of its kind needs. */
interface Known {
	readonly type: EventType;
	/** All fields, each with whether it names an entity and whether an event may lack it. */
	readonly fields: readonly { readonly name: string; readonly entity: boolean; readonly lacking: boolean }[];
}

const kinds = new Map<string, Known>(
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

/** Events by kind, each oldest first; a kind nobody sent has no list. */
type Lists = Record<string, SentEvent[]>;

interface EventsState {
	/** Events of the last tick and of this one. Lists are only ever added to by the state that made them. */
	previous: Lists;
	current: Lists;
	/** Sequence of the first event in `previous`, in `current`, and of the next event. */
	previousFrom: number;
	currentFrom: number;
	sequence: number;
	readonly read: Map<string, number>;
	/** Rises with every change. */
	version: number;
}

const encoder = new TextEncoder();

/** The events of all lists in the order in which they were sent. */
function inOrder(lists: Lists): SentEvent[] {
	return Object.values(lists)
		.flat()
		.sort((a, b) => a.sequence - b.sequence);
}

function byKind(events: readonly SentEvent[]): Lists {
	const lists: Lists = {};
	for (const event of events) append(lists, event);
	return lists;
}

function append(lists: Lists, event: SentEvent): void {
	const list = lists[event.kind];
	if (list === undefined) lists[event.kind] = [event];
	else list.push(event);
}

function copyLists(lists: Lists): Lists {
	const copy: Lists = {};
	for (const kind in lists) copy[kind] = lists[kind]!.slice();
	return copy;
}

function plain({ previous, current, sequence, read }: EventsState): unknown {
	return {
		previous: inOrder(previous),
		current: inOrder(current),
		sequence,
		read: inKeyOrder(Object.fromEntries(read)),
	};
}

/** All words of an event in a fixed order: an entity that it always has a place for is two of them. */
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

/** The events of a list, those that name an entity about to go with what they are to remember of it. */
function remembering(
	world: World,
	list: readonly SentEvent[],
	{ id, generation }: EntityHandle,
): SentEvent[] {
	const { type, fields } = kinds.get(list[0]!.kind)!;
	const rows = type.remembers!.filter((component) => has(world, id, component));
	const all = Object.fromEntries(rows.map((component) => [component.name, get(world, id, component)!]));
	return list.map((event) => {
		const names = fields.filter(({ name, entity }) => {
			const handle = entity ? (event.data[name] as EntityHandle | null | undefined) : null;
			return handle?.id === id && handle.generation === generation;
		});
		if (names.length === 0 || rows.length === 0) return event;
		const added = Object.fromEntries(names.map(({ name }) => [name, all]));
		return { ...event, remembered: { ...event.remembered, ...added } };
	});
}

export const Events: Part<EventsState> = {
	name: 'events',
	scope: 'state',
	create: () => ({
		previous: {},
		current: {},
		previousFrom: 0,
		currentFrom: 0,
		sequence: 0,
		read: new Map(),
		version: 0,
	}),
	version: ({ version }) => version,
	clone: (state) => ({
		...state,
		previous: copyLists(state.previous),
		current: copyLists(state.current),
		read: new Map(state.read),
	}),
	leaving: (state, world, entity) => {
		state.version = markChanged(world);
		for (const lists of [state.previous, state.current])
			for (const kind in lists)
				if (kinds.get(kind)!.type.remembers !== undefined)
					lists[kind] = remembering(world, lists[kind]!, entity);
	},
	digest: ({ previous, current, sequence, read }) =>
		encoder.encode(
			JSON.stringify([
				inOrder(previous).map(wordsOf),
				inOrder(current).map(wordsOf),
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
			previous: byKind(saved.previous),
			current: byKind(saved.current),
			previousFrom: currentFrom - saved.previous.length,
			currentFrom,
			sequence: saved.sequence,
			read: new Map(Object.entries(saved.read)),
			version: 0,
		};
	},
};

function changed(world: World, state: EventsState): void {
	state.version = markChanged(world);
}

/** Sends an event. It is readable until the end of the next tick. */
export function emit<T extends EventType>(world: World, type: T, data: EventData<T>): void {
	const state = partState(world, Events);
	world.undo?.step(() => takeBack(world, type.kind));
	changed(world, state);
	append(state.current, { kind: type.kind, sequence: state.sequence++, data });
}

/** Takes back the newest event, which is of a kind. */
function takeBack(world: World, kind: string): void {
	const state = partState(world, Events);
	changed(world, state);
	const list = state.current[kind]!;
	list.pop();
	if (list.length === 0) delete state.current[kind];
	state.sequence--;
}

/** Events of one kind that `reader` has not had yet, oldest first. Each reader gets each event once. */
export function drain<T extends EventType>(world: World, { kind }: T, reader: string): EventData<T>[] {
	const state = partState(world, Events);
	const { previous, current, read } = state;
	const fresh: EventData<T>[] = [];
	if (previous[kind] === undefined && current[kind] === undefined) return fresh;
	const from = read.get(reader) ?? 0;
	if (from === state.sequence) return fresh;
	for (const list of [previous[kind], current[kind]]) {
		if (list === undefined) continue;
		for (const event of list) if (event.sequence >= from) fresh.push(event.data as EventData<T>);
	}
	if (fresh.length > 0) {
		world.undo?.part(Events);
		changed(world, state);
		read.set(reader, state.sequence);
	}
	return fresh;
}

/**
 * What an entity that an event names has of a component: as the world has it while the entity is there, afterwards as
 * the event remembers it.
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

/** An event as it stands now: a reader may have had it before somebody whom it names went. */
function inForce(world: World, event: SentEvent): SentEvent {
	const { previous, current } = partState(world, Events);
	const same = ({ sequence }: SentEvent) => sequence === event.sequence;
	return previous[event.kind]?.find(same) ?? current[event.kind]?.find(same) ?? event;
}

/** Marks all events so far as had by `reader`. */
export function skipEvents(world: World, reader: string): void {
	const state = partState(world, Events);
	if ((state.read.get(reader) ?? 0) === state.sequence) return;
	world.undo?.part(Events);
	changed(world, state);
	state.read.set(reader, state.sequence);
}

/** Events of every kind that `reader` has not had yet, oldest first. */
export function drainEvents(world: World, reader: string): SentEvent[] {
	const state = partState(world, Events);
	const from = state.read.get(reader) ?? 0;
	if (from === state.sequence) return [];
	world.undo?.part(Events);
	changed(world, state);
	state.read.set(reader, state.sequence);
	return pending(world).filter(({ sequence }) => sequence >= from);
}

/** All readable events, oldest first. */
export function pending(world: World): readonly SentEvent[] {
	return [...eventsOfLastTick(world), ...eventsSinceLastTick(world)];
}

/** What was sent on the last tick, and between it and the tick before it, oldest first. */
export function eventsOfLastTick(world: World): readonly SentEvent[] {
	return inOrder(partState(world, Events).previous);
}

/** What was sent since the last tick, oldest first. */
export function eventsSinceLastTick(world: World): readonly SentEvent[] {
	return inOrder(partState(world, Events).current);
}

/** The same of one kind alone, without a look at the others: what was sent in the tick that runs, or, between ticks, on the last one. */
export function newsOf(world: World, kind: string): readonly SentEvent[] {
	const { previous, current } = partState(world, Events);
	return (world.chance === null ? previous : current)[kind] ?? [];
}

/** How many events of a type were sent since the last tick. */
export function countSent(world: World, { kind }: EventType): number {
	return partState(world, Events).current[kind]?.length ?? 0;
}

/** Ends the tick for events: this tick's become last tick's, last tick's are forgotten. */
export function swapEvents(world: World): void {
	const state = partState(world, Events);
	if (state.previousFrom === state.sequence) return;
	world.undo?.part(Events);
	changed(world, state);
	state.previous = state.current;
	state.previousFrom = state.currentFrom;
	state.current = {};
	state.currentFrom = state.sequence;
}
