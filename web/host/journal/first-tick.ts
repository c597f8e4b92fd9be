/**
 * The first tick at which a condition holds, by making what the journal says again.
 * Owns: where that begins, and when it is looked: on each tick of the world as it was made, and after each call.
 * Never: changes a world that anybody has.
 */

import type { Journal } from '../../../shared/contract/journal.ts';
import { digest } from '../../sim/core/digest.ts';
import type { World } from '../../sim/core/world.ts';
import { Watch } from '../../sim/rules/conditions/watch.ts';
import type { WorldEntry, Worlds } from '../worlds.ts';
import { entriesFrom } from './history.ts';
import type { FirstTick, TickSearch } from './host-journal.ts';
import type { Moment } from './replay.ts';

/** Null when it has never held. */
export async function firstTick(
	journal: Journal,
	search: TickSearch,
	make: (moment: Moment) => Promise<void>,
): Promise<FirstTick | null> {
	const { next } = await journal.extent();
	const from = await beginOf(journal, search);
	if (from === null) return null;
	const looking = new Search(search);
	await make({ entry: next, from, search: looking });
	return looking.found;
}

/** The newest state before everything that is asked about; null when nothing is. */
async function beginOf(journal: Journal, { world, from_tick = 0 }: TickSearch): Promise<number | null> {
	const { first, states } = await journal.extent();
	const [oldest = null] = states;
	if (from_tick === 0) return oldest;
	for await (const { entry, head } of entriesFrom(journal, first)) {
		const standing = head.worlds.find(({ id }) => id === world);
		if (standing === undefined || standing.tick < from_tick) continue;
		return states.findLast((at) => at <= entry) ?? oldest;
	}
	return null;
}

/** Looks at a world while it is made again. */
export class Search {
	found: FirstTick | null = null;
	readonly #search: TickSearch;
	readonly #watch: Watch;
	/** The tick that was looked at last, since when the world may have changed without one. */
	#looked = -1;

	constructor(search: TickSearch) {
		this.#search = search;
		this.#watch = new Watch(search.condition, search.from_tick);
	}

	/** Whether it holds after a tick of a world, made within an entry. */
	ticked(entry: number, { id, world }: Pick<WorldEntry, 'id' | 'world'>): boolean {
		const { from_tick = 0, world: sought } = this.#search;
		if (this.found !== null) return true;
		if (id !== sought || world.tick < from_tick) return false;
		const known = this.#looked === world.tick;
		const passed = known ? this.#watch.holdsIn(world) : this.#watch.find(world).passed;
		this.#looked = world.tick;
		if (passed) this.found = found(entry, world);
		return passed;
	}

	/** The same after an entry. */
	ended(entry: number, worlds: Worlds): boolean {
		const sought = worlds.all().find(({ id }) => id === this.#search.world);
		return sought !== undefined && this.ticked(entry, sought);
	}
}

const found = (entry: number, world: World): FirstTick => ({
	entry,
	tick: world.tick,
	digest: digest(world),
	entities: world.entities.count,
});
