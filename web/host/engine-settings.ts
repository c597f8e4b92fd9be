/**
 * Settings of an engine. Types only.
 */

import type { Journal } from '../../shared/transport/journal.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import type { Files } from '../store/files.ts';
import type { ReplayEnd, ReplayPace } from './journal/replay.ts';
import type { StateEvery } from './journal/state-keeper.ts';
import type { PoolSettings } from './pool.ts';

export interface EngineSettings {
	readonly profile?: 'full' | 'bare';
	/** World seed, a whole number from 0 to 2^53 - 1. */
	readonly seed?: number;
	/** End of the last world, if this engine begins after a loss. */
	readonly lastWorld?: LastWorld | null;
	readonly files?: Files;
	/** Journal of everything that is applied, in memory unless given. Its world is resumed; `seed` is for an empty one. */
	readonly journal?: Journal;
	/** Limits after which the journal gets a whole state. */
	readonly stateEvery?: Partial<StateEvery>;
	/** To see what was at a moment that the journal knows, and write nothing to it. */
	readonly moment?: ReplayEnd;
	/** For the reading of a journal that others may end, and that lets them have their turn. */
	readonly pace?: ReplayPace;
	/** Milliseconds since 1970. */
	readonly clock?: () => number;
	/** Called while a journal is read, with the number of the next entry and of the one after the last. */
	readonly replaying?: (next: number, end: number) => void;
	/** True: writes need a session, until a relay reports otherwise. */
	readonly gated?: boolean;
	/** Number of the agent that owns main; undefined for the operators. For an empty journal. */
	readonly owner?: number;
	/** Reads a file of `public/`, null if there is none; nothing is there unless given. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Maximum number of bytes of memory that all worlds may take; MEMORY_BUDGET unless given. */
	readonly memoryBudget?: number;
	/**
	 * Heavy mode: one tick in N is run again, on a fork and on the world saved and loaded. All results must be equal.
	 * Undefined for none.
	 */
	readonly verify?: number;
	/** The largest file, in bytes; MAX_DOCUMENT_BYTES unless given. */
	readonly mostFileBytes?: number;
	/** Workers for calls about copies of a world; all is run in place unless given. */
	readonly pool?: PoolSettings;
	/** Longest that a read may take (ms); two minutes unless given. */
	readonly readMs?: number;
	/** Longest turn of an agent's call while others wait (ms); five seconds unless given. */
	readonly turnMs?: number;
	/** Milliseconds on some clock that only goes forward. */
	readonly now?: () => number;
	/** Called with faults of the engine itself. */
	readonly report?: (message: string, error: unknown) => void;
}
