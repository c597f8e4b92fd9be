/**
 * Reads a journal as lines, and finds the entry of a past moment.
 * Never: changes the journal or a world.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry, type ReadEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { JournalLine, LineFilter } from '../../api/host-journal.ts';
import { rawEntries } from './raw-entries.ts';
import type { ReplayEnd, ReplayPace } from './replay.ts';

/** Number of bytes of entries that are read together. */
const PAGE_BYTES = 1024 * 1024;
/** Maximum number of entries that are read for one answer. */
const MAX_READ = 100_000;

/**
 * Yields the entries of a journal from `from` on, up to `end` (excluded) if it is given, with a pause before each. Throws `journal_cut`
 * and other errors of the journal.
 */
export async function* entriesFrom(
	journal: Journal,
	from: number,
	pace?: ReplayPace,
	end?: number,
): AsyncGenerator<JournalLine> {
	try {
		for await (const { at, entry } of rawEntries(journal, from, {
			pageBytes: PAGE_BYTES,
			...(end === undefined ? {} : { end }),
		})) {
			await pace?.yieldIfDue();
			yield { entry: at, head: decodeEntry(entry).head };
		}
	} catch (error) {
		if (error instanceof JournalError && error.fault === 'cut')
			throw new ApiError('journal_cut', error.message);
		throw error;
	}
}

/** Returns lines of the history from an entry on, and the entry to continue with: null at the end. */
export async function linesOf(
	journal: Journal,
	from: number | undefined,
	limit: number,
	filter: LineFilter,
	pace: ReplayPace,
): Promise<{ readonly lines: readonly JournalLine[]; readonly next: number | null }> {
	const lines: JournalLine[] = [];
	const start = from ?? (await journal.extent()).first;
	for await (const line of entriesFrom(journal, start, pace)) {
		if (lines.length === limit || line.entry - start === MAX_READ) return { lines, next: line.entry };
		if (matchesFilter(line, filter)) lines.push(line);
	}
	return { lines, next: null };
}

function matchesFilter({ head }: JournalLine, { of, sender, path, from_tick, to_tick }: LineFilter): boolean {
	const call: CallHead | null = head.kind === 'call' ? head : null;
	// An entry between calls without ticks has only digests, or assets that reads have loaded.
	if (head.kind === 'between' && head.worlds.every(({ ticks }) => ticks === 0)) return false;
	if (sender !== undefined && call?.sender.name !== sender) return false;
	if (path !== undefined && call?.path.startsWith(path) !== true) return false;
	const removed = call?.gone ?? [];
	const worldHeads = head.worlds.filter(({ id }) => of === undefined || id === of);
	if (of !== undefined && worldHeads.length === 0 && !removed.includes(of)) return false;
	if (from_tick === undefined && to_tick === undefined) return true;
	const [low, high] = [from_tick ?? 0, to_tick ?? Number.POSITIVE_INFINITY];
	return worldHeads.some(({ tick }) => tick >= low && tick <= high);
}

/** Returns the last moment at which a world was at a tick, according to the heads of the entries. Throws `no_moment`. */
export async function momentOf(
	journal: Journal,
	world: string,
	tick: number,
	pace: ReplayPace,
): Promise<ReplayEnd> {
	// Entries that other calls write meanwhile are ignored.
	const { first, next } = await journal.extent();
	let moment: ReplayEnd | null = tick === 0 && first === 0 ? { entry: 0 } : null;
	/** Tick of the world before the current entry; undefined if no entry has it. */
	let lastTick: number | undefined = first === 0 && world === 'main' ? 0 : undefined;
	for await (const { entry, head } of entriesFrom(journal, first, pace, next)) {
		if (head.kind === 'call' && head.gone?.includes(world)) lastTick = undefined;
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead === undefined) {
			// The entry did not change this world.
			continue;
		}
		if (worldHead.tick === tick) moment = { entry: entry + 1 };
		else if ((lastTick === undefined || lastTick < tick) && worldHead.tick > tick && runsTicks(head))
			moment = { entry, within: { world, tick } };
		lastTick = worldHead.tick;
	}
	if (moment !== null) return moment;
	throw new ApiError(
		'no_moment',
		`The stored journal has no time at which the world "${world}" was at tick ${tick}.`,
	);
}

/** Returns true if an entry runs ticks one by one. A call that replaces the world, such as redo, skips ticks. */
const runsTicks = (head: ReadEntry['head']): boolean =>
	head.kind === 'between' || findRoute(head.method, head.path).route.stepwise === true;
