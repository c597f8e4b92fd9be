/**
 * Workers that answer calls about copies of a world, beside the engine.
 * Owns: how many there are, and which world each has. A worker keeps the last one, so that more calls about it send nothing again.
 * Never: decides which calls are worth it, or answers one that changes what others see.
 */

import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import type { World } from '../sim/core/world.ts';
import type { SavedAsset } from '../store/saved.ts';

export interface ToPoolWorker {
	readonly id: number;
	/** Missing if it only loads a world. */
	readonly request?: WireRequest;
	/** The world from now on. */
	readonly world?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly assets: readonly SavedAsset[] };
}

export interface FromPoolWorker {
	readonly id: number;
	/** Null for no request, and if only the engine can answer it, as what it needs is not in the world. */
	readonly response: WireResponse | null;
	/** The worker failed, and may have any world. */
	readonly isBroken?: true;
}

/** A worker as the pool sees it. */
export interface PoolPort {
	send(message: ToPoolWorker): void;
	/** Sets what takes answers, and what is called once if the worker ends by itself. */
	listen(take: (message: FromPoolWorker) => void, lost: () => void): void;
	end(): void;
}

export interface PoolSettings {
	/** Workers beside the engine's own thread. */
	readonly size: number;
	readonly open: () => PoolPort;
}

/** Assets are copied for each worker: beyond this many bytes there is no pool. */
const MAX_ASSET_BYTES = 64 * 2 ** 20;

export class PoolWorker {
	readonly #port: PoolPort;
	readonly #waiting = new Map<number, (response: WireResponse | null) => void>();
	/** Version of the world that it has. */
	#has = -1;
	#last = 0;
	isLost = false;

	constructor(port: PoolPort) {
		this.#port = port;
		port.listen(
			({ id, response, isBroken }) => {
				this.#waiting.get(id)?.(response);
				this.#waiting.delete(id);
				if (isBroken) this.end();
			},
			() => this.end(),
		);
	}

	get isBusy(): boolean {
		return this.#waiting.size > 0;
	}

	/** Gives it a copy of a world, unless it has it. Resolves when calls can be made. Never rejects. */
	async load(world: World, assets: () => readonly SavedAsset[]): Promise<void> {
		if (this.#has === world.version) return;
		this.#has = world.version;
		await this.#send({ world: { bytes: encodeWorld(world), assets: assets() } });
	}

	/** The answer of an engine whose main is the world that it has; null if it cannot tell. Never rejects. */
	call(request: WireRequest): Promise<WireResponse | null> {
		return this.#send({ request });
	}

	#send(message: Omit<ToPoolWorker, 'id'>): Promise<WireResponse | null> {
		if (this.isLost) return Promise.resolve(null);
		return new Promise((resolve) => {
			const id = ++this.#last;
			this.#waiting.set(id, resolve);
			this.#port.send({ id, ...message });
		});
	}

	/** Ends it, whatever it is doing. */
	end(): void {
		if (this.isLost) return;
		this.isLost = true;
		this.#port.end();
		for (const resolve of this.#waiting.values()) resolve(null);
		this.#waiting.clear();
	}
}

export class Pool {
	readonly #settings: PoolSettings;
	#workers: PoolWorker[] = [];

	constructor(settings: PoolSettings) {
		this.#settings = settings;
	}

	/** Workers that do nothing now, as many as there are; none for worlds with too many bytes of assets. They start when they are first needed. */
	free(assetBytes: number): PoolWorker[] {
		if (assetBytes > MAX_ASSET_BYTES) return [];
		this.#workers = this.#workers.filter(({ isLost }) => !isLost);
		while (this.#workers.length < this.#settings.size)
			this.#workers.push(new PoolWorker(this.#settings.open()));
		return this.#workers.filter(({ isBusy }) => !isBusy);
	}

	close(): void {
		for (const worker of this.#workers) worker.end();
	}
}
