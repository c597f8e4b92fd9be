/**
 * One tab that is, was or will be the engine: its engine's socket, and what waits to go out on it.
 * Owns: writing frames, many to a message, and the token with which the same tab may come back.
 * Never: decides who the engine is.
 */

import type { RawData, WebSocket } from 'ws';
import { CLOSE_BROKEN, decodeFrames, encodeMessages, type LinkFrame } from '../shared/contract/link.ts';
import type { WireRequest } from '../shared/contract/wire.ts';
import type { Page } from './page.ts';
import { randomToken } from './tokens.ts';

/** Milliseconds that a frame which nobody waits for may wait for another. */
const ALONG_WAIT = 2;

/** What a tab is told that is the engine. */
export type Welcome = Omit<LinkFrame & { readonly kind: 'welcome' }, 'kind' | 'resume'>;

/** How far a tab is with reading the journal. */
export interface Reading {
	readonly next: number;
	readonly end: number;
}

export class Tab {
	/** It is in the relay's own browser. */
	readonly keeper: boolean;
	/** Identity of the world that it holds; empty until it has one. */
	world: string;
	/** What it does is in the journal, from which another goes on. */
	kept = false;
	/** When it came (ms since 1970). */
	readonly came = Date.now();
	/** It answers calls. */
	begun = false;
	/** Set while it reads the journal. */
	reading: Reading | undefined;
	/** The page that it belongs to; undefined while only the engine's own socket is known. */
	page: Page | undefined;
	/** Since when a ping has been on its way of which nothing was heard, in milliseconds on the steady clock. */
	askedAt: number | undefined;
	/** What the tab shows to take up its place after a lost socket; a new one with every socket. */
	resumeToken = randomToken();
	/** Pings since anything was heard. */
	unanswered = 0;
	/** When the socket was lost, in milliseconds on the steady clock; undefined while there is one. */
	lostAt: number | undefined;
	#socket: WebSocket | undefined;
	#out: LinkFrame[] = [];
	#received: number[] = [];
	#scheduled = false;
	#late: NodeJS.Timeout | undefined;

	constructor(keeper: boolean, world: string, page: Page | undefined) {
		this.keeper = keeper;
		this.world = world;
		this.page = page;
	}

	get connected(): boolean {
		return this.#socket !== undefined;
	}

	/** Puts the tab on a socket. What waited to go out on an earlier one is dropped: `PendingCalls` sends it again. */
	connect(socket: WebSocket): void {
		this.#socket?.terminate();
		this.#socket = socket;
		this.#out = [];
		this.#received = [];
		this.unanswered = 0;
		this.askedAt = undefined;
		this.lostAt = undefined;
	}

	/** Tells the tab that it is the engine. */
	welcome(welcome: Welcome): void {
		this.resumeToken = randomToken();
		this.send({ kind: 'welcome', resume: this.resumeToken, ...welcome });
	}

	/** Hands every frame that comes on a socket to `take`, as long as the tab is on it. */
	listen(socket: WebSocket, take: (frame: LinkFrame) => void): void {
		socket.on('message', (data, isBinary) => {
			if (!this.isOn(socket)) return;
			this.unanswered = 0;
			this.askedAt = undefined;
			const frames = isBinary ? framesOf(data) : undefined;
			if (frames === undefined) return socket.close(CLOSE_BROKEN, 'frames');
			for (const frame of frames) take(frame);
		});
	}

	isOn(socket: WebSocket): boolean {
		return this.#socket === socket;
	}

	disconnect(): void {
		this.#socket?.terminate();
		this.#socket = undefined;
		this.lostAt = performance.now();
	}

	/** Says goodbye and closes. The tab knows from the frame, or else the code, not to come back. */
	end(frame: LinkFrame | undefined, code: number): void {
		if (frame !== undefined) this.send(frame);
		this.#flush();
		this.#socket?.close(code);
		this.#socket = undefined;
		this.lostAt = performance.now();
	}

	/** Sends a frame with all others of this turn of the event loop. */
	send(frame: LinkFrame): void {
		this.#out.push(frame);
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(this.#flush);
	}

	/** Sends a frame that nobody waits for: with the next one, or in a moment. It saves a message. */
	sendAlong(frame: LinkFrame): void {
		this.#out.push(frame);
		if (!this.#scheduled) this.#late ??= setTimeout(this.#flush, ALONG_WAIT);
	}

	/** Asks for a sign of life. */
	ping(): void {
		this.askedAt ??= performance.now();
		this.send({ kind: 'ping' });
	}

	request(id: number, request: WireRequest, ends: number): void {
		this.send({ kind: 'request', id, ends, request });
	}

	cancel(id: number): void {
		this.send({ kind: 'cancel', id });
	}

	/** Notes that an answer came. The tab learns of it with the next frame that goes out, or by `tell`. */
	received(id: number): void {
		this.#received.push(id);
	}

	/** Tells the tab of received answers now, so that it keeps none for long. */
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

/** The frames of a message as the socket's library gives it; undefined when it is not well formed. */
export function framesOf(data: RawData): LinkFrame[] | undefined {
	const message = Array.isArray(data) ? Buffer.concat(data) : data;
	try {
		return decodeFrames(message instanceof ArrayBuffer ? new Uint8Array(message) : message);
	} catch {
		return undefined;
	}
}
