/**
 * Events of past ticks of worlds, for readers that do not read on every tick.
 * Owns: the newest events of each world in the order of sending, their ids, and the position where they begin.
 * Never: is part of a world, or changes one.
 */

import { type Cursor, compareCursors } from '../../shared/contract/event-cursor.ts';
import { digest } from '../sim/core/digest.ts';
import { eventsOfLastTick, type SentEvent } from '../sim/core/events.ts';
import { type EventView, isTimeless, REPLACED, viewOfEvent } from './event-view.ts';
import type { WorldEntry, Worlds } from './worlds.ts';

/** Milliseconds for which events are kept: ten minutes. */
const MAX_AGE_MS = 600_000;
/** Maximum number of events of one world, and of all worlds. The oldest are dropped first. */
const MAX_EVENTS = 100_000;
const MAX_TOTAL_EVENTS = 200_000;

/** Number of last ticks whose events a view gets: two seconds. */
const MAX_VIEW_TICKS = 120;
/** Maximum number of events that a view gets. */
const MAX_VIEW_EVENTS = 4000;

/** An event for a view. Kinds and data are declared in shared/events. */
export interface FrameEvent {
	readonly tick: number;
	readonly kind: string;
	readonly data: Readonly<Record<string, unknown>>;
}

interface TrailEvent {
	readonly event: SentEvent;
	/** Answer form of an event with values of its entities at its tick; undefined for other events. */
	readonly view: EventView | undefined;
}

/** A happening of a world at one tick: its events, or its replacement by another world. */
export interface TrailHappening {
	readonly id: string;
	readonly line: number;
	readonly tick: number;
	/** Milliseconds on the engine's clock. */
	readonly time: number;
	readonly events: readonly TrailEvent[];
	/** Digest of the new world, if this is a replacement. */
	readonly newDigest?: string;
}

interface WorldTrail {
	line: number;
	/** Position after which all events are kept. */
	from: Cursor;
	happenings: TrailHappening[];
	/** Number of happenings at the front that were dropped. */
	dropped: number;
	count: number;
}

/** An event that was read, or the notice that the world was replaced. */
export interface ReadEvent {
	readonly cursor: Cursor;
	readonly kind: string | null;
	readonly data: SentEvent['data'] | null;
	readonly view: () => EventView;
}

export interface EventsRead {
	readonly events: readonly ReadEvent[];
	/** Position from which events are kept; null if no requested event is missing. */
	readonly gap: Cursor | null;
	/** Position where the next read continues. */
	readonly next: Cursor;
	/** True if more events can be read immediately. */
	readonly hasMore: boolean;
}

const NO_EVENTS: readonly TrailEvent[] = [];

/** Returns the events of a world's last tick; undefined if there are none. */
export function happeningOf({ id, world, line }: WorldEntry, time: number): TrailHappening | undefined {
	const sentEvents = eventsOfLastTick(world);
	if (sentEvents.length === 0) return undefined;
	const tick = world.tick - 1;
	const events = sentEvents.slice(-MAX_EVENTS).map((event) => ({
		event,
		view: isTimeless(event.kind) ? undefined : viewOfEvent(world, event, tick),
	}));
	return { id, line: line.number, tick, time, events };
}

/** Returns the notice that the world of an entry was replaced. */
export function replacementOf({ id, world, line }: WorldEntry, time: number): TrailHappening {
	return { id, line: line.number, tick: line.tick, time, events: NO_EVENTS, newDigest: digest(world) };
}

export class EventTrails {
	/** Trails by the id of the entry. */
	readonly #trails = new Map<string, WorldTrail>();
	readonly #listeners = new Map<string, Set<() => void>>();
	/** True if no events will follow. */
	isClosed = false;
	#total = 0;
	/** Number of lines of the worlds at the last check. */
	#lines = 0;

	/** Returns the line of an entry's newest events; undefined before the first. */
	lineOf(id: string): number | undefined {
		return this.#trails.get(id)?.line;
	}

	/** Begins to keep the events of an entry. */
	begin({ id, line, world }: WorldEntry): void {
		if (!this.#trails.has(id)) this.#add(id, { line: line.number, tick: world.tick, index: 0 });
	}

	#add(id: string, from: Cursor): WorldTrail {
		const trail = { line: from.line, from, happenings: [], dropped: 0, count: 0 };
		this.#trails.set(id, trail);
		return trail;
	}

	/** Appends a happening of an entry, and drops events that are too old or too many. */
	append(happening: TrailHappening): void {
		const { id, line, tick, time, events } = happening;
		const trail = this.#trails.get(id) ?? this.#add(id, { line, tick, index: 0 });
		trail.line = line;
		trail.happenings.push(happening);
		trail.count += events.length;
		this.#total += events.length;
		this.#dropOld(trail, time);
		if (this.#total > MAX_TOTAL_EVENTS) this.#dropFromLargest();
		this.#wake(id);
	}

	/** Appends notices of replaced worlds, and drops the trails of deleted worlds. */
	follow(worlds: Worlds, time: number): void {
		if (worlds.lines === this.#lines) return;
		this.#lines = worlds.lines;
		for (const [id, trail] of this.#trails) {
			const line = worlds.lineOf(id);
			if (line === undefined) {
				this.#total -= trail.count;
				this.#trails.delete(id);
				this.#wake(id);
			} else if (trail.line !== line.number) this.append(replacementOf(worlds.find(id)!, time));
		}
	}

	#dropOld(trail: WorldTrail, time: number): void {
		for (let first = trail.happenings[trail.dropped]; first !== undefined; ) {
			if (trail.count <= MAX_EVENTS && first.time > time - MAX_AGE_MS) return;
			this.#dropFirst(trail);
			first = trail.happenings[trail.dropped];
		}
	}

	#dropFromLargest(): void {
		const [largest] = [...this.#trails.values()].sort((a, b) => b.count - a.count);
		// A tenth of the events is dropped together, so that this does not run on every tick.
		const target = largest!.count * 0.9;
		while (largest!.count > target) this.#dropFirst(largest!);
	}

	#dropFirst(trail: WorldTrail): void {
		const { line, tick, events } = trail.happenings[trail.dropped]!;
		trail.from = { line, tick, index: events.length };
		trail.count -= events.length;
		this.#total -= events.length;
		trail.dropped++;
		if (trail.dropped * 2 <= trail.happenings.length) return;
		trail.happenings = trail.happenings.slice(trail.dropped);
		trail.dropped = 0;
	}

	/** Returns up to `max` events after a position that `accepts` selects. */
	read(
		entry: WorldEntry,
		after: Cursor,
		accepts: (event: SentEvent) => boolean,
		max: number,
		time: number,
	): EventsRead {
		this.begin(entry);
		const trail = this.#trails.get(entry.id)!;
		this.#dropOld(trail, time);
		const { number: line } = entry.line;
		const present = { line, tick: entry.world.tick, index: 0 };
		const isUnknown = compareCursors(after, present) > 0;
		const lineStart = { line, tick: entry.line.tick, index: 0 };
		const isEarlier = after.line === line && after.tick < lineStart.tick;
		const from = isEarlier && compareCursors(trail.from, lineStart) < 0 ? lineStart : trail.from;
		const gap = isUnknown || isEarlier || compareCursors(after, trail.from) < 0 ? from : null;
		let next = gap ?? after;
		const events: ReadEvent[] = [];
		for (let i = firstAfter(trail, next); i < trail.happenings.length; i++) {
			const happening = trail.happenings[i]!;
			const { line, tick, newDigest } = happening;
			if (events.length >= max) return { events, gap, next, hasMore: true };
			if (newDigest !== undefined) {
				const cursor = { line, tick, index: 0 };
				if (compareCursors(cursor, next) <= 0) continue;
				next = cursor;
				const view = () => ({ type: REPLACED, tick, state_digest: newDigest });
				events.push({ cursor, kind: null, data: null, view });
				continue;
			}
			const isPartlyRead = line === next.line && tick === next.tick;
			for (let index = isPartlyRead ? next.index : 0; index < happening.events.length; index++) {
				const { event, view: shown } = happening.events[index]!;
				next = { line, tick, index: index + 1 };
				if (!accepts(event)) continue;
				const view = () => shown ?? viewOfEvent(null, event, tick);
				events.push({ cursor: next, kind: event.kind, data: event.data, view });
				if (events.length >= max) return { events, gap, next, hasMore: true };
			}
		}
		// If there are no more events, the next read can begin at the present.
		if (!isUnknown && compareCursors(next, present) < 0 && next.line === line) next = present;
		return { events, gap, next, hasMore: false };
	}

	/** Returns the events of the present line after `tick` for a view, oldest first, but only those of the last two seconds. */
	viewEventsSince({ id, line, world }: WorldEntry, tick: number): readonly FrameEvent[] {
		const { happenings, dropped } = this.#trails.get(id) ?? { happenings: [], dropped: 0 };
		const firstTick = Math.max(tick, world.tick - MAX_VIEW_TICKS);
		let start = happenings.length;
		while (
			start > dropped &&
			happenings[start - 1]!.line === line.number &&
			happenings[start - 1]!.tick >= firstTick
		)
			start--;
		return happenings
			.slice(start)
			.flatMap(({ tick: on, events }) =>
				events.map(({ event: { kind, data } }) => ({ tick: on + 1, kind, data })),
			)
			.slice(-MAX_VIEW_EVENTS);
	}

	/** Calls `listener` once at the next happening of an entry. Returns a function that removes the listener. */
	listen(id: string, listener: () => void): () => void {
		const listeners = this.#listeners.get(id) ?? new Set();
		this.#listeners.set(id, listeners.add(listener));
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
		};
	}

	#wake(id: string): void {
		const listeners = this.#listeners.get(id);
		if (listeners === undefined) return;
		this.#listeners.delete(id);
		for (const listener of listeners) listener();
	}

	/** Wakes all listeners, because no events will follow. */
	close(): void {
		this.isClosed = true;
		for (const id of [...this.#listeners.keys()]) this.#wake(id);
	}
}

/** Returns the index of the first happening that is not entirely before a position. */
function firstAfter({ happenings, dropped }: WorldTrail, { line, tick }: Cursor): number {
	let [low, high] = [dropped, happenings.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const { line: eventLine, tick: eventTick } = happenings[middle]!;
		if (eventLine < line || (eventLine === line && eventTick < tick)) low = middle + 1;
		else high = middle;
	}
	return low;
}
