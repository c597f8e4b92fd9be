/**
 * Restarts of an engine that dies.
 * Owns: the waits before them. The first restarts have none, and later waits grow until an engine has run for a while.
 */

/** Number of restarts without a wait. */
const MAX_IMMEDIATE = 5;
/** First wait and maximum wait (ms). Each wait is twice as long as the previous one. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** Milliseconds of work that reduce the count by one restart. */
const FORGET_MS = 5000;

export class Restarts {
	readonly #firstWait: number;
	#count = 0;
	/** Milliseconds on the steady clock since which the engine has been ready. */
	#readySince: number | undefined;

	/** `firstWait`: milliseconds of the first wait. */
	constructor(firstWait = FIRST_WAIT_MS) {
		this.#firstWait = firstWait;
	}

	/** Number of recent restarts. It falls while an engine works. */
	get count(): number {
		return this.#count;
	}

	/** Notes that the engine is ready. */
	noteReady(): void {
		this.#readySince ??= performance.now();
	}

	/** Counts a restart. Returns the milliseconds to wait before it. */
	next(): number {
		const elapsed = this.#readySince === undefined ? 0 : performance.now() - this.#readySince;
		this.#readySince = undefined;
		this.#count = Math.max(0, this.#count - elapsed / FORGET_MS) + 1;
		const doublings = Math.floor(this.#count) - MAX_IMMEDIATE - 1;
		return doublings < 0 ? 0 : Math.min(MAX_WAIT_MS, this.#firstWait * 2 ** doublings);
	}
}
