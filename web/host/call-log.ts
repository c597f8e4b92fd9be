/**
 * Log of the newest answered calls, for views.
 * Owns: the limit of calls, and the calls that no status has reported yet.
 */

import type { CallRecord } from '../frames/frames.ts';

/** Maximum number of calls in the log, and of unreported calls. */
const MAX_CALLS = 200;

export class CallLog {
	/** Calls in the order of their answers, which differs from that of their numbers. */
	#calls: CallRecord[] = [];
	#unreported: CallRecord[] = [];

	add(record: CallRecord): void {
		this.#calls.push(record);
		this.#unreported.push(record);
		if (this.#calls.length > 2 * MAX_CALLS) this.#calls = this.#calls.slice(-MAX_CALLS);
		if (this.#unreported.length > MAX_CALLS) this.#unreported.shift();
	}

	/** Returns the calls that were answered after the call of a number. If the log no longer has that call, compares numbers. */
	callsAfter(number: number): CallRecord[] {
		const index = this.#calls.findIndex((call) => call.number === number);
		return index < 0 ? this.#calls.filter((call) => call.number > number) : this.#calls.slice(index + 1);
	}

	/** Returns the calls since the last call of this method, at most 200. */
	takeUnreported(): readonly CallRecord[] {
		const unreported = this.#unreported;
		this.#unreported = [];
		return unreported;
	}
}
