/** A lock with shared and exclusive tasks. A waiting exclusive task goes before later shared ones. */
export class Turnstile {
	#inside = 0;
	#alone = false;
	readonly #queue: { readonly alone: boolean; readonly go: () => void }[] = [];

	/** Runs a shared task. */
	async among<T>(work: () => Promise<T>): Promise<T> {
		return this.#pass(false, work);
	}

	/** Runs an exclusive task. */
	async alone<T>(work: () => Promise<T>): Promise<T> {
		return this.#pass(true, work);
	}

	async #pass<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
		await new Promise<void>((go) => {
			this.#queue.push({ alone, go });
			this.#admit();
		});
		try {
			return await work();
		} finally {
			if (alone) this.#alone = false;
			else this.#inside--;
			this.#admit();
		}
	}

	#admit(): void {
		for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
			if (this.#alone || (next.alone && this.#inside > 0)) return;
			this.#queue.shift();
			if (next.alone) this.#alone = true;
			else this.#inside++;
			next.go();
		}
	}
}
