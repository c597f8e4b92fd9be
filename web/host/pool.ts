/**
 * Workers that run tasks about copies of worlds, beside the engine.
 * Owns: the workers, their tasks, and the list of the worlds that each worker has. A worker keeps the last worlds, so that they
 * need not be sent again.
 * Never: decides which work needs a worker, or runs a task that changes a shared world.
 */

import type { HostWorker, PoolTask, TaskEnd } from '../api/context.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import type { World } from '../sim/core/world.ts';
import type { SavedAsset } from '../store/saved-state.ts';

export interface ToPoolWorker {
	readonly id: number;
	/** Worlds that the worker must load. */
	readonly worlds: readonly { readonly version: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
	/** Versions of worlds that the worker must drop. */
	readonly drop: readonly number[];
	/** All assets, if any changed since the last message. */
	readonly assets?: readonly SavedAsset[];
	/** Task to run; missing if the worker only loads worlds. */
	readonly task?: PoolTask;
}

export interface FromPoolWorker {
	readonly id: number;
	/** Null without a task, and for a task that only the engine can run, because it needs more than worlds. */
	readonly result: unknown;
	/** The worker failed, so the pool does not know which worlds it has. */
	readonly isBroken?: true;
}

/** A worker as the pool sees it. */
export interface PoolPort {
	send(message: ToPoolWorker, transfer: ArrayBuffer[]): void;
	/** Sets the functions that receive answers (`onAnswer`) and the end of the worker (`onEnd`, called once). */
	listen(onAnswer: (message: FromPoolWorker) => void, onEnd: () => void): void;
	end(): void;
}

export interface PoolSettings {
	/** Number of workers in addition to the engine's own thread. */
	readonly size: number;
	readonly open: () => PoolPort;
}

/** The assets of an engine. */
interface PoolAssets {
	readonly bytes: number;
	readonly changes: number;
	all(): readonly SavedAsset[];
}

/** Maximum bytes of assets for a pool, because every worker gets a copy. */
const MAX_ASSET_BYTES = 64 * 2 ** 20;

/** Number of worlds that a worker keeps, unless one task needs more. */
const MAX_WORLDS = 8;

interface PendingTask {
	readonly isLoad: boolean;
	readonly resolve: (end: TaskEnd) => void;
}

class PoolWorker {
	readonly #port: PoolPort;
	readonly #pending = new Map<number, PendingTask>();
	/** Versions of the worlds in the worker; the last used one is at the end. */
	readonly #versions = new Set<number>();
	#assetChanges = -1;
	#lastId = 0;
	isLost = false;
	isClaimed = false;

	constructor(port: PoolPort) {
		this.#port = port;
		port.listen(
			({ id, result, isBroken }) => {
				if (isBroken) this.end();
				this.#pending.get(id)?.resolve(result === null ? 'refused' : { result });
				this.#pending.delete(id);
			},
			() => this.end(),
		);
	}

	/** True while the worker runs a task; false while it only loads worlds. */
	get isWorking(): boolean {
		return [...this.#pending.values()].some(({ isLoad }) => !isLoad);
	}

	/** Sends worlds and, if given, a task. `isLoad`: the task is short. Never rejects. */
	send(
		task: PoolTask | undefined,
		worlds: readonly World[],
		assets: PoolAssets,
		isLoad: boolean,
	): Promise<TaskEnd> {
		if (this.isLost) return Promise.resolve('lost');
		const id = ++this.#lastId;
		const missing = worlds.filter(({ version }) => !this.#versions.has(version));
		for (const { version } of worlds) {
			this.#versions.delete(version);
			this.#versions.add(version);
		}
		const dropped = [...this.#versions].slice(
			0,
			Math.max(0, this.#versions.size - Math.max(MAX_WORLDS, worlds.length)),
		);
		for (const version of dropped) this.#versions.delete(version);
		const sent = missing.map((world) => ({ version: world.version, bytes: encodeWorld(world) }));
		const hasNewAssets = this.#assetChanges !== assets.changes;
		this.#assetChanges = assets.changes;
		return new Promise((resolve) => {
			this.#pending.set(id, { isLoad, resolve });
			this.#port.send(
				{
					id,
					worlds: sent,
					drop: dropped,
					...(hasNewAssets ? { assets: assets.all() } : {}),
					...(task === undefined ? {} : { task }),
				},
				sent.map(({ bytes }) => bytes.buffer),
			);
		});
	}

	/** Terminates the worker, even during a task. */
	end(): void {
		if (this.isLost) return;
		this.isLost = true;
		this.#port.end();
		for (const { resolve } of this.#pending.values()) resolve('lost');
		this.#pending.clear();
	}
}

/** A worker while it belongs to a call. If it ends by itself, it is replaced once. */
class ClaimedWorker implements HostWorker {
	readonly #pool: Pool;
	readonly #assets: PoolAssets;
	#worker: PoolWorker;
	#canReplace = true;
	#isReleased = false;

	constructor(pool: Pool, worker: PoolWorker, assets: PoolAssets) {
		this.#pool = pool;
		this.#worker = worker;
		this.#assets = assets;
	}

	load(world: World, task?: PoolTask): Promise<TaskEnd> {
		return this.#worker.send(task, [world], this.#assets, true);
	}

	async run(task: PoolTask, worlds: readonly World[], isRepeatable: boolean): Promise<TaskEnd> {
		const end = await this.#worker.send(task, worlds, this.#assets, false);
		if (end !== 'lost' || !isRepeatable || !this.#canReplace || this.#isReleased) return end;
		this.#canReplace = false;
		this.#worker = this.#pool.open();
		return this.run(task, worlds, isRepeatable);
	}

	release(): void {
		this.#isReleased = true;
		this.#worker.isClaimed = false;
	}

	end(): void {
		this.release();
		this.#worker.end();
	}
}

export class Pool {
	readonly #settings: PoolSettings;
	#workers: PoolWorker[] = [];

	constructor(settings: PoolSettings) {
		this.#settings = settings;
	}

	/**
	 * Returns up to `max` workers that no other call has; none for worlds with too many bytes of assets. New workers start if needed.
	 */
	claim(assets: PoolAssets, max: number): HostWorker[] {
		if (assets.bytes > MAX_ASSET_BYTES) return [];
		this.#workers = this.#workers.filter(({ isLost }) => !isLost);
		const free = this.#workers.filter(({ isClaimed, isWorking }) => !isClaimed && !isWorking).slice(0, max);
		while (free.length < max && this.#workers.length < this.#settings.size) free.push(this.open());
		for (const worker of free) worker.isClaimed = true;
		return free.map((worker) => new ClaimedWorker(this, worker, assets));
	}

	/** Starts a worker for a call. */
	open(): PoolWorker {
		const worker = new PoolWorker(this.#settings.open());
		worker.isClaimed = true;
		this.#workers.push(worker);
		return worker;
	}

	close(): void {
		for (const worker of this.#workers) worker.end();
	}
}
