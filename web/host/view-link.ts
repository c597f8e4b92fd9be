/**
 * The engine's side of the port to the view.
 * Owns: the pictures that were asked for and have not come yet.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { digest } from '../sim/core/digest.ts';
import type { Picture } from './context.ts';
import { findModels } from './drawn/models.ts';
import type { Engine } from './engine.ts';
import { blockBuffers, blocksOf, frameOf } from './frame.ts';
import {
	type CaptureRequest,
	type CaptureResult,
	type EngineToView,
	type FrameRequest,
	type GpuInfo,
	isNews,
	type ViewToEngine,
} from './frames.ts';
import type { WorldEntry } from './worlds.ts';

/** How long a picture may take (ms): large ones are slow without a GPU. */
const CAPTURE_MS = 30_000;
/** How long the first one may: before it the view starts, and without a GPU it prepares for minutes on a busy machine. */
const FIRST_MS = 300_000;

/** As much of an engine as a view looks at. */
export type Looked = Pick<Engine, 'worlds' | 'happened' | 'assets'>;

export class ViewLink {
	readonly #port: MessagePort;
	readonly #engine: Looked;
	readonly #captures = new Map<number, (result: CaptureResult) => void>();
	#next = 1;
	/** The last request without an answer. */
	#wanted: FrameRequest | null = null;
	/** True if the view has delivered a picture. */
	#hasDrawn = false;
	#gpu: GpuInfo | null = null;
	#announced: () => void = () => {};
	readonly #ready = new Promise<void>((resolve) => {
		this.#announced = resolve;
	});

	constructor(port: MessagePort, engine: Looked, gpu?: GpuInfo) {
		this.#port = port;
		this.#engine = engine;
		if (gpu !== undefined) this.#receive({ type: 'gpu', info: gpu });
		port.onmessage = ({ data }: MessageEvent<ViewToEngine>) => this.#receive(data);
		// The one that answered before may not have answered the last request.
		this.#send({ type: 'again' });
	}

	/** Starts the view if needed. Resolves to what draws; null if nothing has begun to in time. */
	async findGpu(): Promise<GpuInfo | null> {
		if (this.#gpu !== null) return this.#gpu;
		this.#send({ type: 'needed' });
		let late: ReturnType<typeof setTimeout> | undefined;
		await Promise.race([
			this.#ready,
			new Promise<void>((resolve) => {
				late = setTimeout(resolve, CAPTURE_MS);
			}),
		]);
		clearTimeout(late);
		return this.#gpu;
	}

	#receive(message: ViewToEngine): void {
		switch (message.type) {
			case 'frame':
				this.#wanted = message;
				this.changed();
				return;
			case 'asset': {
				const { hash } = message;
				// A copy, since the buffer is given away.
				const bytes = this.#engine.assets.find(hash)?.bytes.slice() ?? null;
				this.#send({ type: 'asset', hash, bytes });
				return;
			}
			case 'captured':
				this.#captures.get(message.id)?.(message.result);
				return;
			case 'gpu':
				this.#gpu = message.info;
				this.#announced();
		}
	}

	/** Worlds may have changed: sends the frame that the view waits for, if it shows anything new. */
	changed(): void {
		const { worlds, assets } = this.#engine;
		const world = this.#wanted === null ? undefined : worlds.find(this.#wanted.world)?.world;
		if (world === undefined) return;
		void findModels(world, assets)?.then(() => this.#answer());
		this.#answer();
	}

	#answer(): void {
		const { worlds, happened } = this.#engine;
		const wanted = this.#wanted;
		const entry = wanted === null ? undefined : worlds.find(wanted.world);
		// Without the world, the page shows another one soon.
		if (wanted === null || entry === undefined) return;
		const frame = frameOf(entry, wanted.known, wanted.since < 0 ? [] : happened.since(entry, wanted.since));
		if (!isNews(frame, wanted)) return;
		this.#wanted = null;
		this.#send({ type: 'frame', frame });
	}

	#send(message: EngineToView): void {
		this.#port.postMessage(message, buffersOf(message));
	}

	/** Takes a picture of a world as it is now. Throws `picture_failed` or `picture_late`. */
	async capture(entry: WorldEntry, request: CaptureRequest): Promise<Picture> {
		await findModels(entry.world, this.#engine.assets);
		const { world } = entry;
		const { tick } = world;
		const shown = digest(world);
		const blocks = blocksOf(world);
		const id = this.#next++;
		const taken = new Promise<CaptureResult>((resolve, reject) => {
			const first = !this.#hasDrawn;
			const limit = first ? FIRST_MS : CAPTURE_MS;
			const late = () =>
				reject(
					new ApiError(
						'picture_late',
						`The ${first ? 'first ' : ''}picture was not ready after ${limit / 1000} s.`,
						first ? { fix: 'Send the call again. The view may still be starting.' } : {},
					),
				);
			const timer = setTimeout(late, limit);
			this.#captures.set(id, (result) => {
				clearTimeout(timer);
				this.#hasDrawn = true;
				resolve(result);
			});
			if (this.#gpu === null) this.#send({ type: 'needed' });
			void this.#ready.then(() => this.#send({ type: 'capture', id, request, blocks }));
		});
		try {
			const result = await taken;
			if (!result.ok) throw new ApiError('picture_failed', `The picture failed: ${result.error}`);
			const { bytes, type } = result;
			return { bytes, ...(type === undefined ? {} : { type }), tick, digest: shown };
		} finally {
			this.#captures.delete(id);
		}
	}
}

/** What of a message is given away with it. */
function buffersOf(message: EngineToView): ArrayBuffer[] {
	if (message.type === 'asset') return message.bytes === null ? [] : [message.bytes.buffer as ArrayBuffer];
	if (message.type === 'again' || message.type === 'needed') return [];
	return blockBuffers(message.type === 'frame' ? message.frame.blocks : message.blocks);
}
