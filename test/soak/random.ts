/** Generator of random numbers that depend only on a seed (Park and Miller). */
export class Random {
	#state: number;

	/** `seed` is a whole number. */
	constructor(seed: number) {
		this.#state = (Math.abs(seed) % 2_147_483_646) + 1;
		// Close seeds have similar first numbers, so these are skipped.
		for (let i = 0; i < 8; i++) this.#next();
	}

	#next(): number {
		this.#state = (this.#state * 48_271) % 2_147_483_647;
		return this.#state;
	}

	/** Returns a whole number of at least 0 and below `end`. */
	below(end: number): number {
		return this.#next() % end;
	}

	/** Returns a number of at least 0 and below 1. */
	share(): number {
		return (this.#next() - 1) / 2_147_483_646;
	}
}
