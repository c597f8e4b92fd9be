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
	/** Loss of the world before this engine, if there was one. */
	readonly lastWorld?: LastWorld | null;
	readonly files?: Files;
	/** Journal of all applied calls; in memory if omitted. The engine resumes its world. `seed` is only for an empty journal. */
	readonly journal?: Journal;
	/** Limits after which a whole state is written to the journal. */
	readonly stateEvery?: Partial<StateEvery>;
	/** Past moment to which the engine replays the journal. It writes nothing then. */
	readonly moment?: ReplayEnd;
	/** Pauses and cancellation while the journal is read. */
	readonly pace?: ReplayPace;
	/** Milliseconds since 1970. */
	readonly clock?: () => number;
	/** Called while a journal is read, with the number of the next entry and the number after the last one. */
	readonly replaying?: (next: number, end: number) => void;
	/** True if writes need a session, until a relay reports otherwise. */
	readonly gated?: boolean;
	/** Number of the agent that owns main; undefined for the operators. Used only for an empty journal. */
	readonly owner?: number;
	/** Reads a file of `public/`; null if it does not exist. Omitted: there are no files. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Maximum memory for all worlds in bytes; MEMORY_BUDGET if omitted. */
	readonly memoryBudget?: number;
	/**
	 * Heavy mode: every `verify`th tick runs again, on a fork and on a copy that was saved and loaded. All results must be equal.
	 * Undefined: no tick is verified.
	 */
	readonly verify?: number;
	/** Maximum size of a file in bytes; MAX_DOCUMENT_BYTES if omitted. */
	readonly mostFileBytes?: number;
	/** Workers for calls about copies of a world. Omitted: all work runs on the engine's thread. */
	readonly pool?: PoolSettings;
	/** Maximum time of a read (ms); two minutes if omitted. */
	readonly readMs?: number;
	/** Maximum duration of an agent's call while others wait (ms); five seconds if omitted. */
	readonly turnMs?: number;
	/** Milliseconds on a monotonic clock. */
	readonly now?: () => number;
	/** Called with faults of the engine itself. */
	readonly report?: (message: string, error: unknown) => void;
}
