/**
 * Parts of a call's work that do not depend on each other, shared with the workers of the host.
 * Owns: which parts a worker takes: the last ones, while the engine makes the first ones itself. The results are the same either way.
 */

import type { World } from '../sim/core/world.ts';
import type { Host, HostWorker, PoolTask } from './context.ts';

/** The engine works alone for so long, and if it would soon be done; each worker has this much work to take (ms). */
const ALONE_MS = 20;
const WORTH_MS = 40;
/** Work that a worker takes at a time (ms). */
const PORTION_MS = 60;

/** Parts of the work, by their index. */
export interface WorkParts<R> {
	readonly count: number;
	/** Returns the world that a part is about. */
	worldOf(at: number): World;
	/** Returns the task of a range of parts. */
	taskOf(from: number, count: number): PoolTask;
	/** Results of the task: undefined for a part that the engine has to make itself, null if that is all of them. */
	resultsOf(found: unknown, count: number): readonly (R | undefined)[] | null;
}

export class SharedWork<R> {
	readonly #host: Host;
	readonly #parts: WorkParts<R>;
	readonly #began: number;
	readonly #results: (R | undefined)[] = [];
	#workers: readonly HostWorker[] = [];
	readonly #portions = new Set<Promise<unknown>>();
	#hasBegun = false;
	#next = 0;
	#isStopped = false;
	/** Index after the last part that the engine makes itself, as far as is known. */
	end: number;

	constructor(host: Host, parts: WorkParts<R>) {
		this.#host = host;
		this.#parts = parts;
		this.#began = host.now();
		this.end = parts.count;
	}

	/** After the engine made some of the first parts: lets workers begin once that is worth it. */
	made(count: number): void {
		this.#next = count;
		if (this.#hasBegun) return;
		const elapsed = this.#host.now() - this.#began;
		const each = elapsed / count;
		const remaining = each * (this.end - count);
		if (elapsed < ALONE_MS || remaining < WORTH_MS) return;
		this.#hasBegun = true;
		this.#workers = this.#host.workers(Math.floor(remaining / WORTH_MS));
		const { running } = this.#host;
		const cancel = running.onCancel;
		running.onCancel = () => {
			cancel();
			for (const worker of this.#workers) worker.end();
		};
		for (const worker of this.#workers) void this.#help(worker, PORTION_MS / each);
	}

	/** Gives workers back. */
	stop(): void {
		this.#isStopped = true;
		for (const worker of this.#workers) worker.release();
	}

	async #help(worker: HostWorker, portion: number): Promise<void> {
		// The engine does not wait for this: it may be done before.
		await worker.load(this.#parts.worldOf(this.end - 1));
		let size = portion;
		while (!this.#isStopped && this.end - this.#next > 1) {
			const count = Math.max(1, Math.min(Math.floor((this.end - this.#next) / 2), Math.round(size)));
			this.end -= count;
			const began = this.#host.now();
			const making = this.#make(worker, this.end, count);
			this.#portions.add(making);
			const isMade = await making;
			this.#portions.delete(making);
			if (!isMade) return;
			size = (count * PORTION_MS) / Math.max(1, this.#host.now() - began);
		}
	}

	async #make(worker: HostWorker, from: number, count: number): Promise<boolean> {
		const worlds = new Set(Array.from({ length: count }, (_, i) => this.#parts.worldOf(from + i)));
		const end = await worker.run(this.#parts.taskOf(from, count), [...worlds], true);
		const results = typeof end === 'string' ? null : this.#parts.resultsOf(end.result, count);
		for (const [i, result] of (results ?? []).entries()) this.#results[from + i] = result;
		return results !== null;
	}

	/** Results of the parts from `end` on, when workers are done; undefined for one that the engine has to make. */
	async rest(): Promise<readonly (R | undefined)[]> {
		// A worker that is done with its portion finds that none is left.
		while (this.#portions.size > 0) await Promise.all(this.#portions);
		this.stop();
		return Array.from({ length: this.#parts.count - this.end }, (_, i) => this.#results[this.end + i]);
	}
}
