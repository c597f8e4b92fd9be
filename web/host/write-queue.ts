/**
 * The write queue: calls that change something are done one after the other, in the order they came.
 * Owns: that order. A call that can be done at once is done at once.
 */

export class WriteQueue {
	readonly #waiting: (() => Promise<void>)[] = [];
	#busy = false;

	/** Whether a call is being worked on. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Does `work` when all that came before is done, and answers what it answers. */
	post<T>(work: () => T | Promise<T>): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			this.#waiting.push(async () => {
				try {
					resolve(await work());
				} catch (error) {
					reject(error);
				}
			});
			if (!this.#busy) void this.#run();
		});
	}

	async #run(): Promise<void> {
		this.#busy = true;
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next();
		this.#busy = false;
	}
}
