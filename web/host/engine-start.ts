/**
 * Start of an engine: an empty world, saved worlds, or the newest state of a journal.
 * Owns: acquiring the journal's lease before it is read, and the identity of the world.
 */

import { newIdentity } from '../../shared/contract/identity.ts';
import { type Journal, JournalError, type JournalExtent } from '../../shared/contract/journal.ts';
import type { LastWorld } from '../../shared/contract/link.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { SavedWorlds } from './frames.ts';
import type { Lineage } from './journal/lineage.ts';
import type { Moment } from './journal/replay.ts';

/** Loaded only by engines that have a journal. */
const withJournal = () => import('./journal/with-journal.ts');

/** A journal, and what an engine needs with one. */
export type Keeping = { readonly journal: Journal } & Awaited<ReturnType<typeof withJournal>>;

/** A state of a journal, and the entries that follow it. */
export interface KeptStart {
	readonly saved: SavedWorlds;
	readonly inflated: (bytes: Uint8Array) => Promise<Uint8Array>;
	/** Number of the first entry after it, and of the one after the last. */
	readonly at: number;
	readonly end: number;
	/** The entries that have to be re-run; null for all. */
	readonly lineage: Lineage | null;
}

export interface EngineStart {
	/** Null without a journal. */
	readonly keeping: Keeping | null;
	/** Of the lease; 0 for an engine that only looks at a moment. */
	readonly epoch: number;
	/** Null for a journal that is empty. */
	readonly kept: KeptStart | null;
	readonly saved: SavedWorlds | undefined;
	readonly identity: string;
	readonly lastWorld: LastWorld | null;
}

/** Throws a `JournalError` for a journal that cannot be read. */
export async function startOf(settings: EngineSettings): Promise<EngineStart> {
	const { journal, moment } = settings;
	const keeping = journal === undefined ? null : { journal, ...(await withJournal()) };
	// An engine that looks at a moment writes nothing.
	const epoch = moment === undefined ? ((await journal?.acquire()) ?? 0) : 0;
	const extent = await journal?.extent();
	const kept = extent === undefined ? null : await keptIn(journal!, extent, moment);
	const saved = kept?.saved ?? settings.saved;
	return {
		keeping,
		epoch,
		kept,
		saved,
		identity: saved?.identity ?? newIdentity(),
		lastWorld: settings.lastWorld ?? saved?.lastWorld ?? null,
	};
}

/** The state of a journal to begin with; null when the journal is empty. */
async function keptIn(
	journal: Journal,
	{ next, states }: JournalExtent,
	moment: Moment | undefined,
): Promise<KeptStart | null> {
	if (next === 0 && states.length === 0) return null;
	const state = await journal.state(moment?.from ?? moment?.entry);
	if (state === null)
		throw new JournalError('damaged', 'The journal has entries, but not the state before them.');
	const { inflatedWhole, lineageOf, unpackState } = await withJournal();
	const lineage =
		moment?.of === undefined
			? null
			: await lineageOf(journal, moment.of, state.at, moment.entry + (moment.within === undefined ? 0 : 1));
	return {
		saved: await unpackState(state.bytes, journal, lineage),
		inflated: inflatedWhole,
		at: state.at,
		end: next,
		lineage,
	};
}
