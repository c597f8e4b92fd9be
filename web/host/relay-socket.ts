/**
 * A socket to the relay that is opened again whenever it is lost.
 * Owns: connection, growing delays, fresh tokens, detection of silence, and packing the frames of one event-loop turn into one message.
 * Never: depends on the meaning of a frame.
 */

import {
	CLOSE_BROKEN,
	CLOSE_REFUSED,
	CLOSE_REPLACED,
	decodeFrames,
	encodeFrames,
	encodeMessages,
	type LinkFrame,
} from '../../shared/transport/link.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** `lost` is final after another tab became the engine. Otherwise the relay has not answered for a while. */
export type RelayState = 'connecting' | 'ready' | 'lost';

/** Common part of the browser's WebSocket and of the one in the `ws` library. */
export interface LinkSocket {
	binaryType: string;
	readonly readyState: number;
	onopen: ((event: never) => void) | null;
	onclose: ((event: { readonly code: number }) => void) | null;
	onerror: ((event: never) => void) | null;
	onmessage: ((event: { readonly data: unknown }) => void) | null;
	send(data: Uint8Array<ArrayBuffer>): void;
	close(code?: number, reason?: string): void;
}

export interface RelaySocketOptions {
	readonly url: string;
	/** The token for the first connection. */
	readonly token: string;
	/** Returns the first frame of every connection. */
	readonly hello: (token: string) => LinkFrame;
	/** Returns another token, after the relay has refused the last one. */
	readonly freshToken: () => Promise<string>;
	readonly open: (url: string) => LinkSocket;
	readonly onFrame: (frame: LinkFrame) => void;
	/** Called when the connection is lost. Another follows unless the engine was replaced. */
	readonly onLost: () => void;
	readonly onState: (state: RelayState) => void;
	/** Called when another engine has the lease. */
	readonly onReplaced: () => void;
	/** Called a few times a second while there is no relay. */
	readonly onAway: (now: number) => void;
	/** Returns true if frames may wait for others of the same event-loop turn. */
	readonly isBusy: () => boolean;
}

/** Delay before the first reconnection, and the maximum delay (ms). */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 1000;
/** Time without a message after which a socket is dead (ms). The relay pings every two seconds. */
const MAX_SILENCE_MS = 15_000;
/** Time without a relay after which the state is `lost` (ms). The link still tries to connect. */
const LOST_AFTER_MS = 5000;
/** Ready state of an open WebSocket. */
const OPEN = 1;
/** Time between checks of the socket (ms). */
const CHECK_MS = 500;

export class RelaySocket {
	readonly #options: RelaySocketOptions;
	readonly #checkTimer: ReturnType<typeof setInterval>;
	#socket: LinkSocket | undefined;
	#isWelcome = false;
	#isClosed = false;
	#state: RelayState | undefined;
	#token: string;
	#waitMs = FIRST_WAIT_MS;
	#retryTimer: ReturnType<typeof setTimeout> | undefined;
	#lastMessage = 0;
	#lastCheck = performance.now();
	#downSince = performance.now();
	#queue: LinkFrame[] = [];
	#willFlush = false;

	constructor(options: RelaySocketOptions) {
		this.#options = options;
		this.#token = options.token;
		this.#checkTimer = setInterval(() => this.#check(), CHECK_MS);
		this.#connect();
	}

	get isWelcome(): boolean {
		return this.#isWelcome;
	}

	get isClosed(): boolean {
		return this.#isClosed;
	}

	/** Called when the relay has accepted the engine. Drops frames that were queued before. */
	welcome(): void {
		this.#isWelcome = true;
		this.#waitMs = FIRST_WAIT_MS;
		this.#queue = [];
	}

	/** Sends queued frames, and sets the state `ready`. */
	ready(): void {
		this.flush();
		this.#setState('ready');
	}

	/** Sends a frame, unless there currently is no relay. */
	post(frame: LinkFrame): void {
		if (!this.#isWelcome) return;
		this.#queue.push(frame);
		if (!this.#options.isBusy()) this.flush();
		else if (!this.#willFlush) {
			this.#willFlush = true;
			void yieldToEventLoop().then(() => {
				this.#willFlush = false;
				this.flush();
			});
		}
	}

	flush(): void {
		const frames = this.#queue;
		this.#queue = [];
		if (this.#socket?.readyState !== OPEN || frames.length === 0) return;
		for (const message of encodeMessages(frames)) this.#socket.send(message);
	}

	/** Closes the socket permanently. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearInterval(this.#checkTimer);
		clearTimeout(this.#retryTimer);
		const socket = this.#socket;
		this.#socket = undefined;
		this.#isWelcome = false;
		socket?.close(1000);
		this.#setState('lost');
	}

	#connect(): void {
		const { open, url, hello } = this.#options;
		this.#setState(this.#isLongAway() ? 'lost' : 'connecting');
		const linkSocket = open(url);
		linkSocket.binaryType = 'arraybuffer';
		this.#socket = linkSocket;
		this.#lastMessage = performance.now();
		linkSocket.onopen = () => linkSocket.send(encodeFrames([hello(this.#token)]));
		linkSocket.onmessage = (event) => {
			if (linkSocket === this.#socket) this.#receive(linkSocket, event.data);
		};
		// A failed socket also closes, and `onclose` deals with both.
		linkSocket.onerror = () => {};
		linkSocket.onclose = (event) => {
			if (linkSocket === this.#socket) this.#handleClose(event.code);
		};
	}

	#receive(from: LinkSocket, data: unknown): void {
		this.#lastMessage = performance.now();
		let frames: LinkFrame[];
		try {
			if (!(data instanceof ArrayBuffer)) throw new TypeError('not bytes');
			frames = decodeFrames(new Uint8Array(data));
		} catch {
			from.close(CLOSE_BROKEN, 'frames');
			return;
		}
		let isPinged = false;
		for (const frame of frames) {
			if (frame.kind === 'ping') isPinged = true;
			else if (frame.kind === 'replaced') this.#handleReplacement();
			else this.#options.onFrame(frame);
		}
		// The pong is posted last, so that it shares a message with the answer of a call that came with the ping.
		if (isPinged) this.post({ kind: 'pong' });
	}

	#handleReplacement(): void {
		if (this.#isClosed) return;
		this.close();
		this.#options.onReplaced();
	}

	#handleClose(code: number): void {
		this.#socket = undefined;
		if (this.#isWelcome) this.#downSince = performance.now();
		this.#isWelcome = false;
		if (this.#isClosed) return;
		this.#options.onLost();
		if (this.#isClosed) return;
		if (code === CLOSE_REPLACED) {
			this.#handleReplacement();
			return;
		}
		this.#setState(this.#isLongAway() ? 'lost' : 'connecting');
		const isRefused = code === CLOSE_REFUSED;
		// A relay that refuses is running, so the first request for a token is sent immediately. Later ones wait longer and longer.
		const delay = isRefused && this.#waitMs === FIRST_WAIT_MS ? 0 : this.#waitMs;
		this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
		this.#retryTimer = setTimeout(() => (isRefused ? void this.#requestToken() : this.#connect()), delay);
	}

	/** Gets another token and connects again. The relay does not know the old one: it was restarted, or the token was used. */
	async #requestToken(): Promise<void> {
		try {
			this.#token = await this.#options.freshToken();
		} catch {
			// There is no relay at present. The next socket fails too, and the token is requested again later.
		}
		if (!this.#isClosed) this.#connect();
	}

	#isLongAway(): boolean {
		return !this.#isWelcome && performance.now() - this.#downSince > LOST_AFTER_MS;
	}

	#check(): void {
		const now = performance.now();
		// If this thread was busy for long, messages of the relay may be unread, so there was no silence.
		if (now - this.#lastCheck > 4 * CHECK_MS) this.#lastMessage = now;
		this.#lastCheck = now;
		if (this.#socket !== undefined && now - this.#lastMessage > MAX_SILENCE_MS) {
			const dead = this.#socket;
			this.#handleClose(CLOSE_BROKEN);
			dead.close();
		}
		if (this.#isWelcome || this.#isClosed) return;
		if (this.#isLongAway()) this.#setState('lost');
		this.#options.onAway(now);
	}

	#setState(state: RelayState): void {
		if (state === this.#state) return;
		this.#state = state;
		this.#options.onState(state);
	}
}
