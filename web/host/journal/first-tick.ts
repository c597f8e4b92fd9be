/**
 * Searches for the first tick at which a condition holds, by re-running the journal.
 * Owns: the start of the search, its time limit, and the evaluations: on each tick of the world and after each call.
 * Never: changes a world that is in use.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { batch } from '../../../shared/routes/batch.ts';
import type { Journal } from '../../../shared/transport/journal.ts';
import type { ReadEntry } from '../../../shared/transport/journal-entry.ts';
import type { FirstTick, SearchPlace, TickFound, TickSearch } from '../../api/host-journal.ts';
import { digest } from '../../sim/core/digest.ts';
import type { World } from '../../sim/core/world.ts';
import { ConditionWatch } from '../../sim/rules/conditions/watch.ts';
import { MAIN, type WorldEntry, type Worlds } from '../../store/worlds.ts';
import { candidatesOf, eventsNeeded } from './happened-index.ts';
import { entriesFrom } from './history.ts';
import { lineBeginOf } from './line-begin.ts';
import type { ReplayEnd, ReplayPace } from './replay.ts';

/**
 * Maximum time of a search (ms); another search can continue it. Re-running the entries before its start takes additional time.
 */
const MAX_MS = 15_000;

/** Searches the journal. Without `after` and `from_tick`, it skips worlds that the present world replaced. */
export async function searchFirstTick(
	journal: Journal,
	search: TickSearch,
	now: () => number,
	pace: ReplayPace,
	rebuild: (moment: ReplayEnd) => Promise<void>,
): Promise<TickFound> {
	const hasNoStart = search.after === undefined && search.from_tick === undefined;
	const begin = hasNoStart ? await lineBeginOf(journal, search.world, pace) : null;
	if (begin === null) return { ...(await searchEntries(journal, search, now, pace, rebuild)), begin };
	const after = { entry: begin.entry, looks: 0 };
	return { ...(await searchEntries(journal, { ...search, after }, now, pace, rebuild, true)), begin };
}

/** Runs the search. `isWhole`: the world began at `after`, so no earlier search has evaluated it. */
async function searchEntries(
	journal: Journal,
	search: TickSearch,
	now: () => number,
	pace: ReplayPace,
	rebuild: (moment: ReplayEnd) => Promise<void>,
	isWhole = search.after === undefined,
): Promise<TickFound> {
	const { next } = await journal.extent();
	const from = await beginOf(journal, search, pace);
	if (from === null) return { found: null, next: null, searched_to: null };
	const tickSearch = new FirstTickSearch(search, now);
	const needed = eventsNeeded(search.condition);
	if (needed === null) {
		await rebuild({ entry: next, from, world: search.world, search: tickSearch });
		return tickSearch.result;
	}
	const { entries, tick, searched_to } = await candidatesOf(
		journal,
		search,
		needed,
		search.after?.entry ?? from,
		pace,
	);
	const nothing = { found: null, next: null, searched_to };
	if (entries === null) return nothing;
	const [first, last] = entries;
	// The entry with which the world began may have marks of the replaced world.
	if (tick !== null && isWhole && first !== search.after?.entry)
		return { ...nothing, found: { tick, entry: first, digest: null, entities: null } };
	const { states } = await journal.extent();
	const begin = Math.max(from, states.findLast((at) => at <= first) ?? from);
	await rebuild({ entry: last + 1, from: begin, world: search.world, search: tickSearch });
	return tickSearch.isOver ? tickSearch.result : nothing;
}

/** Returns the entry number of the newest state before the searched range; null if the range is empty. */
async function beginOf(journal: Journal, search: TickSearch, pace: ReplayPace): Promise<number | null> {
	const { world, from_tick = 0, after } = search;
	const { first, states } = await journal.extent();
	const [oldest = null] = states;
	if (after !== undefined) {
		const state = states.findLast((at) => at <= after.entry);
		if (state !== undefined) return state;
		throw new ApiError(
			'journal_cut',
			`The search cannot continue from "after": the oldest stored entry is ${first}.`,
			{
				fix: 'Leave "after" out to search from the oldest state on.',
			},
		);
	}
	if (from_tick === 0) return oldest;
	for await (const { entry, head } of entriesFrom(journal, first, pace)) {
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead === undefined ? !canHaveCreated(head, world) : worldHead.tick < from_tick) continue;
		return states.findLast((at) => at <= entry) ?? oldest;
	}
	return null;
}

/** Returns true if an entry may have created and deleted a world without naming it. */
const canHaveCreated = (head: ReadEntry['head'], world: string): boolean =>
	world !== MAIN && head.kind === 'call' && head.path === batch.path;

/** Evaluates the condition while a world is rebuilt. */
export class FirstTickSearch implements TickFound {
	found: FirstTick | null = null;
	next: SearchPlace | null = null;
	readonly #search: TickSearch;
	readonly #now: () => number;
	readonly #watch: ConditionWatch;
	/** Last tick that was evaluated. Calls may have changed the world since. */
	#evaluatedTick = -1;
	/** Current position of the search. */
	#position: SearchPlace = { entry: -1, looks: 0 };
	/** Time at which the search must stop; null before it has begun. */
	#deadline: number | null = null;

	constructor(search: TickSearch, now: () => number) {
		this.#search = search;
		this.#now = now;
		this.#watch = new ConditionWatch(search.condition, search.from_tick);
	}

	/** Evaluates a world after a tick within an entry. Returns true to stop. */
	onTick(entry: number, { id, world }: Pick<WorldEntry, 'id' | 'world'>): boolean {
		return id === this.#search.world ? this.#evaluate(entry, world) : this.isOver;
	}

	/** Evaluates the world after an entry. Returns true to stop. */
	onEntryEnd(entry: number, worlds: Worlds): boolean {
		const sought = worlds.all().find(({ id }) => id === this.#search.world);
		return this.#evaluate(entry, sought?.world);
	}

	/** Last tick that was evaluated; null if none was. */
	get searched_to(): number | null {
		return this.#evaluatedTick < 0 ? null : this.#evaluatedTick;
	}

	get result(): TickFound {
		const { found: first, next, searched_to } = this;
		return { found: first, next, searched_to };
	}

	/** True if the tick was found, or the search took too long. */
	get isOver(): boolean {
		return this.found !== null || this.next !== null;
	}

	#evaluate(entry: number, world: World | undefined): boolean {
		if (this.isOver) return true;
		const position = { entry, looks: entry === this.#position.entry ? this.#position.looks + 1 : 1 };
		this.#position = position;
		const { from_tick = 0, after } = this.#search;
		const order = after === undefined ? 1 : compare(position, after);
		if (order < 0) return false;
		const isInRange = world !== undefined && world.tick >= from_tick;
		if (isInRange) {
			const wasEvaluated = this.#evaluatedTick === world.tick;
			const passed = wasEvaluated ? this.#watch.holdsIn(world) : this.#watch.find(world).passed;
			this.#evaluatedTick = world.tick;
			// An earlier search evaluated the position `after`, but its memory of the condition is not known here.
			if (passed && order > 0) this.found = firstTickIn(entry, world);
		}
		if (isInRange || from_tick === 0 || after !== undefined) this.#deadline ??= this.#now() + MAX_MS;
		const isLate = this.#deadline !== null && this.#now() > this.#deadline;
		if (this.found === null && order > 0 && isLate) this.next = position;
		return this.isOver;
	}
}

const compare = (a: SearchPlace, b: SearchPlace): number => a.entry - b.entry || a.looks - b.looks;

const firstTickIn = (entry: number, world: World): FirstTick => ({
	entry,
	tick: world.tick,
	digest: digest(world),
	entities: world.entities.count,
});
