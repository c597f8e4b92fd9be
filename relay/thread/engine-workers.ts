/**
 * Worker threads of named worlds.
 * Owns: the number of threads, and the choice of the thread for an engine. A thread starts with its first engine.
 */

import { availableParallelism } from 'node:os';
import { EngineWorker } from './engine-worker.ts';

export class EngineWorkers {
	readonly #size: number;
	#workers: EngineWorker[] = [];

	/** `size`: maximum number of threads. The default is one per core. */
	constructor(size = availableParallelism()) {
		this.#size = size;
	}

	/** Returns a thread for another engine: a new one while the maximum allows it, otherwise the one with the fewest engines. */
	take(): EngineWorker {
		this.#workers = this.#workers.filter(({ isOver }) => !isOver);
		if (this.#workers.length < this.#size) {
			const worker = new EngineWorker(true);
			this.#workers.push(worker);
			return worker;
		}
		return this.#workers.reduce((least, worker) => (worker.size < least.size ? worker : least));
	}

	/** Ends all threads. No engine may be left in them. */
	close(): void {
		for (const worker of this.#workers.splice(0)) worker.fail('ended');
	}
}
