/**
 * The newest answered calls, for any view that shows them.
 * Owns: the number of calls, and those that no status has reported yet.
 */

import type { CallRecord } from '../frames/frames.ts';

/** Calls kept for the log until they are taken. */
const KEPT = 200;

export class CallLog {
	/** In the order of their answers, which is not that of their numbers. */
	#calls: CallRecord[] = [];
	#untold: CallRecord[] = [];

	add(record: CallRecord): void {
		this.#calls.push(record);
		this.#untold.push(record);
		if (this.#calls.length > 2 * KEPT) this.#calls = this.#calls.slice(-KEPT);
		if (this.#untold.length > KEPT) this.#untold.shift();
	}

	/** Those that were answered after the one of this number; where it is not known any more, those with a higher one. */
	after(number: number): CallRecord[] {
		const at = this.#calls.findIndex((call) => call.number === number);
		return at < 0 ? this.#calls.filter((call) => call.number > number) : this.#calls.slice(at + 1);
	}

	/** Calls that were not taken yet, at most 200. */
	take(): readonly CallRecord[] {
		const untold = this.#untold;
		this.#untold = [];
		return untold;
	}
}
