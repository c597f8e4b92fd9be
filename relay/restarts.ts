/**
 * Restarts of an engine that dies.
 * Owns: the waiting times: none at first, then longer and longer, until an engine has lived for a while.
 */

/** Restarts without a wait. */
const AT_ONCE = 5;
const FIRST_WAIT = 1000;
const MAX_WAIT = 30_000;
/** Milliseconds of holding the world that make up for one restart. */
const MAKES_UP = 5000;

export class Restarts {
	readonly #firstWait: number;
	#count = 0;
	/** Since when the engine has held the world, in milliseconds on the steady clock. */
	#holdsSince: number | undefined;

	/** `firstWait`: milliseconds of the first wait. */
	constructor(firstWait = FIRST_WAIT) {
		this.#firstWait = firstWait;
	}

	/** Restarts that no time of holding the world has made up for. */
	get count(): number {
		return this.#count;
	}

	/** Notes that the engine holds the world. */
	holds(): void {
		this.#holdsSince ??= performance.now();
	}

	/** Counts a restart. Returns the milliseconds until then. */
	next(): number {
		const elapsed = this.#holdsSince === undefined ? 0 : performance.now() - this.#holdsSince;
		this.#holdsSince = undefined;
		this.#count = Math.max(0, this.#count - elapsed / MAKES_UP) + 1;
		const late = Math.floor(this.#count) - AT_ONCE - 1;
		return late < 0 ? 0 : Math.min(MAX_WAIT, this.#firstWait * 2 ** late);
	}
}
