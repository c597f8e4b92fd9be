/**
 * One tab that is, or was, the engine: its socket, and what waits to go out on it.
 * Owns: writing frames, many to a message, and the token with which the same tab may come back.
 * Never: decides who the engine is.
 */

import type { WebSocket } from 'ws';
import { encodeFrames, type LinkFrame } from '../shared/contract/link.ts';
import type { WireRequest } from '../shared/contract/wire.ts';
import { randomToken } from './tokens.ts';

export class Tab {
	readonly number: number;
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

	constructor(number: number) {
		this.number = number;
	}

	get connected(): boolean {
		return this.#socket !== undefined;
	}

	/** Puts the tab on a socket. What waited to go out on an earlier one is dropped: the mailbox sends it again. */
	connect(socket: WebSocket, resumed: boolean, place: string): void {
		this.#socket?.terminate();
		this.#socket = socket;
		this.#out = [];
		this.#received = [];
		this.unanswered = 0;
		this.lostAt = undefined;
		this.resumeToken = randomToken();
		this.send({ kind: 'welcome', resume: this.resumeToken, resumed, place });
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

	readonly request = (id: number, request: WireRequest): void => this.send({ kind: 'request', id, request });

	/** Notes that an answer came. The tab is told along with the next frame that goes out, or by `tell`. */
	received(id: number): void {
		this.#received.push(id);
	}

	/** Tells the tab of received answers now, so that it keeps none for long. */
	tell(): void {
		if (this.#received.length > 0 && !this.#scheduled) this.#flush();
	}

	readonly #flush = (): void => {
		this.#scheduled = false;
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
		if (frames.length > 0 && socket.readyState === socket.OPEN)
			socket.send(encodeFrames(frames), { binary: true });
	};
}
