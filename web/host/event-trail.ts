/**
 * What happened in the worlds on their last ticks, for a view that looks less often than they tick.
 * Owns: the events of a few seconds, of those worlds that somebody looks at. Never: part of a world.
 */

import { eventsOfLastTick } from '../sim/core/events.ts';
import type { World } from '../sim/core/world.ts';
import type { FrameEvent } from './frames.ts';

/** Ticks that are kept: two seconds. Who looks more seldom misses what came before. */
const KEPT_TICKS = 120;
/** Most events of one world; the oldest ticks go first. */
const MOST_EVENTS = 4000;
/** Ticks after which a world that nobody asked about is forgotten. */
const FORGOTTEN_AFTER = 600;

interface Trail {
	ticks: { readonly tick: number; readonly events: readonly FrameEvent[] }[];
	count: number;
	/** Ticks made since it was last asked for. */
	unasked: number;
}

export class EventTrails {
	/** By the world's id. */
	readonly #trails = new Map<string, Trail>();

	/** Notes what happened on the tick that a world has just made. */
	ticked(id: string, world: World): void {
		const trail = this.#trails.get(id);
		if (trail === undefined) return;
		if (++trail.unasked > FORGOTTEN_AFTER) {
			this.#trails.delete(id);
			return;
		}
		// A world that was put in another's place may be at an earlier tick.
		while ((trail.ticks.at(-1)?.tick ?? -1) >= world.tick) drop(trail, trail.ticks.pop()!);
		const sent = eventsOfLastTick(world);
		if (sent.length > 0) {
			const events = sent.slice(-MOST_EVENTS).map(({ kind, data }) => ({ tick: world.tick, kind, data }));
			trail.ticks.push({ tick: world.tick, events });
			trail.count += events.length;
		}
		while (trail.count > MOST_EVENTS || (trail.ticks[0]?.tick ?? world.tick) <= world.tick - KEPT_TICKS)
			drop(trail, trail.ticks.shift()!);
	}

	/** What happened on the ticks after `tick`, oldest first. From the first question on, events are kept. */
	since(id: string, tick: number): readonly FrameEvent[] {
		const trail = this.#trails.get(id);
		if (trail === undefined) {
			this.#trails.set(id, { ticks: [], count: 0, unasked: 0 });
			return [];
		}
		trail.unasked = 0;
		return trail.ticks.filter((made) => made.tick > tick).flatMap(({ events }) => events);
	}
}

function drop(trail: Trail, { events }: Trail['ticks'][number]): void {
	trail.count -= events.length;
}
