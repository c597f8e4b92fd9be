/**
 * Queue that runs one task at a time, in the order of the requests.
 * Owns: the order. Never: stops after a failed task; the caller of that task gets the error.
 */

export class TaskQueue {
	#last: Promise<unknown> = Promise.resolve();

	/** Runs a task after all earlier tasks. */
	run<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#last.then(work);
		this.#last = result.catch(() => {});
		return result;
	}

	/** Resolves when all tasks until now are done. */
	idle(): Promise<void> {
		return this.#last.then(() => {});
	}
}
