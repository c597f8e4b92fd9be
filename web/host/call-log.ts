/**
 * The newest answered calls, for views.
 * Owns: the limit of calls, and the calls that no status has reported yet.
 */

import type { CallRecord } from '../frames/frames.ts';

/** Maximum number of calls in the log, and of unreported calls. */
const KEPT = 200;

export class CallLog {
	/** Calls in the order of their answers, which differs from that of their numbers. */
	#calls: CallRecord[] = [];
	#untold: CallRecord[] = [];

	add(record: CallRecord): void {
		this.#calls.push(record);
		this.#untold.push(record);
		if (this.#calls.length > 2 * KEPT) this.#calls = this.#calls.slice(-KEPT);
		if (this.#untold.length > KEPT) this.#untold.shift();
	}

	/** Returns the calls that were answered after the call of a number. If the log no longer has it, compares numbers. */
	after(number: number): CallRecord[] {
		const at = this.#calls.findIndex((call) => call.number === number);
		return at < 0 ? this.#calls.filter((call) => call.number > number) : this.#calls.slice(at + 1);
	}

	/** Returns the calls that were not taken yet, at most 200. */
	take(): readonly CallRecord[] {
		const untold = this.#untold;
		this.#untold = [];
		return untold;
	}
}
