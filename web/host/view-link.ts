/**
 * The engine's side of the port to the view.
 * Owns: the requests for pictures, until the pictures arrive.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { EncodedPicture } from '../api/context.ts';
import { loadModels } from '../frames/drawn/models.ts';
import { blockBuffers, blocksOf, frameOf } from '../frames/frame.ts';
import {
	type CaptureRequest,
	type CaptureResult,
	type EngineToView,
	type FrameBlocks,
	type FrameRequest,
	type GpuInfo,
	isNews,
	type ViewToEngine,
} from '../frames/frames.ts';
import { digest } from '../sim/core/digest.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Engine } from './engine.ts';

/** Maximum time of a picture (ms). Large ones are slow without a GPU. */
const CAPTURE_MS = 30_000;
/** Maximum time of the first picture (ms). The view starts before it, which may take minutes without a GPU on a busy machine. */
const FIRST_CAPTURE_MS = 300_000;

/** The parts of an engine that a view reads. */
export type ViewedEngine = Pick<Engine, 'worlds' | 'happened' | 'assets'>;

/** A view that takes pictures for an engine. */
export interface DrawingView {
	/** GPU of the view; null until the view has reported it, and if another machine draws. */
	readonly gpu: GpuInfo | null;
	/** Starts the view if needed. Resolves to its GPU; null if it did not start in time. */
	readonly findGpu?: () => Promise<GpuInfo | null>;
	/** Called when worlds may have changed. Answers a waiting request for a frame. */
	readonly changed?: () => void;
	/** Rejects with `no_picture` if nothing draws at present. Omitted if the view always draws. */
	readonly require?: () => Promise<void>;
	/** Takes a picture of the current state of a world. Rejects with `no_picture`, `picture_failed` or `picture_late`. */
	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture>;
}

/** Finds an asset that this engine does not have; null if it does not exist. */
type FindAsset = (hash: string) => Promise<Uint8Array | null>;

export class ViewLink implements DrawingView {
	readonly #port: MessagePort;
	readonly #engine: ViewedEngine;
	readonly #captures = new Map<number, (result: CaptureResult) => void>();
	/** Functions that find the assets of another engine's frames. */
	readonly #assetFinders = new Set<FindAsset>();
	#nextId = 1;
	/** The last request without an answer. */
	#frameRequest: FrameRequest | null = null;
	/** True if the view has delivered a picture. */
	#hasDrawn = false;
	#gpu: GpuInfo | null = null;
	#resolveReady: () => void = () => {};
	readonly #ready = new Promise<void>((resolve) => {
		this.#resolveReady = resolve;
	});

	constructor(port: MessagePort, engine: ViewedEngine, gpu?: GpuInfo) {
		this.#port = port;
		this.#engine = engine;
		if (gpu !== undefined) this.#receive({ type: 'gpu', info: gpu });
		port.onmessage = ({ data }: MessageEvent<ViewToEngine>) => this.#receive(data);
		// An earlier engine may not have answered the view's last request.
		this.#send({ type: 'again' });
	}

	/** GPU of the view; null until the view has reported it. */
	get gpu(): GpuInfo | null {
		return this.#gpu;
	}

	async findGpu(): Promise<GpuInfo | null> {
		if (this.#gpu !== null) return this.#gpu;
		this.#send({ type: 'needed' });
		let timer: ReturnType<typeof setTimeout> | undefined;
		await Promise.race([
			this.#ready,
			new Promise<void>((resolve) => {
				timer = setTimeout(resolve, CAPTURE_MS);
			}),
		]);
		clearTimeout(timer);
		return this.#gpu;
	}

	#receive(message: ViewToEngine): void {
		switch (message.type) {
			case 'frame':
				this.#frameRequest = message;
				this.changed();
				return;
			case 'asset': {
				void this.#sendAsset(message.hash);
				return;
			}
			case 'captured':
				this.#captures.get(message.id)?.(message.result);
				return;
			case 'gpu':
				this.#gpu = message.info;
				this.#resolveReady();
		}
	}

	changed(): void {
		const { worlds, assets } = this.#engine;
		const world = this.#frameRequest === null ? undefined : worlds.find(this.#frameRequest.world)?.world;
		if (world === undefined) return;
		void loadModels(world, assets)?.then(() => this.#answer());
		this.#answer();
	}

	#answer(): void {
		const { worlds, happened } = this.#engine;
		const frameRequest = this.#frameRequest;
		const entry = frameRequest === null ? undefined : worlds.find(frameRequest.world);
		// If the world is gone, the page requests another one soon.
		if (frameRequest === null || entry === undefined) return;
		const frame = frameOf(
			entry,
			frameRequest.known,
			frameRequest.since < 0 ? [] : happened.viewEventsSince(entry, frameRequest.since),
		);
		if (!isNews(frame, frameRequest)) return;
		this.#frameRequest = null;
		this.#send({ type: 'frame', frame });
	}

	async #sendAsset(hash: string): Promise<void> {
		let bytes = this.#engine.assets.find(hash)?.bytes ?? null;
		for (const find of this.#assetFinders) bytes ??= await find(hash).catch(() => null);
		// The bytes are copied, because their buffer is transferred.
		this.#send({ type: 'asset', hash, bytes: bytes?.slice() ?? null });
	}

	#send(message: EngineToView): void {
		this.#port.postMessage(message, buffersOf(message));
	}

	async capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		await loadModels(entry.world, this.#engine.assets);
		const { world } = entry;
		const { tick } = world;
		const stateDigest = digest(world);
		return { ...(await this.draw(blocksOf(world), request)), tick, digest: stateDigest };
	}

	/**
	 * Takes a picture of a frame. `findAsset` finds assets that this engine does not have. Rejects with `picture_failed` or
	 * `picture_late`.
	 */
	async draw(
		blocks: FrameBlocks,
		request: CaptureRequest,
		findAsset?: FindAsset,
	): Promise<Pick<EncodedPicture, 'bytes' | 'type'>> {
		const id = this.#nextId++;
		if (findAsset !== undefined) this.#assetFinders.add(findAsset);
		const whenDrawn = new Promise<CaptureResult>((resolve, reject) => {
			const isFirst = !this.#hasDrawn;
			const limit = isFirst ? FIRST_CAPTURE_MS : CAPTURE_MS;
			const rejectLate = () =>
				reject(
					new ApiError(
						'picture_late',
						`The ${isFirst ? 'first ' : ''}picture was not ready after ${limit / 1000} s.`,
						isFirst ? { fix: 'Send the call again. The view may still be starting.' } : {},
					),
				);
			const timer = setTimeout(rejectLate, limit);
			this.#captures.set(id, (result) => {
				clearTimeout(timer);
				this.#hasDrawn = true;
				resolve(result);
			});
			if (this.#gpu === null) this.#send({ type: 'needed' });
			void this.#ready.then(() => this.#send({ type: 'capture', id, request, blocks }));
		});
		try {
			const result = await whenDrawn;
			if (!result.ok) throw new ApiError('picture_failed', `The picture failed: ${result.error}`);
			const { bytes, type } = result;
			return { bytes, ...(type === undefined ? {} : { type }) };
		} finally {
			this.#captures.delete(id);
			if (findAsset !== undefined) this.#assetFinders.delete(findAsset);
		}
	}
}

/** Returns the buffers that are transferred with a message. */
function buffersOf(message: EngineToView): ArrayBuffer[] {
	if (message.type === 'asset') return message.bytes === null ? [] : [message.bytes.buffer as ArrayBuffer];
	if (message.type === 'again' || message.type === 'needed') return [];
	return blockBuffers(message.type === 'frame' ? message.frame.blocks : message.blocks);
}
