/** Many may be in at once, or one alone: one that wants to be alone goes before later ones. */
export class Turnstile {
	#inside = 0;
	#alone = false;
	readonly #queue: { readonly alone: boolean; readonly go: () => void }[] = [];

	/** Does something beside others. */
	async among<T>(work: () => Promise<T>): Promise<T> {
		return this.#pass(false, work);
	}

	/** Runs work when no other runs, and keeps all others out meanwhile. */
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
