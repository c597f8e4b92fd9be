/**
 * One connection of an engine: its socket, and the frames that wait to be sent.
 * Owns: writing frames, several in one message, and the time since the engine's last answer.
 * Never: decides which engine is the owner.
 */

import type { RawData, WebSocket } from 'ws';
import type { WireRequest } from '../shared/contract/wire.ts';
import {
	CLOSE_BROKEN,
	CLOSE_REPLACED,
	decodeFrames,
	encodeMessages,
	type LinkFrame,
} from '../shared/transport/link.ts';

/** Milliseconds that a frame may wait for another if it is not urgent. */
const MAX_BATCH_MS = 2;

/** Progress of an engine in reading the journal: the next entry, and the end. */
export interface TabReading {
	readonly next: number;
	readonly end: number;
}

export class Tab {
	/** Number of this connection. */
	readonly id: number;
	/** True if it is in the relay's own browser. */
	readonly keeper: boolean;
	/** Identity of its world; empty until it has loaded one. */
	world = '';
	/** True if it may acquire the lease. The relay waits for it to load. */
	mayAcquire = false;
	/** Time at which it connected (ms since 1970). */
	readonly connectedAt = Date.now();
	/** Progress while it reads the journal; otherwise undefined. */
	reading: TabReading | undefined;
	/** Pings since the last frame of the engine. */
	unanswered = 0;
	#socket: WebSocket | undefined;
	/** Frames that wait to be sent. */
	#unsent: LinkFrame[] = [];
	/** Ids of received answers, which the tab does not know yet. */
	#receivedIds: number[] = [];
	#isFlushScheduled = false;
	#batchTimer: NodeJS.Timeout | undefined;
	/** Milliseconds on the steady clock since which a ping waits for an answer. */
	#pingedAt: number | undefined;

	constructor(id: number, keeper: boolean, socket: WebSocket) {
		this.id = id;
		this.keeper = keeper;
		this.#socket = socket;
	}

	get isConnected(): boolean {
		return this.#socket !== undefined;
	}

	/** Milliseconds that a ping has waited for an answer, 0 if none waits; undefined without a connection. */
	get silence(): number | undefined {
		if (!this.isConnected) return undefined;
		return this.#pingedAt === undefined ? 0 : performance.now() - this.#pingedAt;
	}

	/** Calls `onFrame` with every frame of the engine. Calls `onClosed` once when the socket is lost. */
	listen(onFrame: (frame: LinkFrame) => void, onClosed: (code: number) => void): void {
		const socket = this.#socket;
		socket?.on('message', (data, isBinary) => {
			if (this.#socket !== socket) return;
			this.unanswered = 0;
			this.#pingedAt = undefined;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames === undefined) return socket.close(CLOSE_BROKEN, 'frames');
			for (const frame of frames) onFrame(frame);
		});
		socket?.on('close', (code) => {
			if (this.#socket !== socket) return;
			this.#socket = undefined;
			onClosed(code);
		});
	}

	disconnect(): void {
		this.#socket?.terminate();
		this.#socket = undefined;
	}

	/**
	 * Informs the engine that it is not the owner, and closes its socket. Either the frame or the code of the close
	 * prevents it from reconnecting.
	 */
	dismiss(): void {
		this.send({ kind: 'replaced' });
		this.#flush();
		this.#socket?.close(CLOSE_REPLACED);
		this.#socket = undefined;
	}

	/** Sends a frame, in one message with all others of this turn of the event loop. */
	send(frame: LinkFrame): void {
		this.#unsent.push(frame);
		if (this.#isFlushScheduled) return;
		this.#isFlushScheduled = true;
		setImmediate(this.#flush);
	}

	/** Sends a frame that is not urgent with the next frame, or after a short wait. This saves messages. */
	sendLater(frame: LinkFrame): void {
		this.#unsent.push(frame);
		if (!this.#isFlushScheduled) this.#batchTimer ??= setTimeout(this.#flush, MAX_BATCH_MS);
	}

	/** Sends a ping. */
	ping(): void {
		this.#pingedAt ??= performance.now();
		this.send({ kind: 'ping' });
	}

	request(id: number, request: WireRequest, again: boolean): void {
		this.send({ kind: 'request', id, again, request });
	}

	cancel(id: number): void {
		this.send({ kind: 'cancel', id });
	}

	/** Records that an answer has arrived. The next frame, or `sendStatus`, reports this to the tab. */
	received(id: number): void {
		this.#receivedIds.push(id);
	}

	/** Informs the tab of received answers now, so that it can drop them. */
	sendStatus(): void {
		if (this.#receivedIds.length > 0 && !this.#isFlushScheduled) this.#flush();
	}

	readonly #flush = (): void => {
		this.#isFlushScheduled = false;
		clearTimeout(this.#batchTimer);
		this.#batchTimer = undefined;
		const socket = this.#socket;
		if (socket === undefined) {
			this.#unsent = [];
			return;
		}
		const frames = this.#unsent;
		if (this.#receivedIds.length > 0) {
			frames.push({ kind: 'received', ids: this.#receivedIds });
			this.#receivedIds = [];
		}
		this.#unsent = [];
		if (socket.readyState !== socket.OPEN) return;
		for (const message of encodeMessages(frames)) socket.send(message, { binary: true });
	};
}

/** Returns the frames of a message of the socket library, or undefined if it is malformed. */
export function framesOf(data: RawData): LinkFrame[] | undefined {
	const message = Array.isArray(data) ? Buffer.concat(data) : data;
	try {
		return decodeFrames(message instanceof ArrayBuffer ? new Uint8Array(message) : message);
	} catch {
		return undefined;
	}
}
