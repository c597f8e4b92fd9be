/**
 * Visit of a world in another tab or process, which this page reaches over HTTP.
 * Owns: the call that waits for a change of the engine, and the requests for frames and status that follow. While a world plays,
 * the rate of frames depends on the time of an answer.
 * Never: starts an engine.
 */

import { PANELS } from '../../shared/contract/principal.ts';
import { type CallHandler, IDENTITY_HEADER } from '../../shared/contract/wire.ts';
import { ANY_BYTES } from '../../shared/documents/media-type.ts';
import { checkPaths } from '../../shared/transport/own-path.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { decodeFrame, FRAME_TYPE } from '../frames/frame-bytes.ts';
import {
	type EngineStatus,
	type EngineToView,
	type FrameRequest,
	type GpuInfo,
	isNews,
	type ViewToEngine,
} from '../frames/frames.ts';

/** Minimum time between two frames, and between two requests for the status of a paused or a playing world (ms). */
const MIN_FRAME_MS = 33;
const MIN_STATUS_MS = 100;
const MIN_PLAYING_STATUS_MS = 250;
/** Seconds that the engine may wait for a change. */
const MAX_WAIT_SECONDS = 20;
/** Milliseconds after which a failed request is repeated. */
const RETRY_MS = 1000;

/** Returns the address of a call, relative to the page, which may be below a path of its server. */
const addressOf = (path: string): string => `.${path}`;

const overHttp: CallHandler = async ({ method, path, query, headers, body }) => {
	const response = await fetch(addressOf(query === '' ? path : `${path}?${query}`), {
		method,
		headers,
		cache: 'no-store',
		...(body.length > 0 ? { body: body as Uint8Array<ArrayBuffer> } : {}),
	});
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: new Uint8Array(await response.arrayBuffer()),
	};
};

/** Queue of input calls. */
const inputs = new TaskQueue();

/**
 * Sends calls to the page's own server. Rejects if it does not answer. Requests may overtake each other on their connections, so each
 * input call waits for the previous one.
 */
export const fetchHandle: CallHandler = checkPaths((request) =>
	request.path.startsWith('/input/') ? inputs.run(() => overHttp(request)) : overHttp(request),
);

/** A status, and the identity of its world. */
export interface WorldStatus {
	readonly status: Omit<EngineStatus, 'relay' | 'unkept'>;
	readonly world: string;
}

interface WatchedStatus extends WorldStatus {
	readonly status: WorldStatus['status'] & { readonly change: number };
}

export interface Visitor {
	/** Receives each status, or `undefined` if none came. `ms`: time of an answer that did not wait. */
	readonly onStatus: (status: WorldStatus | undefined, ms: number | undefined) => void;
	/** Receives the GPU of the view. */
	readonly onGpu: (gpu: GpuInfo) => void;
}

export class PageVisit {
	readonly #visitor: Visitor;
	readonly #port: MessagePort | undefined;
	readonly #end = new AbortController();
	/** Number of the view's last request. */
	#requestCount = 0;
	#change = Promise.withResolvers<void>();

	/** `port`: port of the view; undefined without a picture. */
	constructor(port: MessagePort | undefined, visitor: Visitor) {
		this.#port = port;
		this.#visitor = visitor;
		if (port !== undefined) port.onmessage = ({ data }: MessageEvent<ViewToEngine>) => this.#receive(data);
		void this.#watch();
	}

	/** Ends the visit. Another engine may then use the port. */
	end(): void {
		this.#end.abort();
		if (this.#port !== undefined) this.#port.onmessage = null;
	}

	get #isOver(): boolean {
		return this.#end.signal.aborted;
	}

	#receive(message: ViewToEngine): void {
		if (message.type === 'gpu') this.#visitor.onGpu(message.info);
		else if (message.type === 'asset') void this.#sendAsset(message.hash);
		else if (message.type === 'frame') void this.#sendFrame(message);
	}

	async #sendAsset(hash: string): Promise<void> {
		const bytes = await assetOf(hash);
		if (!this.#isOver) this.#send({ type: 'asset', hash, bytes }, bytes === null ? [] : [bytes.buffer]);
	}

	#send(message: EngineToView, transfer: Transferable[]): void {
		this.#port?.postMessage(message, transfer);
	}

	/** Sends the first frame that shows a change, unless another frame is requested meanwhile. */
	async #sendFrame(request: FrameRequest): Promise<void> {
		const number = ++this.#requestCount;
		const isOutdated = (): boolean => this.#isOver || number !== this.#requestCount;
		while (!isOutdated()) {
			const beginTime = performance.now();
			const change = this.#change.promise;
			const result = await frameAt(request);
			if (isOutdated()) return;
			// The world may be gone. The page then requests another one soon.
			if (result === undefined) await pause(RETRY_MS);
			else if (result.frame.playing || isNews(result.frame, request)) {
				const elapsed = performance.now() - beginTime;
				await pause(Math.max(MIN_FRAME_MS, 2 * elapsed) - elapsed);
				if (!isOutdated()) this.#send({ type: 'frame', frame: result.frame }, result.buffers);
				return;
			} else await change;
		}
	}

	async #watch(): Promise<void> {
		let after = -1;
		let change = -1;
		while (!this.#isOver) {
			const began = performance.now();
			const watched = await statusAfter(after, change, this.#end.signal);
			if (this.#isOver) return;
			const isFirst = change < 0;
			after = watched?.status.calls.at(-1)?.number ?? after;
			const hasChanged = watched === undefined || watched.status.change !== change;
			if (hasChanged) {
				this.#visitor.onStatus(watched, isFirst ? performance.now() - began : undefined);
				this.#change.resolve();
				this.#change = Promise.withResolvers();
			}
			change = watched?.status.change ?? -1;
			// An answer without a change comes after the wait, or immediately if the caller may not wait.
			const isSlow = watched === undefined || !hasChanged || document.hidden;
			await pause(isSlow ? RETRY_MS : watched.status.playing ? MIN_PLAYING_STATUS_MS : MIN_STATUS_MS);
		}
	}
}

async function frameAt({ world, known, since }: FrameRequest) {
	const query = new URLSearchParams({
		world,
		known: Object.entries(known)
			.map(([name, version]) => `${name}:${version}`)
			.join(),
		...(since < 0 ? {} : { since: String(since) }),
	});
	try {
		const answer = await fetch(addressOf(`/frame?${query}`), {
			headers: { accept: FRAME_TYPE },
			cache: 'no-store',
		});
		if (answer.headers.get('content-type') !== FRAME_TYPE) return undefined;
		return decodeFrame(new Uint8Array(await answer.arrayBuffer()));
	} catch {
		// No engine answers at present.
		return undefined;
	}
}

/** Returns the bytes of an asset; null if it does not exist or no engine answers. */
async function assetOf(hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
	try {
		const answer = await fetch(addressOf(`/asset/${hash}`), {
			headers: { accept: ANY_BYTES, 'x-agent': PANELS },
		});
		return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
	} catch {
		// No engine answers at present.
		return null;
	}
}

/** Returns the status, once its change number differs from `change`; undefined if no engine answers. */
async function statusAfter(
	after: number,
	change: number,
	signal: AbortSignal,
): Promise<WatchedStatus | undefined> {
	const query = new URLSearchParams({ after: String(after) });
	if (change >= 0) {
		query.set('change', String(change));
		query.set('wait', String(MAX_WAIT_SECONDS));
	}
	try {
		const answer = await fetch(addressOf(`/watch?${query}`), { cache: 'no-store', signal });
		if (!answer.ok) return undefined;
		return { status: await answer.json(), world: answer.headers.get(IDENTITY_HEADER) ?? '' };
	} catch {
		// No engine answers at present.
		return undefined;
	}
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
