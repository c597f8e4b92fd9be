/**
 * Workers that run tasks about copies of worlds, beside the engine.
 * Owns: the number of workers, their calls, and their worlds. A worker keeps the last ones, so that more tasks about
 * them send nothing again.
 * Never: decides which work is worth it, or runs a task that changes what others see.
 */

import type { HostWorker, PoolTask, TaskEnd } from '../api/context.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import type { World } from '../sim/core/world.ts';
import type { SavedAsset } from '../store/saved-state.ts';

export interface ToPoolWorker {
	readonly id: number;
	/** Worlds that it gets, by their versions. */
	readonly worlds: readonly { readonly version: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
	/** Versions of worlds that it drops. */
	readonly drop: readonly number[];
	/** All assets, if any changed since the last message. */
	readonly assets?: readonly SavedAsset[];
	/** Missing if it only loads. */
	readonly task?: PoolTask;
}

export interface FromPoolWorker {
	readonly id: number;
	/** Null without a task, and if only the engine can run it, as what it needs is not in the worlds. */
	readonly result: unknown;
	/** The worker failed, and may have any world. */
	readonly isBroken?: true;
}

/** A worker as the pool sees it. */
export interface PoolPort {
	send(message: ToPoolWorker, moved: ArrayBuffer[]): void;
	/** Sets what takes answers, and what is called once if the worker ends by itself. */
	listen(take: (message: FromPoolWorker) => void, lost: () => void): void;
	end(): void;
}

export interface PoolSettings {
	/** Workers beside the engine's own thread. */
	readonly size: number;
	readonly open: () => PoolPort;
}

/** The assets of an engine. */
interface PoolAssets {
	readonly bytes: number;
	readonly changes: number;
	all(): readonly SavedAsset[];
}

/** Assets are copied for each worker: beyond this many bytes there is no pool. */
const MAX_ASSET_BYTES = 64 * 2 ** 20;

/** Worlds that a worker keeps, unless one task needs more. */
const KEPT_WORLDS = 8;

interface WaitingTask {
	readonly isLoad: boolean;
	readonly resolve: (end: TaskEnd) => void;
}

class PoolWorker {
	readonly #port: PoolPort;
	readonly #waitingTasks = new Map<number, WaitingTask>();
	/** Versions of the worlds that it has, the one that was needed last at the end. */
	readonly #loadedVersions = new Set<number>();
	#assetChanges = -1;
	#last = 0;
	isLost = false;
	isClaimed = false;

	constructor(port: PoolPort) {
		this.#port = port;
		port.listen(
			({ id, result, isBroken }) => {
				if (isBroken) this.end();
				this.#waitingTasks.get(id)?.resolve(result === null ? 'refused' : { result });
				this.#waitingTasks.delete(id);
			},
			() => this.end(),
		);
	}

	/** True while it runs a task, and not if it only loads. */
	get isWorking(): boolean {
		return [...this.#waitingTasks.values()].some(({ isLoad }) => !isLoad);
	}

	/** Gives it worlds and, if given, a task. `isLoad`: it is done soon. Never rejects. */
	send(
		task: PoolTask | undefined,
		worlds: readonly World[],
		assets: PoolAssets,
		isLoad: boolean,
	): Promise<TaskEnd> {
		if (this.isLost) return Promise.resolve('lost');
		const id = ++this.#last;
		const missing = worlds.filter(({ version }) => !this.#loadedVersions.has(version));
		for (const { version } of worlds) {
			this.#loadedVersions.delete(version);
			this.#loadedVersions.add(version);
		}
		const drop = [...this.#loadedVersions].slice(
			0,
			Math.max(0, this.#loadedVersions.size - Math.max(KEPT_WORLDS, worlds.length)),
		);
		for (const version of drop) this.#loadedVersions.delete(version);
		const sent = missing.map((world) => ({ version: world.version, bytes: encodeWorld(world) }));
		const isNew = this.#assetChanges !== assets.changes;
		this.#assetChanges = assets.changes;
		return new Promise((resolve) => {
			this.#waitingTasks.set(id, { isLoad, resolve });
			this.#port.send(
				{
					id,
					worlds: sent,
					drop,
					...(isNew ? { assets: assets.all() } : {}),
					...(task === undefined ? {} : { task }),
				},
				sent.map(({ bytes }) => bytes.buffer),
			);
		});
	}

	/** Ends it, whatever it is doing. */
	end(): void {
		if (this.isLost) return;
		this.isLost = true;
		this.#port.end();
		for (const { resolve } of this.#waitingTasks.values()) resolve('lost');
		this.#waitingTasks.clear();
	}
}

/** A worker while it works for one call. If it ends by itself, another one takes its place once. */
class Helper implements HostWorker {
	readonly #pool: Pool;
	readonly #assets: PoolAssets;
	#worker: PoolWorker;
	#mayReplace = true;
	#isReleased = false;

	constructor(pool: Pool, worker: PoolWorker, assets: PoolAssets) {
		this.#pool = pool;
		this.#worker = worker;
		this.#assets = assets;
	}

	load(world: World, task?: PoolTask): Promise<TaskEnd> {
		return this.#worker.send(task, [world], this.#assets, true);
	}

	async run(task: PoolTask, worlds: readonly World[], repeats: boolean): Promise<TaskEnd> {
		const end = await this.#worker.send(task, worlds, this.#assets, false);
		if (end !== 'lost' || !repeats || !this.#mayReplace || this.#isReleased) return end;
		this.#mayReplace = false;
		this.#worker = this.#pool.open();
		return this.run(task, worlds, repeats);
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
	 * Workers that no call has, at most this many, for one call; none for worlds with too many bytes of assets. They
	 * start when they are first needed.
	 */
	claim(assets: PoolAssets, most: number): HostWorker[] {
		if (assets.bytes > MAX_ASSET_BYTES) return [];
		this.#workers = this.#workers.filter(({ isLost }) => !isLost);
		const free = this.#workers.filter(({ isClaimed, isWorking }) => !isClaimed && !isWorking).slice(0, most);
		while (free.length < most && this.#workers.length < this.#settings.size) free.push(this.open());
		for (const worker of free) worker.isClaimed = true;
		return free.map((worker) => new Helper(this, worker, assets));
	}

	/** Starts a worker for the call that asks. */
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
