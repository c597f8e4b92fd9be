/**
 * Whole states between the entries of a journal.
 * Owns: the time of the next state, and storing it beside the calls.
 */

import { type Journal, JournalError } from '../../../shared/transport/journal.ts';

/** Limits after which a state is kept: entries, bytes of entries, ticks of play or milliseconds of work, whichever comes first. */
export interface StateEvery {
	readonly entries: number;
	readonly bytes: number;
	readonly ticks: number;
	/** Replaying takes about as long as it took. */
	readonly work: number;
}

export const STATE_EVERY: StateEvery = { entries: 2000, bytes: 16 * 1024 * 1024, ticks: 36_000, work: 5000 };

/** Entries, bytes, ticks and work since a state. */
type Since = { -readonly [K in keyof StateEvery]: StateEvery[K] };

const NOTHING: StateEvery = { entries: 0, bytes: 0, ticks: 0, work: 0 };

/** A state that took longer than this to save (ms) waits until it takes no more than this share of the time. */
const QUICK_SAVE_MS = 20;
const SAVE_SHARE = 0.05;

/** A whole state, ready to be kept. */
export interface PackedState {
	readonly pieces: readonly Uint8Array[];
	/** Hashes of all the blobs that it names, which the journal has. */
	readonly blobs: readonly string[];
	/** Milliseconds for which nothing else could be done while it was packed, one world at a time. */
	readonly work: number;
}

/** Everything as it was at a moment: one of the two is called, once. */
export interface HeldMoment {
	/** May take a while, and yields to others. `known`: blobs that the journal has. */
	pack(known: ReadonlySet<string>): Promise<PackedState>;
	drop(): void;
}

export interface StateKeeperOptions {
	readonly journal: Journal;
	/** Of the lease under which states are stored. */
	readonly epoch: number;
	/** Milliseconds on some clock that only goes forward. */
	readonly now: () => number;
	/** Returns everything as it is now. */
	readonly state: () => HeldMoment;
	readonly every: StateEvery;
	/** Called with faults that no caller hears of. */
	readonly report: (message: string, error: unknown) => void;
}

export class StateKeeper {
	readonly #options: StateKeeperOptions;
	#since: Since;
	/** Duration and time of the last save of a state. */
	#saved = { took: 0, at: 0 };
	#stating: Promise<void> | null = null;
	/** Hashes that the newest stored state names, so the journal has them. */
	#blobs: ReadonlySet<string> = new Set();

	/** `read`: what came since the last state. */
	constructor(options: StateKeeperOptions, read: Partial<StateEvery>) {
		this.#options = options;
		this.#since = { ...NOTHING, ...read };
	}

	/** Entries since the last state. */
	get entries(): number {
		return this.#since.entries;
	}

	/** Counts something that a replay would have to re-run. */
	count(more: Partial<StateEvery>): void {
		for (const [what, by] of Object.entries(more)) this.#since[what as keyof StateEvery] += by;
	}

	/** Keeps a state before entry `at`, if one is due, when `kept` has resolved. */
	keepInTime(at: number, onStored: () => Promise<void>): void {
		const { every, now } = this.#options;
		const isDue = Object.entries(every).some(([what, most]) => this.#since[what as keyof StateEvery] >= most);
		if (!isDue) return;
		const { took, at: saved } = this.#saved;
		if (took > QUICK_SAVE_MS && (now() - saved) * SAVE_SHARE < took) return;
		// A failure is reported where it happens.
		if (this.#stating === null) this.keep(at, onStored()).catch(() => {});
	}

	/** Keeps everything as it is now, before entry `at`, after `before`, which it contains. Rejects when it could not be stored, which is reported as well. */
	keep(at: number, before: Promise<void>): Promise<void> {
		const { journal, epoch, state, now, report } = this.#options;
		const startedAt = now();
		const moment = state();
		const elapsed = now() - startedAt;
		this.#since = { ...NOTHING };
		const storing = (async () => {
			try {
				await before;
			} catch {
				// Its caller hears of it; the next state comes when it is time again.
				moment.drop();
				return;
			}
			const { pieces, blobs, work } = await moment.pack(this.#blobs);
			this.#saved = { took: elapsed + work, at: now() };
			await journal.keepState(epoch, at, pieces, blobs);
			this.#blobs = new Set(blobs);
		})();
		this.#stating = storing
			.catch((error: unknown) => {
				// The next owner keeps its own.
				const isFenced = error instanceof JournalError && error.fault === 'fenced';
				if (!isFenced) report('A state could not be stored in the journal. The entries are stored.', error);
			})
			.finally(() => {
				this.#stating = null;
			});
		return storing;
	}

	/** Resolves when no state is being stored. */
	async idle(): Promise<void> {
		await this.#stating;
	}
}
