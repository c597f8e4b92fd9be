/**
 * Events: what happened, readable on the tick it is sent and on the next.
 * Owns: the two buffers and, per reader, how far it has read, so that every effect is applied exactly once.
 */

import type { DamageCategory } from '../../../shared/components/defense.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { EVENT_FIELDS as DECLARED_FIELDS, EVENT_KINDS } from '../../../shared/documents/event.ts';
import { canonicalJson, inKeyOrder } from './canonical-json.ts';
import type { Part } from './part.ts';
import { partState, type World } from './world.ts';

export interface EventKinds {
	/** Damage that the next damage system applies. `amount` in HP. */
	damage: {
		readonly target: Handle;
		readonly amount: number;
		readonly source: Handle | null;
		/** Physical unless it says otherwise. */
		readonly category?: DamageCategory;
	};
	/** An entity died. */
	death: { readonly entity: Handle; readonly killer: Handle | null };
	/** Two colliders began or ceased to touch; `a` has the lower id. */
	collision: { readonly a: Handle; readonly b: Handle; readonly started: boolean };
	/** A rule made an entity. */
	rule_spawn: { readonly entity: Handle; readonly mesh: string | null; readonly color: string | null };
	/** The match entered a phase; the winner stands with `post_match`. */
	match: { readonly phase: string; readonly winner_team: number | null; readonly winner: Handle | null };
	/** An entity was given points, for a kill if there is a victim; `total` is its score now. */
	score: {
		readonly entity: Handle;
		readonly points: number;
		readonly total: number;
		/** Team that the points count for. */
		readonly team: number | null;
		readonly victim: Handle | null;
	};
	/** An entity reached a level. */
	level_up: { readonly entity: Handle; readonly level: number };
	/** An entity cast an ability. */
	cast: {
		readonly entity: Handle;
		readonly slot: string;
		readonly ability: string;
		readonly aim: Handle | null;
	};
	/** A cast that was asked for could no longer be made, or not wholly; `reason` is an error code. */
	cast_failed: { readonly entity: Handle; readonly slot: string; readonly reason: string };
	/** An action of a rule could not be done to an entity; `reason` is the code that a call would be refused with. */
	action_failed: { readonly entity: Handle; readonly action: string; readonly reason: string };
	/** A status effect ended because its time was over. */
	effect_expired: {
		readonly entity: Handle;
		readonly tag: string;
		readonly effect_id: number;
		readonly source: Handle | null;
	};
	/** Whatever a caller wants to be known; the engine gives it no meaning. It may be about somebody, and have a source. */
	signal: {
		readonly name: string;
		readonly data: unknown;
		readonly entity?: Handle;
		readonly source?: Handle | null;
	};
}

export type EventKind = keyof EventKinds;

/** Every kind with its fields, so that words can be checked. The types see to it that no kind is missing. */
export const EVENT_FIELDS: { readonly [K in EventKind]: readonly (keyof EventKinds[K] & string)[] } =
	DECLARED_FIELDS;

export interface SentEvent<K extends EventKind = EventKind> {
	readonly kind: K;
	/** Rises by one with every event of the world. */
	readonly sequence: number;
	readonly data: EventKinds[K];
}

/** Events by kind, each oldest first; a kind nobody sent has no list. */
type Lists = { [K in EventKind]?: SentEvent<K>[] };

interface EventsState {
	/** Events of the last tick and of this one. Lists are only ever added to by the state that made them. */
	previous: Lists;
	current: Lists;
	/** Sequence of the first event in `previous`, in `current`, and of the next event. */
	previousFrom: number;
	currentFrom: number;
	sequence: number;
	readonly read: Map<string, number>;
}

const encoder = new TextEncoder();

/** The events of all lists in the order in which they were sent. */
function inOrder(lists: Lists): SentEvent[] {
	const all: SentEvent[] = [];
	for (const kind of EVENT_KINDS) for (const event of lists[kind] ?? []) all.push(event as SentEvent);
	return all.sort((a, b) => a.sequence - b.sequence);
}

function byKind(events: readonly SentEvent[]): Lists {
	const lists: Lists = {};
	for (const event of events) append(lists, event);
	return lists;
}

function append(lists: Lists, event: SentEvent): void {
	const list = lists[event.kind] as SentEvent[] | undefined;
	if (list === undefined) (lists as Record<EventKind, SentEvent[]>)[event.kind] = [event];
	else list.push(event);
}

function copyLists(lists: Lists): Lists {
	const copy: Record<string, SentEvent[]> = {};
	for (const kind of EVENT_KINDS)
		if (lists[kind] !== undefined) copy[kind] = lists[kind].slice() as SentEvent[];
	return copy as Lists;
}

function plain({ previous, current, sequence, read }: EventsState): unknown {
	return {
		previous: inOrder(previous),
		current: inOrder(current),
		sequence,
		read: Object.fromEntries(read),
	};
}

/** All words of an event in a fixed order. */
function wordsOf({ kind, sequence, data }: SentEvent): unknown[] {
	const words: unknown[] = [kind, sequence];
	for (const field of EVENT_FIELDS[kind]) {
		const value = (data as Record<string, unknown>)[field];
		// What a caller sends along may look like anything.
		if (kind !== 'signal' && isHandle(value)) words.push(value.id, value.generation);
		else words.push(inKeyOrder(value));
	}
	return words;
}

function isHandle(value: unknown): value is Handle {
	return typeof value === 'object' && value !== null && 'generation' in value;
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
	}),
	clone: (state) => ({
		...state,
		previous: copyLists(state.previous),
		current: copyLists(state.current),
		read: new Map(state.read),
	}),
	digest: ({ previous, current, sequence, read }) =>
		encoder.encode(
			JSON.stringify([
				inOrder(previous).map(wordsOf),
				inOrder(current).map(wordsOf),
				sequence,
				[...read].sort(([a], [b]) => (a < b ? -1 : 1)),
			]),
		),
	encode: (state) => encoder.encode(canonicalJson(plain(state))),
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
		};
	},
};

/** Sends an event. It is readable until the end of the next tick. */
export function emit<K extends EventKind>(world: World, kind: K, data: EventKinds[K]): void {
	const state = partState(world, Events);
	world.version++;
	append(state.current, { kind, sequence: state.sequence++, data } as SentEvent);
}

/** Events of one kind that `reader` has not had yet, oldest first. Each reader gets each event once. */
export function drain<K extends EventKind>(world: World, kind: K, reader: string): EventKinds[K][] {
	const state = partState(world, Events);
	const { previous, current, read } = state;
	const fresh: EventKinds[K][] = [];
	if (previous[kind] === undefined && current[kind] === undefined) return fresh;
	const from = read.get(reader) ?? 0;
	if (from === state.sequence) return fresh;
	for (const list of [previous[kind], current[kind]]) {
		if (list === undefined) continue;
		for (const event of list) if (event.sequence >= from) fresh.push(event.data as EventKinds[K]);
	}
	if (fresh.length > 0) {
		world.version++;
		read.set(reader, state.sequence);
	}
	return fresh;
}

/** Marks all events so far as had by `reader`. */
export function skipEvents(world: World, reader: string): void {
	const state = partState(world, Events);
	if ((state.read.get(reader) ?? 0) === state.sequence) return;
	world.version++;
	state.read.set(reader, state.sequence);
}

/** Events of every kind that `reader` has not had yet, oldest first. */
export function drainEvents(world: World, reader: string): SentEvent[] {
	const state = partState(world, Events);
	const from = state.read.get(reader) ?? 0;
	if (from === state.sequence) return [];
	world.version++;
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

/** Ends the tick for events: this tick's become last tick's, last tick's are forgotten. */
export function swapEvents(world: World): void {
	const state = partState(world, Events);
	if (state.previousFrom === state.sequence) return;
	world.version++;
	state.previous = state.current;
	state.previousFrom = state.currentFrom;
	state.current = {};
	state.currentFrom = state.sequence;
}
