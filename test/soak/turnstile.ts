/** A lock with shared and exclusive tasks. A waiting exclusive task runs before later shared tasks. */
export class Turnstile {
	#sharedCount = 0;
	#isExclusive = false;
	readonly #queue: { readonly isExclusive: boolean; readonly go: () => void }[] = [];

	/** Runs a shared task. */
	async runShared<T>(work: () => Promise<T>): Promise<T> {
		return this.#run(false, work);
	}

	/** Runs an exclusive task. */
	async runAlone<T>(work: () => Promise<T>): Promise<T> {
		return this.#run(true, work);
	}

	async #run<T>(isExclusive: boolean, work: () => Promise<T>): Promise<T> {
		await new Promise<void>((go) => {
			this.#queue.push({ isExclusive, go });
			this.#admit();
		});
		try {
			return await work();
		} finally {
			if (isExclusive) this.#isExclusive = false;
			else this.#sharedCount--;
			this.#admit();
		}
	}

	#admit(): void {
		for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
			if (this.#isExclusive || (next.isExclusive && this.#sharedCount > 0)) return;
			this.#queue.shift();
			if (next.isExclusive) this.#isExclusive = true;
			else this.#sharedCount++;
			next.go();
		}
	}
}
