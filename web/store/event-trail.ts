/**
 * Events of the ticks that worlds have made, for readers that look less often than the worlds tick.
 * Owns: the newest events of each world in the order in which they were sent, their ids, and where they begin.
 * Never: part of a world; changes one.
 */

import { type Cursor, compareCursors } from '../../shared/contract/event-cursor.ts';
import { digest } from '../sim/core/digest.ts';
import { eventsOfLastTick, type SentEvent } from '../sim/core/events.ts';
import { type EventView, isShownLater, REPLACED, shownEvent } from './event-view.ts';
import type { WorldEntry, Worlds } from './worlds.ts';

/** Milliseconds for which events are kept: ten minutes. */
const KEPT_MS = 600_000;
/** Largest number of events of one world, and of all. The oldest are dropped first. */
const MAX_EVENTS = 100_000;
const MAX_TOTAL = 200_000;

/** Ticks that a view sees when it looks again: two seconds. */
const VIEW_TICKS = 120;
/** Largest number of events that it gets. */
const VIEW_EVENTS = 4000;

/** Something that happened: its kind and data are those of shared/events. */
export interface FrameEvent {
	readonly tick: number;
	readonly kind: string;
	readonly data: Readonly<Record<string, unknown>>;
}

interface TrailEvent {
	readonly event: SentEvent;
	/** The answer form of an event that remembers what its entities had. */
	readonly shown: EventView | undefined;
}

/** Happening of a world at one tick: its events, or that another world took its place. */
export interface TrailHappening {
	readonly id: string;
	readonly line: number;
	readonly tick: number;
	readonly at: number;
	readonly events: readonly TrailEvent[];
	/** Digest of the world that took the place. */
	readonly replaced?: string;
}

interface WorldTrail {
	line: number;
	/** Everything after it is kept. */
	from: Cursor;
	happenings: TrailHappening[];
	/** Number of happenings at the front that were dropped. */
	dropped: number;
	count: number;
}

/** A read event, or the notice that another world took the place. */
export interface ReadEvent {
	readonly cursor: Cursor;
	readonly kind: string | null;
	readonly data: SentEvent['data'] | null;
	readonly view: () => EventView;
}

export interface EventsRead {
	readonly events: readonly ReadEvent[];
	/** First position from which events are kept, if some before it are missing. */
	readonly gap: Cursor | null;
	/** Place where the next read resumes. */
	readonly next: Cursor;
	/** There are more events already. */
	readonly more: boolean;
}

const NONE: readonly TrailEvent[] = [];

/** Returns the events of the tick that a world has just made; undefined if there are none. */
export function happeningOf({ id, world, line }: WorldEntry, at: number): TrailHappening | undefined {
	const sent = eventsOfLastTick(world);
	if (sent.length === 0) return undefined;
	const tick = world.tick - 1;
	const events = sent.slice(-MAX_EVENTS).map((event) => ({
		event,
		shown: isShownLater(event.kind) ? undefined : shownEvent(world, event, tick),
	}));
	return { id, line: line.number, tick, at, events };
}

/** Returns the notice that another world took the place of an entry's. */
export function replacementOf({ id, world, line }: WorldEntry, at: number): TrailHappening {
	return { id, line: line.number, tick: line.tick, at, events: NONE, replaced: digest(world) };
}

export class EventTrails {
	/** By the id of the entry. */
	readonly #trails = new Map<string, WorldTrail>();
	readonly #listeners = new Map<string, Set<() => void>>();
	/** Nothing more will happen. */
	isClosed = false;
	#total = 0;
	/** Lines of the worlds when they were last looked through. */
	#lines = 0;

	/** Returns the line that the events of an entry belong to so far; undefined before the first. */
	lineOf(id: string): number | undefined {
		return this.#trails.get(id)?.line;
	}

	/** Begins to keep events of an entry. Its first tick is still to come. */
	begin({ id, line, world }: WorldEntry): void {
		if (!this.#trails.has(id)) this.#add(id, { line: line.number, tick: world.tick, index: 0 });
	}

	#add(id: string, from: Cursor): WorldTrail {
		const trail = { line: from.line, from, happenings: [], dropped: 0, count: 0 };
		this.#trails.set(id, trail);
		return trail;
	}

	/** Appends what happened to an entry, and drops what is too old or too much. */
	append(happening: TrailHappening): void {
		const { id, line, tick, at, events } = happening;
		const trail = this.#trails.get(id) ?? this.#add(id, { line, tick, index: 0 });
		trail.line = line;
		trail.happenings.push(happening);
		trail.count += events.length;
		this.#total += events.length;
		this.#dropOld(trail, at);
		if (this.#total > MAX_TOTAL) this.#dropFromLargest();
		this.#wake(id);
	}

	/** Notes new worlds in place of others, and forgets those that are gone. */
	follow(worlds: Worlds, at: number): void {
		if (worlds.lines === this.#lines) return;
		this.#lines = worlds.lines;
		for (const [id, trail] of this.#trails) {
			const line = worlds.lineOf(id);
			if (line === undefined) {
				this.#total -= trail.count;
				this.#trails.delete(id);
				this.#wake(id);
			} else if (trail.line !== line.number) this.append(replacementOf(worlds.find(id)!, at));
		}
	}

	#dropOld(trail: WorldTrail, at: number): void {
		for (let first = trail.happenings[trail.dropped]; first !== undefined; ) {
			if (trail.count <= MAX_EVENTS && first.at > at - KEPT_MS) return;
			this.#dropFirst(trail);
			first = trail.happenings[trail.dropped];
		}
	}

	#dropFromLargest(): void {
		const [largest] = [...this.#trails.values()].sort((a, b) => b.count - a.count);
		// A tenth of it together: that is not looked for on every tick.
		const enough = largest!.count * 0.9;
		while (largest!.count > enough) this.#dropFirst(largest!);
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

	/** Returns at most `most` events after a position that `takes` accepts. */
	read(
		entry: WorldEntry,
		after: Cursor,
		takes: (event: SentEvent) => boolean,
		most: number,
		at: number,
	): EventsRead {
		this.begin(entry);
		const trail = this.#trails.get(entry.id)!;
		this.#dropOld(trail, at);
		const { number: line } = entry.line;
		const now = { line, tick: entry.world.tick, index: 0 };
		const isUnknown = compareCursors(after, now) > 0;
		const begin = { line, tick: entry.line.tick, index: 0 };
		const isEarlier = after.line === line && after.tick < begin.tick;
		const from = isEarlier && compareCursors(trail.from, begin) < 0 ? begin : trail.from;
		const gap = isUnknown || isEarlier || compareCursors(after, trail.from) < 0 ? from : null;
		let next = gap ?? after;
		const events: ReadEvent[] = [];
		for (let i = firstAfter(trail, next); i < trail.happenings.length; i++) {
			const happening = trail.happenings[i]!;
			const { line, tick, replaced } = happening;
			if (events.length >= most) return { events, gap, next, more: true };
			if (replaced !== undefined) {
				const cursor = { line, tick, index: 0 };
				if (compareCursors(cursor, next) <= 0) continue;
				next = cursor;
				const view = () => ({ type: REPLACED, tick, state_digest: replaced });
				events.push({ cursor, kind: null, data: null, view });
				continue;
			}
			const isBegun = line === next.line && tick === next.tick;
			for (let at = isBegun ? next.index : 0; at < happening.events.length; at++) {
				const { event, shown } = happening.events[at]!;
				next = { line, tick, index: at + 1 };
				if (!takes(event)) continue;
				const view = () => shown ?? shownEvent(null, event, tick);
				events.push({ cursor: next, kind: event.kind, data: event.data, view });
				if (events.length >= most) return { events, gap, next, more: true };
			}
		}
		// What is empty until now need not be looked through again.
		if (!isUnknown && compareCursors(next, now) < 0 && next.line === line) next = now;
		return { events, gap, next, more: false };
	}

	/** Returns the events on the ticks of the present line after `tick` for a view, oldest first: those of the last two seconds. */
	since({ id, line, world }: WorldEntry, tick: number): readonly FrameEvent[] {
		const { happenings, dropped } = this.#trails.get(id) ?? { happenings: [], dropped: 0 };
		const first = Math.max(tick, world.tick - VIEW_TICKS);
		let start = happenings.length;
		while (
			start > dropped &&
			happenings[start - 1]!.line === line.number &&
			happenings[start - 1]!.tick >= first
		)
			start--;
		return happenings
			.slice(start)
			.flatMap(({ tick: on, events }) =>
				events.map(({ event: { kind, data } }) => ({ tick: on + 1, kind, data })),
			)
			.slice(-VIEW_EVENTS);
	}

	/** Calls `listener` once when something happens to an entry. Returns what ends that. */
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

	/** Wakes all listeners: nothing more will happen. */
	close(): void {
		this.isClosed = true;
		for (const id of [...this.#listeners.keys()]) this.#wake(id);
	}
}

/** Place of the first happening that is not wholly before a position. */
function firstAfter({ happenings, dropped }: WorldTrail, { line, tick }: Cursor): number {
	let [low, high] = [dropped, happenings.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		const { line: its, tick: on } = happenings[middle]!;
		if (its < line || (its === line && on < tick)) low = middle + 1;
		else high = middle;
	}
	return low;
}
