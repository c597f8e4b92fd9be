/** Numbers by chance that are the same again for the same seed (Park and Miller's generator). */
export class Random {
	#state: number;

	/** `seed`: a whole number. */
	constructor(seed: number) {
		this.#state = (Math.abs(seed) % 2_147_483_646) + 1;
		// Seeds that are near each other begin alike.
		for (let i = 0; i < 8; i++) this.#next();
	}

	#next(): number {
		this.#state = (this.#state * 48_271) % 2_147_483_647;
		return this.#state;
	}

	/** Returns a whole number from 0 to one below `most`. */
	below(most: number): number {
		return this.#next() % most;
	}

	/** From 0 to below 1. */
	share(): number {
		return (this.#next() - 1) / 2_147_483_646;
	}
}
