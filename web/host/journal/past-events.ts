/**
 * Events of the past, and numbers of entities over time, from a journal that is re-run.
 * Owns: the part that is re-run, and its time limit.
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
import { lineBegin } from './line-begin.ts';
import { fieldOf } from './look-fields.ts';
import type { ReplayEnd, ReplayPace, ReplaySearch } from './replay.ts';

/** Maximum time of re-running the requested ticks (ms). Re-running the ticks before them takes additional time. */
const MAX_MS = 15_000;

/** Returns the events and numbers of past ticks. It searches only the present world, not those that it replaced. */
export async function pastEvents(
	journal: Journal,
	search: PastSearch,
	now: () => number,
	pace: ReplayPace,
	make: (moment: ReplayEnd) => Promise<void>,
): Promise<PastEvents> {
	const { first, next, states } = await journal.extent();
	const begin = (await lineBegin(journal, search.world, pace))?.entry ?? first;
	const trail = new PastTrail(search, begin, now);
	const entry = await entryOf(journal, search, begin, pace);
	const from = states.findLast((at) => at <= entry) ?? states[0];
	if (from !== undefined) await make({ entry: next, from, of: search.world, search: trail });
	return trail.result;
}

/** Returns the first entry after which the world has reached the first tick. */
async function entryOf(
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

/** Records events and numbers during a re-run. */
class PastTrail implements ReplaySearch {
	readonly #search: PastSearch;
	readonly #begin: number;
	readonly #now: () => number;
	readonly #log: EventLog;
	readonly #rows: (readonly (number | null)[])[] = [];
	/** First requested tick that was not recorded; null if all were. */
	#next: number | null = null;
	#isOver = false;
	/** Last recorded tick. `ticked` may be called twice for a tick. */
	#last = 0;
	/** Tick before the first recorded one; null before it. */
	#since: number | null = null;
	/** Time at which the re-run must stop; null before the first requested tick. */
	#until: number | null = null;

	constructor(search: PastSearch, begin: number, now: () => number) {
		this.#search = search;
		this.#begin = begin;
		this.#now = now;
		this.#log = new EventLog(search.kinds, Number.POSITIVE_INFINITY);
	}

	ticked(entry: number, { id, world }: Pick<WorldEntry, 'id' | 'world'>): boolean {
		if (id === this.#search.world && entry >= this.#begin) this.#note(world);
		return this.#isOver;
	}

	ended(): boolean {
		return this.#isOver;
	}

	get result(): PastEvents {
		return { events: this.#log.events, rows: this.#rows, since: this.#since, next: this.#next };
	}

	#note(world: World): void {
		const { from_tick, to_tick, limit, fields, filter, every } = this.#search;
		if (this.#isOver || world.tick <= Math.max(from_tick, this.#last)) return;
		this.#last = world.tick;
		this.#isOver = to_tick !== null && world.tick > to_tick;
		if (this.#isOver) return;
		this.#since ??= world.tick - 1;
		this.#until ??= this.#now() + MAX_MS;
		this.#log.take(world);
		if (fields.length > 0 && world.tick % every === 0) {
			const look = new ConditionLook(world);
			for (const id of look.members(filterOf(filter)))
				this.#rows.push([world.tick, id, ...fields.map((field) => fieldOf(look, id, field))]);
		}
		const isFull = Math.max(this.#log.events.length, this.#rows.length) >= limit;
		this.#isOver = isFull || this.#now() > this.#until;
		if (this.#isOver) this.#next = world.tick;
	}
}
