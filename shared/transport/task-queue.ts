/**
 * Queue that runs one piece of work at a time, in the order of the requests.
 * Owns: the order. Never: stops for work that failed: its caller gets the error.
 */

export class TaskQueue {
	#last: Promise<unknown> = Promise.resolve();

	/** Does the work when all before it is done. */
	run<T>(work: () => Promise<T>): Promise<T> {
		const done = this.#last.then(work);
		this.#last = done.catch(() => {});
		return done;
	}

	/** Resolves when all that was asked for until now is done. */
	idle(): Promise<void> {
		return this.#last.then(() => {});
	}
}
