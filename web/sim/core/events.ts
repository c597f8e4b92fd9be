/**
 * Events: what happened, readable on the tick it is sent and on the next.
 * Owns: the two buffers and, per reader, how far it has read, so that every effect is applied exactly once.
 */

import type { Handle } from '../../../shared/contract/component.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Part } from './part.ts';
import { partState, type World } from './world.ts';

export interface EventKinds {
	/** Damage that the next damage system applies. `amount` in HP. */
	damage: { readonly target: Handle; readonly amount: number; readonly source: Handle | null };
	/** An entity died. */
	death: { readonly entity: Handle; readonly killer: Handle | null };
	/** Two colliders began or ceased to touch; `a` has the lower id. */
	collision: { readonly a: Handle; readonly b: Handle; readonly started: boolean };
	/** Whatever a caller wants to be known; the engine gives it no meaning. */
	signal: { readonly name: string; readonly data: unknown };
}

export type EventKind = keyof EventKinds;

export interface SentEvent<K extends EventKind = EventKind> {
	readonly kind: K;
	/** Rises by one with every event of the world. */
	readonly sequence: number;
	readonly data: EventKinds[K];
}

interface EventsState {
	/** Events of the last tick and of this one. Arrays are replaced, not changed, once a clone may share them. */
	previous: SentEvent[];
	current: SentEvent[];
	sequence: number;
	readonly read: Map<string, number>;
}

const encoder = new TextEncoder();

function plain({ previous, current, sequence, read }: EventsState): unknown {
	return { previous, current, sequence, read: Object.fromEntries(read) };
}

export const Events: Part<EventsState> = {
	name: 'events',
	scope: 'state',
	create: () => ({ previous: [], current: [], sequence: 0, read: new Map() }),
	clone: (state) => ({
		...state,
		previous: [...state.previous],
		current: [...state.current],
		read: new Map(state.read),
	}),
	digest: (state) => encoder.encode(canonicalJson(plain(state))),
	encode: (state) => encoder.encode(canonicalJson(plain(state))),
	decode: (bytes) => {
		const saved = JSON.parse(new TextDecoder().decode(bytes));
		return { ...saved, read: new Map(Object.entries(saved.read)) } as EventsState;
	},
};

/** Sends an event. It is readable until the end of the next tick. */
export function emit<K extends EventKind>(world: World, kind: K, data: EventKinds[K]): void {
	const state = partState(world, Events);
	world.version++;
	state.current.push({ kind, sequence: state.sequence++, data } as SentEvent);
}

/** Events of one kind that `reader` has not had yet, oldest first. Each reader gets each event once. */
export function drain<K extends EventKind>(world: World, kind: K, reader: string): EventKinds[K][] {
	const state = partState(world, Events);
	const from = state.read.get(reader) ?? 0;
	const fresh: EventKinds[K][] = [];
	for (const buffer of [state.previous, state.current]) {
		for (const event of buffer)
			if (event.sequence >= from && event.kind === kind) fresh.push(event.data as EventKinds[K]);
	}
	if (fresh.length > 0 && from !== state.sequence) {
		world.version++;
		state.read.set(reader, state.sequence);
	}
	return fresh;
}

/** All readable events, oldest first. */
export function pending(world: World): readonly SentEvent[] {
	const { previous, current } = partState(world, Events);
	return [...previous, ...current];
}

/** Ends the tick for events: this tick's become last tick's, last tick's are forgotten. */
export function swapEvents(world: World): void {
	const state = partState(world, Events);
	if (state.previous.length === 0 && state.current.length === 0) return;
	world.version++;
	state.previous = state.current;
	state.current = [];
}
