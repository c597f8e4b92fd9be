/**
 * Reads events of the past, and measures of entities over time, by re-running the journal.
 * Owns: the choice of the entries to re-run, and the time limit.
 * Never: changes a world that is in use.
 */

import type { Journal } from '../../../shared/transport/journal.ts';
import type { PastEvents, PastSearch } from '../../api/host-journal.ts';
import { filterOf } from '../../sim/assertions/condition.ts';
import type { World } from '../../sim/core/world.ts';
import { ConditionLook } from '../../sim/rules/conditions/evaluate-condition.ts';
import { EventLog } from '../../store/event-view.ts';
import type { WorldEntry } from '../../store/worlds.ts';
import { entriesFrom } from './history.ts';
import { lineBeginOf } from './line-begin.ts';
import type { ReplayEnd, ReplayPace, ReplaySearch } from './replay.ts';
import { showMeasure } from './show-measure.ts';

/** Maximum time of re-running the requested ticks (ms). Re-running the ticks before them takes additional time. */
const MAX_MS = 15_000;

/** Returns the events and measures of past ticks. Searches only the present world, not those that it replaced. */
export async function searchPastEvents(
	journal: Journal,
	search: PastSearch,
	now: () => number,
	pace: ReplayPace,
	rebuild: (moment: ReplayEnd) => Promise<void>,
): Promise<PastEvents> {
	const { first, next, states } = await journal.extent();
	const begin = (await lineBeginOf(journal, search.world, pace))?.entry ?? first;
	const trail = new PastTrail(search, begin, now);
	const entry = await firstEntryOf(journal, search, begin, pace);
	const from = states.findLast((at) => at <= entry) ?? states[0];
	if (from !== undefined) await rebuild({ entry: next, from, world: search.world, search: trail });
	return trail.result;
}

/** Returns the first entry after which the world has reached the first requested tick. */
async function firstEntryOf(
	journal: Journal,
	{ world, from_tick }: PastSearch,
	begin: number,
	pace: ReplayPace,
): Promise<number> {
	for await (const { entry, head } of entriesFrom(journal, begin, pace)) {
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead !== undefined && worldHead.tick >= from_tick) return entry;
	}
	return begin;
}

/** Records events and measures during a re-run. */
class PastTrail implements ReplaySearch {
	readonly #search: PastSearch;
	readonly #begin: number;
	readonly #now: () => number;
	readonly #log: EventLog;
	readonly #rows: (readonly (number | null)[])[] = [];
	/** First requested tick that was not recorded; null if all were. */
	#nextTick: number | null = null;
	#isOver = false;
	/** Last recorded tick. `onTick` may be called twice for a tick. */
	#lastTick = 0;
	/** Tick before the first recorded one; null if none was recorded. */
	#tickBefore: number | null = null;
	/** Time at which the re-run must stop; null before the first requested tick. */
	#deadline: number | null = null;

	constructor(search: PastSearch, begin: number, now: () => number) {
		this.#search = search;
		this.#begin = begin;
		this.#now = now;
		this.#log = new EventLog(search.kinds, Number.POSITIVE_INFINITY);
	}

	onTick(entry: number, { id, world }: Pick<WorldEntry, 'id' | 'world'>): boolean {
		if (id === this.#search.world && entry >= this.#begin) this.#record(world);
		return this.#isOver;
	}

	onEntryEnd(): boolean {
		return this.#isOver;
	}

	get result(): PastEvents {
		return { events: this.#log.events, rows: this.#rows, since: this.#tickBefore, next: this.#nextTick };
	}

	#record(world: World): void {
		const { from_tick, to_tick, limit, fields, filter, every } = this.#search;
		if (this.#isOver || world.tick <= Math.max(from_tick, this.#lastTick)) return;
		this.#lastTick = world.tick;
		this.#isOver = to_tick !== null && world.tick > to_tick;
		if (this.#isOver) return;
		this.#tickBefore ??= world.tick - 1;
		this.#deadline ??= this.#now() + MAX_MS;
		this.#log.addEvents(world);
		if (fields.length > 0 && world.tick % every === 0) {
			const look = new ConditionLook(world);
			for (const id of look.members(filterOf(filter)))
				this.#rows.push([world.tick, id, ...fields.map((field) => showMeasure(look, id, field))]);
		}
		const isFull = Math.max(this.#log.events.length, this.#rows.length) >= limit;
		this.#isOver = isFull || this.#now() > this.#deadline;
		if (this.#isOver) this.#nextTick = world.tick;
	}
}
