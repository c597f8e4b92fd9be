/**
 * Stores whole states between the entries of a journal.
 * Owns: the time of the next state, and its storage while calls run.
 */

import { type Journal, JournalError } from '../../../shared/transport/journal.ts';

/** Limits after which a state is stored: entries, bytes of entries, ticks of play, or work. The first one counts. */
export interface StateEvery {
	readonly entries: number;
	readonly bytes: number;
	readonly ticks: number;
	/** Time of the calls and ticks (ms). A replay takes about as long. */
	readonly work: number;
}

export const STATE_EVERY: StateEvery = { entries: 2000, bytes: 16 * 1024 * 1024, ticks: 36_000, work: 5000 };

/** Entries, bytes, ticks and work since a state. */
type StateCounts = { -readonly [K in keyof StateEvery]: StateEvery[K] };

const ZERO_COUNTS: StateEvery = { entries: 0, bytes: 0, ticks: 0, work: 0 };

/** Time of a fast save (ms), and the maximum share of the time that slower saves may take. */
const QUICK_SAVE_MS = 20;
const MAX_SAVE_SHARE = 0.05;

/** A whole state, ready to be stored. */
export interface PackedState {
	readonly pieces: readonly Uint8Array[];
	/** Hashes of all blobs that the state names. The journal has them. */
	readonly blobs: readonly string[];
	/** Time for which the packing blocked the thread (ms). It pauses after each world. */
	readonly work: number;
}

/** Copy of an engine's state. Exactly one of the methods is called, once. */
export interface StateSource {
	/** Packs the state, with pauses for other work. `known`: blobs that the journal has. */
	pack(known: ReadonlySet<string>): Promise<PackedState>;
	dispose(): void;
}

export interface StateKeeperOptions {
	readonly journal: Journal;
	/** Epoch of the lease under which states are stored. */
	readonly epoch: number;
	/** Milliseconds on a monotonic clock. */
	readonly now: () => number;
	/** Returns a copy of the current state. */
	readonly state: () => StateSource;
	readonly every: StateEvery;
	/** Called with faults that no answer reports. */
	readonly report: (message: string, error: unknown) => void;
}

export class StateKeeper {
	readonly #options: StateKeeperOptions;
	#counts: StateCounts;
	/** Duration and time of the last save of a state. */
	#lastSave = { took: 0, at: 0 };
	#storing: Promise<void> | null = null;
	/** Hashes of the blobs of the newest stored state. The journal has them. */
	#blobs: ReadonlySet<string> = new Set();

	/** `read`: entries, ticks and work since the last state. */
	constructor(options: StateKeeperOptions, read: Partial<StateEvery>) {
		this.#options = options;
		this.#counts = { ...ZERO_COUNTS, ...read };
	}

	/** Entries since the last state. */
	get entries(): number {
		return this.#counts.entries;
	}

	/** Adds entries, ticks or work that a replay would re-run. */
	add(counts: Partial<StateEvery>): void {
		for (const [key, by] of Object.entries(counts)) this.#counts[key as keyof StateEvery] += by;
	}

	/** Stores a state before entry `at` if one is due, after the promise of `whenStored` has resolved. */
	storeIfDue(at: number, whenStored: () => Promise<void>): void {
		const { every, now } = this.#options;
		const isDue = Object.entries(every).some(
			([key, limit]) => this.#counts[key as keyof StateEvery] >= limit,
		);
		if (!isDue) return;
		const { took, at: lastTime } = this.#lastSave;
		if (took > QUICK_SAVE_MS && (now() - lastTime) * MAX_SAVE_SHARE < took) return;
		// A failure is reported where it happens.
		if (this.#storing === null) this.store(at, whenStored()).catch(() => {});
	}

	/**
	 * Stores the current state before entry `at`, once the journal has the earlier entries. If this fails, reports the error and
	 * rejects.
	 */
	store(at: number, earlierEntries: Promise<void>): Promise<void> {
		const { journal, epoch, state, now, report } = this.#options;
		const beginTime = now();
		const source = state();
		const elapsed = now() - beginTime;
		this.#counts = { ...ZERO_COUNTS };
		const storing = (async () => {
			try {
				await earlierEntries;
			} catch {
				// The caller of the entry gets the error. The next state is stored when it is due.
				source.dispose();
				return;
			}
			const { pieces, blobs, work } = await source.pack(this.#blobs);
			this.#lastSave = { took: elapsed + work, at: now() };
			await journal.keepState(epoch, at, pieces, blobs);
			this.#blobs = new Set(blobs);
		})();
		this.#storing = storing
			.catch((error: unknown) => {
				// The next owner stores its own states.
				const isFenced = error instanceof JournalError && error.fault === 'fenced';
				if (!isFenced) report('A state could not be stored in the journal. The entries are stored.', error);
			})
			.finally(() => {
				this.#storing = null;
			});
		return storing;
	}

	/** Resolves when no state is being stored. */
	async whenIdle(): Promise<void> {
		await this.#storing;
	}
}
