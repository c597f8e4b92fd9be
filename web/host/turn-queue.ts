/**
 * A queue of turns: what is posted is done one after the other, in the order it came.
 * Owns: that order. What can be done at once is done at once.
 */

/** Something that waits for its turn. */
interface Waiting {
	readonly run: () => Promise<void>;
	readonly reject: (error: unknown) => void;
}

export interface Ticket {
	/** Leaves the queue with `error`, unless its turn has come. */
	leave(error: unknown): void;
}

export class TurnQueue {
	#waiting: Waiting[] = [];
	#busy = false;

	/** Whether something is being worked on. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Does `work` when all that came before is done, and resolves to its result. `queued` is called when it has to wait. */
	post<T>(work: () => T | Promise<T>, queued?: (ticket: Ticket) => void): Promise<T> {
		if (!this.#busy) return this.#atOnce(work);
		return new Promise<T>((resolve, reject) => {
			const run = async () => {
				try {
					resolve(await work());
				} catch (error) {
					reject(error);
				}
			};
			const waiting: Waiting = { run, reject };
			this.#waiting.push(waiting);
			queued?.({ leave: (error) => this.#leave(waiting, error) });
		});
	}

	async #atOnce<T>(work: () => T | Promise<T>): Promise<T> {
		this.#busy = true;
		try {
			return await work();
		} finally {
			if (this.#waiting.length === 0) this.#busy = false;
			else void this.#run();
		}
	}

	#leave(waiting: Waiting, error: unknown): void {
		const at = this.#waiting.indexOf(waiting);
		if (at < 0) return;
		this.#waiting.splice(at, 1);
		waiting.reject(error);
	}

	/** Does what waits. */
	async #run(): Promise<void> {
		for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next.run();
		this.#busy = false;
	}
}
