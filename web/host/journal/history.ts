/**
 * A journal as people and agents read it, and the position of a moment in it.
 * Owns: neither the journal nor the worlds.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { type CallHead, decodeEntry, type ReadEntry } from '../../../shared/transport/journal-entry.ts';
import { findRoute } from '../../api/find-route.ts';
import type { JournalLine, LineFilter } from '../../api/host-journal.ts';
import { rawEntries } from './raw-entries.ts';
import type { ReplayEnd, ReplayPace } from './replay.ts';

/** Bytes of entries that are read at once. */
const PAGE_BYTES = 1024 * 1024;
/** Maximum number of entries that are looked at for one answer. */
const MAX_LOOKED = 100_000;

/**
 * Returns the entries of a journal from one on, before `end` if it is given, with a rest after each. Throws
 * `journal_cut` and what the journal says.
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
			await pace?.breathe();
			yield { entry: at, head: decodeEntry(entry).head };
		}
	} catch (error) {
		if (error instanceof JournalError && error.fault === 'cut')
			throw new ApiError('journal_cut', error.message);
		throw error;
	}
}

/** Lines of the history from one entry on, and where to continue; null at the end. */
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
		if (lines.length === limit || line.entry - start === MAX_LOOKED) return { lines, next: line.entry };
		if (meets(line, filter)) lines.push(line);
	}
	return { lines, next: null };
}

function meets({ head }: JournalLine, { of, sender, path, from_tick, to_tick }: LineFilter): boolean {
	const call: CallHead | null = head.kind === 'call' ? head : null;
	// An entry that only has digests, or assets that came with reads.
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

/**
 * Returns the last moment at which a world had a tick, as far as the journal tells before it is rebuilt. Throws
 * `no_moment`.
 */
export async function momentOf(
	journal: Journal,
	world: string,
	tick: number,
	pace: ReplayPace,
): Promise<ReplayEnd> {
	// What others write meanwhile comes after the call.
	const { first, next } = await journal.extent();
	let found: ReplayEnd | null = tick === 0 && first === 0 ? { entry: 0 } : null;
	/** State of the world before the entry that is looked at; undefined if no entry has it. */
	let stood: number | undefined = first === 0 && world === 'main' ? 0 : undefined;
	for await (const { entry, head } of entriesFrom(journal, first, pace, next)) {
		if (head.kind === 'call' && head.gone?.includes(world)) stood = undefined;
		const worldHead = head.worlds.find(({ id }) => id === world);
		if (worldHead === undefined) {
			// Whatever else happened at that tick, the world is as it was.
			continue;
		}
		if (worldHead.tick === tick) found = { entry: entry + 1 };
		else if ((stood === undefined || stood < tick) && worldHead.tick > tick && makesTicks(head))
			found = { entry, within: { world, tick } };
		stood = worldHead.tick;
	}
	if (found !== null) return found;
	throw new ApiError(
		'no_moment',
		`The stored journal has no time at which the world "${world}" was at tick ${tick}.`,
	);
}

/**
 * Returns true if it makes ticks in order; a call that replaces the world, such as redo, leaps over them.
 */
const makesTicks = (head: ReadEntry['head']): boolean =>
	head.kind === 'between' || findRoute(head.method, head.path).route.stepwise === true;
