/**
 * Announces changes of worlds to the page and to the relay.
 * Owns: the delay of an announcement while its change may still be undone.
 */

import { happeningOf, replacementOf, type TrailHappening } from '../store/event-trail.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { EngineCore } from './engine-core.ts';

export interface Announcements {
	/** Called before the first tick of a call. The world of the entry may have been replaced since the last tick. */
	beforeTicks(entry: WorldEntry): void;
	/** Called after each tick of an entry's world. */
	afterTick(entry: WorldEntry): void;
	/** Announces a happening, now or when its change is final. */
	add(happening: TrailHappening): void;
	/** Returns the line of the newest happening of an entry; undefined if there is none. */
	lineOf(id: string): number | undefined;
}

/** Announces happenings immediately, because their change is final. */
export class SettledAnnouncements implements Announcements {
	readonly #core: EngineCore;

	constructor(core: EngineCore) {
		this.#core = core;
	}

	beforeTicks(entry: WorldEntry): void {
		this.#core.beforeTicks(entry);
	}

	afterTick(entry: WorldEntry): void {
		this.#core.afterTick(entry);
	}

	add(happening: TrailHappening): void {
		this.#core.announce(happening);
	}

	lineOf(id: string): number | undefined {
		return this.#core.trails.lineOf(id);
	}
}

/** Keeps the happenings of a change that may still be undone, and announces them when it is final. */
export class UnsettledAnnouncements implements Announcements {
	readonly #outer: Announcements;
	readonly #now: () => number;
	readonly #pending: TrailHappening[] = [];

	constructor(outer: Announcements, now: () => number) {
		this.#outer = outer;
		this.#now = now;
	}

	beforeTicks(entry: WorldEntry): void {
		const line = this.lineOf(entry.id);
		if (line !== undefined && line !== entry.line.number) this.add(replacementOf(entry, this.#now()));
	}

	afterTick(entry: WorldEntry): void {
		const happening = happeningOf(entry, this.#now());
		if (happening !== undefined) this.add(happening);
	}

	add(happening: TrailHappening): void {
		this.#pending.push(happening);
	}

	lineOf(id: string): number | undefined {
		return this.#pending.findLast((happening) => happening.id === id)?.line ?? this.#outer.lineOf(id);
	}

	/** Passes all happenings on to the outer announcements. */
	settle(): void {
		for (const happening of this.#pending) this.#outer.add(happening);
	}
}
