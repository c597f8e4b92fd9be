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
	readonly take: (frame: LinkFrame) => void;
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

const FIRST_WAIT = 100;
const MAX_WAIT = 1000;
/** The relay pings every two seconds. A socket without a message for this long is dead. Milliseconds. */
const SILENCE = 15_000;
/** After this time without a relay the state is `lost`, though the link still tries to connect. Milliseconds. */
const LOST_AFTER = 5000;
const OPEN = 1;
/** Milliseconds between checks of the socket. */
const LOOK = 500;

export class RelaySocket {
	readonly #options: RelaySocketOptions;
	readonly #watch: ReturnType<typeof setInterval>;
	#socket: LinkSocket | undefined;
	#isWelcome = false;
	#isClosed = false;
	#state: RelayState | undefined;
	#token: string;
	#wait = FIRST_WAIT;
	#retry: ReturnType<typeof setTimeout> | undefined;
	#lastHeard = 0;
	#lastLook = performance.now();
	#downSince = performance.now();
	#out: LinkFrame[] = [];
	#isFlushing = false;

	constructor(options: RelaySocketOptions) {
		this.#options = options;
		this.#token = options.token;
		this.#watch = setInterval(() => this.#look(), LOOK);
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
		this.#wait = FIRST_WAIT;
		this.#out = [];
	}

	/** Sends queued frames, and sets the state `ready`. */
	ready(): void {
		this.flush();
		this.#setState('ready');
	}

	/** Sends a frame, unless there currently is no relay. */
	post(frame: LinkFrame): void {
		if (!this.#isWelcome) return;
		this.#out.push(frame);
		if (!this.#options.isBusy()) this.flush();
		else if (!this.#isFlushing) {
			this.#isFlushing = true;
			void yieldToEventLoop().then(() => {
				this.#isFlushing = false;
				this.flush();
			});
		}
	}

	flush(): void {
		const frames = this.#out;
		this.#out = [];
		if (this.#socket?.readyState !== OPEN || frames.length === 0) return;
		for (const message of encodeMessages(frames)) this.#socket.send(message);
	}

	/** Closes the socket permanently. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearInterval(this.#watch);
		clearTimeout(this.#retry);
		const last = this.#socket;
		this.#socket = undefined;
		this.#isWelcome = false;
		last?.close(1000);
		this.#setState('lost');
	}

	#connect(): void {
		const { open, url, hello } = this.#options;
		this.#setState(this.#isLongAway() ? 'lost' : 'connecting');
		const linkSocket = open(url);
		linkSocket.binaryType = 'arraybuffer';
		this.#socket = linkSocket;
		this.#lastHeard = performance.now();
		linkSocket.onopen = () => linkSocket.send(encodeFrames([hello(this.#token)]));
		linkSocket.onmessage = (event) => {
			if (linkSocket === this.#socket) this.#hear(linkSocket, event.data);
		};
		// A failed socket also closes, and `onclose` deals with both.
		linkSocket.onerror = () => {};
		linkSocket.onclose = (event) => {
			if (linkSocket === this.#socket) this.#dropped(event.code);
		};
	}

	#hear(from: LinkSocket, data: unknown): void {
		this.#lastHeard = performance.now();
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
			else if (frame.kind === 'replaced') this.#replaced();
			else this.#options.take(frame);
		}
		// The pong is posted last, so that it shares a message with the answer of a call that came with the ping.
		if (isPinged) this.post({ kind: 'pong' });
	}

	#replaced(): void {
		if (this.#isClosed) return;
		this.close();
		this.#options.onReplaced();
	}

	#dropped(code: number): void {
		this.#socket = undefined;
		if (this.#isWelcome) this.#downSince = performance.now();
		this.#isWelcome = false;
		if (this.#isClosed) return;
		this.#options.onLost();
		if (this.#isClosed) return;
		if (code === CLOSE_REPLACED) {
			this.#replaced();
			return;
		}
		this.#setState(this.#isLongAway() ? 'lost' : 'connecting');
		const isRefused = code === CLOSE_REFUSED;
		// A relay that refuses is running, so the first request for a token is sent immediately. Later ones wait longer and longer.
		const waited = isRefused && this.#wait === FIRST_WAIT ? 0 : this.#wait;
		this.#wait = Math.min(this.#wait * 2, MAX_WAIT);
		this.#retry = setTimeout(() => (isRefused ? void this.#requestToken() : this.#connect()), waited);
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
		return !this.#isWelcome && performance.now() - this.#downSince > LOST_AFTER;
	}

	#look(): void {
		const now = performance.now();
		// If this thread was busy for long, messages of the relay may be unread, so there was no silence.
		if (now - this.#lastLook > 4 * LOOK) this.#lastHeard = now;
		this.#lastLook = now;
		if (this.#socket !== undefined && now - this.#lastHeard > SILENCE) {
			const dead = this.#socket;
			this.#dropped(CLOSE_BROKEN);
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
