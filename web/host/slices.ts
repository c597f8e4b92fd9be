/**
 * Time slices of a call.
 * Owns: the pauses of its work, and the end of cancelled work.
 */

import type { RunningCall } from '../store/call-list.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Maximum time for ticks or requests before other calls run (ms). */
const MAX_SLICE_MS = 8;

export class Slices {
	readonly #call: RunningCall;
	readonly #now: () => number;
	/** Time at which this call last resumed. */
	#resumeTime: number;

	constructor(running: RunningCall, now: () => number) {
		this.#call = running;
		this.#now = now;
		this.#resumeTime = now();
	}

	/** True if the current slice has ended. */
	get isDue(): boolean {
		return this.#now() - this.#resumeTime >= MAX_SLICE_MS;
	}

	/** Yields to other calls. */
	pause(): Promise<void> {
		return this.#waitFor(yieldToEventLoop());
	}

	/** Yields to other calls if the current slice has ended. Returns undefined otherwise. */
	pauseIfDue(): Promise<void> | undefined {
		return this.isDue ? this.pause() : undefined;
	}

	/**
	 * Runs work. Other calls run between slices, and while the work waits. `first`: result of the first step, if it has already
	 * run.
	 */
	async run<T>(work: Generator<Promise<void> | void, T>, first = work.next()): Promise<T> {
		for (let next = first; ; next = work.next()) {
			if (next.done) return next.value;
			if (next.value !== undefined) await this.#waitFor(next.value);
			else if (this.isDue) await this.pause();
			if (this.#call.stop !== 'cancelled') continue;
			work.return(undefined as never);
			this.#call.requireRunning();
		}
	}

	async #waitFor(done: Promise<void>): Promise<void> {
		await done;
		this.#resumeTime = this.#now();
	}
}
