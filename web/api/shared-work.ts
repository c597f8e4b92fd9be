/**
 * Shares independent parts of a call's work with the workers of the host.
 * Owns: the distribution of parts. The engine computes the first ones, while workers take the last ones. The results do not depend on it.
 */

import type { World } from '../sim/core/world.ts';
import type { Host, HostWorker, PoolTask } from './context.ts';

/** Time that the engine works alone (ms), and the remaining work per worker after that (ms). */
const MIN_ALONE_MS = 20;
const MS_PER_WORKER = 40;
/** Work that a worker takes at a time (ms). */
const PORTION_MS = 60;

/** Parts of the work, by their index. */
export interface WorkParts<R> {
	readonly count: number;
	/** Returns the world of a part. */
	worldOf(index: number): World;
	/** Returns the task of a range of parts. */
	taskOf(from: number, count: number): PoolTask;
	/** Returns the results of a task; undefined for a part that the engine must compute itself, null if it must compute all of them. */
	resultsOf(result: unknown, count: number): readonly (R | undefined)[] | null;
}

export class SharedWork<R> {
	readonly #host: Host;
	readonly #parts: WorkParts<R>;
	readonly #beginTime: number;
	readonly #results: (R | undefined)[] = [];
	#workers: readonly HostWorker[] = [];
	readonly #portions = new Set<Promise<unknown>>();
	#usesWorkers = false;
	#computedCount = 0;
	#isStopped = false;
	/** Index after the last part that no worker has taken. */
	end: number;

	constructor(host: Host, parts: WorkParts<R>) {
		this.#host = host;
		this.#parts = parts;
		this.#beginTime = host.now();
		this.end = parts.count;
	}

	/**
	 * Records that the engine has computed the first `count` parts, and starts workers when the remaining work is long enough.
	 */
	setProgress(count: number): void {
		this.#computedCount = count;
		if (this.#usesWorkers) return;
		const elapsed = this.#host.now() - this.#beginTime;
		const msPerPart = elapsed / count;
		const remaining = msPerPart * (this.end - count);
		if (elapsed < MIN_ALONE_MS || remaining < MS_PER_WORKER) return;
		this.#usesWorkers = true;
		this.#workers = this.#host.workers(Math.floor(remaining / MS_PER_WORKER));
		const { running } = this.#host;
		const cancel = running.onCancel;
		running.onCancel = () => {
			cancel();
			for (const worker of this.#workers) worker.end();
		};
		for (const worker of this.#workers) void this.#shareWith(worker, PORTION_MS / msPerPart);
	}

	/** Releases all workers. */
	stop(): void {
		this.#isStopped = true;
		for (const worker of this.#workers) worker.release();
	}

	async #shareWith(worker: HostWorker, portion: number): Promise<void> {
		// The engine does not wait for this, because it may finish before.
		await worker.load(this.#parts.worldOf(this.end - 1));
		let size = portion;
		while (!this.#isStopped && this.end - this.#computedCount > 1) {
			const count = Math.max(1, Math.min(Math.floor((this.end - this.#computedCount) / 2), Math.round(size)));
			this.end -= count;
			const portionStart = this.#host.now();
			const running = this.#runPortion(worker, this.end, count);
			this.#portions.add(running);
			const isDone = await running;
			this.#portions.delete(running);
			if (!isDone) return;
			size = (count * PORTION_MS) / Math.max(1, this.#host.now() - portionStart);
		}
	}

	async #runPortion(worker: HostWorker, from: number, count: number): Promise<boolean> {
		const worlds = new Set(Array.from({ length: count }, (_, i) => this.#parts.worldOf(from + i)));
		const end = await worker.run(this.#parts.taskOf(from, count), [...worlds], true);
		const results = typeof end === 'string' ? null : this.#parts.resultsOf(end.result, count);
		for (const [i, result] of (results ?? []).entries()) this.#results[from + i] = result;
		return results !== null;
	}

	/** Waits for the workers, and returns the results from part `end` on; undefined for parts that the engine must compute. */
	async remainingResults(): Promise<readonly (R | undefined)[]> {
		// A worker that finishes may take another portion meanwhile, until none is left.
		while (this.#portions.size > 0) await Promise.all(this.#portions);
		this.stop();
		return Array.from({ length: this.#parts.count - this.end }, (_, i) => this.#results[this.end + i]);
	}
}
