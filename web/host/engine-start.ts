/**
 * Start of an engine: an empty world, or the newest state of its journal.
 * Owns: acquiring the journal's lease before it is read, and the identity of the world.
 */

import { newIdentity } from '../../shared/transport/identity.ts';
import { type Journal, JournalError, type JournalExtent } from '../../shared/transport/journal.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import { JournalMemory, MemoryJournal } from '../../shared/transport/memory-journal.ts';
import type { SavedWorlds } from '../store/saved-state.ts';
import type { EngineSettings } from './engine-settings.ts';
import { type Lineage, lineageOf } from './journal/lineage.ts';
import type { ReplayEnd } from './journal/replay.ts';
import { unpackState } from './journal/state.ts';

/** Maximum number of bytes of a journal in memory. */
const MAX_MEMORY_BYTES = 64 * 2 ** 20;

/** Entries that follow a state of a journal. */
export interface StateStart {
	/** Number of the first entry after the state (`at`), and the number after the last entry (`end`). */
	readonly at: number;
	readonly end: number;
	/** Entries that must be re-run; null for all. */
	readonly lineage: Lineage | null;
}

export interface EngineStart {
	readonly journal: Journal;
	/** Epoch of the lease; 0 for an engine that only reads the past. */
	readonly epoch: number;
	/** Entries to re-run after the state; null for an empty journal. */
	readonly after: StateStart | null;
	/** The state to begin with; undefined for an empty journal. */
	readonly saved: SavedWorlds | undefined;
	readonly identity: string;
	/** Bytes that the journal may take; undefined if it has no limit. */
	readonly journalBytes?: number | undefined;
	readonly lastWorld: LastWorld | null;
}

/** Acquires the lease, and returns the start of an engine. Rejects with a `JournalError` for a journal that cannot be read. */
export async function startOf(settings: EngineSettings): Promise<EngineStart> {
	const { moment } = settings;
	const journal = settings.journal ?? new MemoryJournal(new JournalMemory(MAX_MEMORY_BYTES));
	// An engine that reads the past writes nothing, so it needs no lease.
	const epoch = moment === undefined ? await journal.acquire() : 0;
	const extent = await journal.extent();
	const { saved, after } = await newestState(journal, extent, moment);
	return {
		journal,
		epoch,
		after,
		saved,
		journalBytes: extent.most,
		identity: saved?.identity ?? newIdentity(),
		lastWorld: settings.lastWorld ?? saved?.lastWorld ?? null,
	};
}

/** Returns the state of a journal to begin with, and the entries that follow it. */
async function newestState(
	journal: Journal,
	{ next, states }: JournalExtent,
	moment: ReplayEnd | undefined,
): Promise<Pick<EngineStart, 'after' | 'saved'>> {
	if (next === 0 && states.length === 0) return { after: null, saved: undefined };
	const state = await journal.state(moment?.from ?? moment?.entry);
	if (state === null)
		throw new JournalError('damaged', 'The journal has entries, but not the state before them.');
	const lineage =
		moment?.world === undefined
			? null
			: await lineageOf(
					journal,
					moment.world,
					state.at,
					moment.entry + (moment.within === undefined ? 0 : 1),
				);
	return {
		saved: await unpackState(state.bytes, journal, lineage),
		after: { at: state.at, end: next, lineage },
	};
}
