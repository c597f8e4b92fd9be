/**
 * One connection of an engine: its socket, and what waits to go out on it.
 * Owns: writing frames, many to a message, and when the engine was last heard.
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

/** Milliseconds that a frame which is not urgent may wait for another. */
const ALONG_WAIT = 2;

/** Progress of an engine in reading the journal. */
export interface TabReading {
	readonly next: number;
	readonly end: number;
}

export class Tab {
	/** Number of this connection. */
	readonly id: number;
	/** It is in the relay's own browser. */
	readonly keeper: boolean;
	/** Identity of the world that it holds; empty until it has loaded one. */
	world = '';
	/** It may acquire the lease: the relay waits for it to load. */
	mayAcquire = false;
	/** Time at which it came (ms since 1970). */
	readonly came = Date.now();
	/** Set while it reads the journal. */
	reading: TabReading | undefined;
	/** Pings since anything was heard. */
	unanswered = 0;
	#socket: WebSocket | undefined;
	#out: LinkFrame[] = [];
	#received: number[] = [];
	#scheduled = false;
	#late: NodeJS.Timeout | undefined;
	/** Since when a ping waits for an answer, in milliseconds on the steady clock. */
	#askedAt: number | undefined;

	constructor(id: number, keeper: boolean, socket: WebSocket) {
		this.id = id;
		this.keeper = keeper;
		this.#socket = socket;
	}

	get connected(): boolean {
		return this.#socket !== undefined;
	}

	/** Milliseconds that a ping has waited for an answer, 0 when none waits; undefined without a connection. */
	get silence(): number | undefined {
		if (!this.connected) return undefined;
		return this.#askedAt === undefined ? 0 : performance.now() - this.#askedAt;
	}

	/** Passes every frame that comes to `take`, and calls `closed` once when the socket is lost. */
	listen(take: (frame: LinkFrame) => void, closed: (code: number) => void): void {
		const socket = this.#socket;
		socket?.on('message', (data, isBinary) => {
			if (this.#socket !== socket) return;
			this.unanswered = 0;
			this.#askedAt = undefined;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames === undefined) return socket.close(CLOSE_BROKEN, 'frames');
			for (const frame of frames) take(frame);
		});
		socket?.on('close', (code) => {
			if (this.#socket !== socket) return;
			this.#socket = undefined;
			closed(code);
		});
	}

	disconnect(): void {
		this.#socket?.terminate();
		this.#socket = undefined;
	}

	/**
	 * Informs the engine that it is not the owner, and closes. It knows from the frame, or else the code, not to come
	 * back.
	 */
	dismiss(): void {
		this.send({ kind: 'replaced' });
		this.#flush();
		this.#socket?.close(CLOSE_REPLACED);
		this.#socket = undefined;
	}

	/** Sends a frame with all others of this turn of the event loop. */
	send(frame: LinkFrame): void {
		this.#out.push(frame);
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(this.#flush);
	}

	/** Sends a frame that is not urgent: with the next one, or in a moment. It saves a message. */
	sendAlong(frame: LinkFrame): void {
		this.#out.push(frame);
		if (!this.#scheduled) this.#late ??= setTimeout(this.#flush, ALONG_WAIT);
	}

	/** Asks for a sign of life. */
	ping(): void {
		this.#askedAt ??= performance.now();
		this.send({ kind: 'ping' });
	}

	request(id: number, request: WireRequest, again: boolean): void {
		this.send({ kind: 'request', id, again, request });
	}

	cancel(id: number): void {
		this.send({ kind: 'cancel', id });
	}

	/** Notes that an answer came. The tab learns of it with the next frame that goes out, or by `tell`. */
	received(id: number): void {
		this.#received.push(id);
	}

	/** Informs the tab of received answers now, so that it keeps none for long. */
	sendStatus(): void {
		if (this.#received.length > 0 && !this.#scheduled) this.#flush();
	}

	readonly #flush = (): void => {
		this.#scheduled = false;
		clearTimeout(this.#late);
		this.#late = undefined;
		const socket = this.#socket;
		if (socket === undefined) {
			this.#out = [];
			return;
		}
		const frames = this.#out;
		if (this.#received.length > 0) {
			frames.push({ kind: 'received', ids: this.#received });
			this.#received = [];
		}
		this.#out = [];
		if (socket.readyState !== socket.OPEN) return;
		for (const message of encodeMessages(frames)) socket.send(message, { binary: true });
	};
}

/** Returns the frames of a message as the socket's library gives it; undefined if it is not well formed. */
export function framesOf(data: RawData): LinkFrame[] | undefined {
	const message = Array.isArray(data) ? Buffer.concat(data) : data;
	try {
		return decodeFrames(message instanceof ArrayBuffer ? new Uint8Array(message) : message);
	} catch {
		return undefined;
	}
}
