/**
 * The engine in a worker thread of the relay, for a server without a browser.
 * Owns: that thread, what its page would do (answer pings, start the engine, begin anew), and starting another after a crash.
 * Never: knows more of the relay than a page does. Modules of the engine are loaded in the thread alone.
 */

import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { decodeFrames, encodeFrames, LINK_VERSION, type LinkFrame } from '../../shared/transport/link.ts';
import { IS_CLONE } from '../folders.ts';
import { Restarts } from '../restarts.ts';
import { PortSocket } from './port-socket.ts';

/** Settings of the engine of an empty journal. */
export interface ThreadSettings {
	readonly profile: 'full' | 'bare';
	readonly seed?: number;
	readonly verify?: number;
	readonly gated: boolean;
}

/** Start the engine, with the key of its page; or end in order. */
export type ToThread = { readonly token: string } | 'end';

/** As much of the relay as the thread uses. */
export interface ThreadRelay {
	/** Takes a connection of this process. */
	join(socket: WebSocket): void;
	/** A one-time token for the page of the relay's own engine. */
	keeperToken(): string;
	forgetKeeper(): void;
	setTrouble(why: string, next: number): void;
}

export interface EngineThreadOptions {
	readonly settings: ThreadSettings;
	readonly say: (sentence: string) => void;
	/** Milliseconds that the first restart waits which does not come at once. */
	readonly firstWait?: number;
}

/** Room for young objects, in MiB. V8's default takes 25 MiB more and makes ticks no faster. */
const YOUNG_MIB = 24;

/** The module of the thread. In the package it is built as an entry of its own. */
const PROGRAM = IS_CLONE ? './engine.worker.ts' : './engine-thread.js';

/** Milliseconds in which the engine ends by itself. */
const END_WAIT = 5000;

export class EngineThread {
	readonly #options: EngineThreadOptions;
	readonly #restarts: Restarts;
	#relay: ThreadRelay | undefined;
	#worker: Worker | undefined;
	#page: PortSocket | undefined;
	/** The engine of the present thread was started. */
	#hasBegun = false;
	#isStopping = false;
	#restart: NodeJS.Timeout | undefined;

	/** Starts the thread, which loads the engine while the relay starts. */
	constructor(options: EngineThreadOptions) {
		this.#options = options;
		this.#restarts = new Restarts(options.firstWait);
		this.#spawn();
	}

	/** Connects to the relay. */
	start(relay: ThreadRelay): void {
		this.#relay = relay;
		this.#openPage();
	}

	/** The engine holds the world, and answers calls. */
	holds(): void {
		this.#restarts.holds();
	}

	/** Replaces a thread that does not answer. */
	replace(): void {
		this.#crashed(this.#worker, 'hangs');
	}

	/** Ends the engine when all that it did is in the journal. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#restart);
		const worker = this.#worker;
		if (worker === undefined) return;
		const ended = once(worker, 'exit');
		const late = setTimeout(() => void worker.terminate(), END_WAIT);
		this.#post('end');
		await ended;
		clearTimeout(late);
		this.#end();
	}

	#post(message: ToThread): void {
		this.#worker?.postMessage(message);
	}

	#spawn(): void {
		const worker = new Worker(new URL(PROGRAM, import.meta.url), {
			workerData: this.#options.settings,
			name: 'engine',
			resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
		});
		this.#worker = worker;
		this.#hasBegun = false;
		worker.on('message', (message: MessagePort | 'replaced') => {
			if (worker !== this.#worker) return;
			if (message === 'replaced') this.#beginAnew();
			else this.#relay?.join(new PortSocket(message).asWebSocket());
		});
		worker.on('error', (error) => this.#crashed(worker, `failed (${String(error)})`));
		worker.on('exit', () => this.#crashed(worker, 'ended'));
	}

	#openPage(): void {
		const relay = this.#relay;
		if (relay === undefined) return;
		const { port1, port2 } = new MessageChannel();
		const page = new PortSocket(port1);
		this.#page = page;
		const say = (frame: LinkFrame): void => page.send(encodeFrames([frame]));
		page.on('message', (data: ArrayBuffer) => {
			for (const frame of decodeFrames(new Uint8Array(data))) {
				if (frame.kind === 'ping') say({ kind: 'pong' });
				if (frame.kind === 'replaced') this.#beginAnew();
				if (frame.kind === 'role' && frame.role === 'hold') this.#begin(frame.key);
			}
		});
		relay.join(new PortSocket(port2).asWebSocket());
		say({ kind: 'page', version: LINK_VERSION, token: relay.keeperToken(), holds: false });
	}

	#begin(token: string): void {
		if (this.#hasBegun) return;
		this.#hasBegun = true;
		this.#post({ token });
	}

	/** Another thread takes the place of one that is not the owner any more, as a page that reloads. */
	#beginAnew(): void {
		if (this.#isStopping) return;
		this.#end();
		this.#spawn();
		this.#openPage();
	}

	#end(): void {
		const worker = this.#worker;
		this.#worker = undefined;
		void worker?.terminate();
		this.#page?.close(1000);
		this.#page = undefined;
	}

	#crashed(worker: Worker | undefined, how: string): void {
		if (worker === undefined || worker !== this.#worker || this.#isStopping) return;
		this.#end();
		this.#relay?.forgetKeeper();
		const wait = this.#restarts.next();
		const sentence = `The thread of the engine ${how}`;
		if (wait === 0) this.#options.say(`${sentence}; a new one is starting.`);
		else {
			const why = `${sentence} repeatedly.`;
			this.#options.say(`${why} The next attempt is in ${wait / 1000} s.`);
			this.#relay?.setTrouble(why, Date.now() + wait);
		}
		this.#restart = setTimeout(() => {
			this.#spawn();
			this.#openPage();
		}, wait);
	}
}
