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
	#resumed: number;

	constructor(running: RunningCall, now: () => number) {
		this.#call = running;
		this.#now = now;
		this.#resumed = now();
	}

	/** True if other calls have waited long enough. */
	get isTired(): boolean {
		return this.#now() - this.#resumed >= MAX_SLICE_MS;
	}

	/** Yields to other calls. */
	rest(): Promise<void> {
		return this.#waitFor(yieldToEventLoop());
	}

	/** Yields to other calls if they have waited long enough. Returns undefined otherwise. */
	breathe(): Promise<void> | undefined {
		return this.isTired ? this.rest() : undefined;
	}

	/** Runs work. Other calls run in between and while it waits. `begun`: the first step's result, if it has already run. */
	async run<T>(work: Generator<Promise<void> | void, T>, begun = work.next()): Promise<T> {
		for (let next = begun; ; next = work.next()) {
			if (next.done) return next.value;
			if (next.value !== undefined) await this.#waitFor(next.value);
			else if (this.isTired) await this.rest();
			if (this.#call.stop !== 'cancelled') continue;
			work.return(undefined as never);
			this.#call.requireWanted();
		}
	}

	async #waitFor(done: Promise<void>): Promise<void> {
		await done;
		this.#resumed = this.#now();
	}
}
