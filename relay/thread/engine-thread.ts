/**
 * The engine of a world in a worker thread of the relay, which it may share with engines of other worlds.
 * Owns: the work of its missing page (answer pings, start the engine, begin again), and the start of another after a
 * crash.
 * Never: knows more of the relay than a page does.
 */

import { MessageChannel } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { decodeFrames, encodeFrames, LINK_VERSION, type LinkFrame } from '../../shared/transport/link.ts';
import { Restarts } from '../restarts.ts';
import { EngineWorker, type ThreadSettings } from './engine-worker.ts';
import { PortSocket } from './port-socket.ts';

/** As much of the relay as the thread uses. */
export interface ThreadRelay {
	/** Takes a connection of this process. */
	join(socket: WebSocket): void;
	/** Returns a one-time token for the page of the relay's own engine. */
	keeperToken(): string;
	forgetKeeper(): void;
	setTrouble(why: string, next: number): void;
}

export interface EngineThreadOptions {
	readonly settings: ThreadSettings;
	readonly say: (sentence: string) => void;
	/** Milliseconds that the first restart waits which does not come at once. */
	readonly firstWait?: number;
	/** Returns a thread with room for an engine; a new one unless given. */
	readonly worker?: () => EngineWorker;
	/** Noun for messages; `engine` unless given. */
	readonly name?: string;
	/** Resolves with true if an engine elsewhere has the lease; never unless given. */
	readonly isTaken?: () => Promise<boolean>;
	/** Called when an engine elsewhere has the lease: no other begins here. */
	readonly onTaken?: () => void;
}

export class EngineThread {
	readonly #options: EngineThreadOptions;
	readonly #restarts: Restarts;
	#relay: ThreadRelay | undefined;
	#worker: EngineWorker | undefined;
	/** Number of the engine in its thread. */
	#engine = 0;
	#page: PortSocket | undefined;
	/** The present engine was started. */
	#hasBegun = false;
	#isStopping = false;
	#restart: NodeJS.Timeout | undefined;

	/** Takes a thread, which loads the engine while the relay starts. */
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
		this.#worker?.fail('hangs');
	}

	/** Ends the engine when all that it did is in the journal. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#restart);
		await this.#worker?.end(this.#engine);
		this.#end();
	}

	/** Ends the engine at once. The journal has what was acknowledged. */
	drop(): void {
		this.#isStopping = true;
		clearTimeout(this.#restart);
		this.#end();
	}

	#spawn(): void {
		const worker = this.#options.worker?.() ?? new EngineWorker();
		this.#worker = worker;
		this.#hasBegun = false;
		const engine = worker.join({
			connected: (socket) => this.#relay?.join(socket),
			replaced: () => void this.#replaced(worker, engine),
			crashed: (how) => this.#crashed(how),
		});
		this.#engine = engine;
	}

	/** An engine is not the owner any more: a caller ended it, or an engine elsewhere has the lease. */
	async #replaced(worker: EngineWorker, engine: number): Promise<void> {
		const { isTaken, onTaken } = this.#options;
		const taken = (await isTaken?.()) === true;
		if (this.#worker !== worker || this.#engine !== engine) return;
		if (taken) onTaken?.();
		else this.#beginAnew();
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
		this.#worker?.begin(this.#engine, token, this.#options.settings);
	}

	/** Another thread takes the place of one whose engine a caller ended: it may hang, and then all its engines do. */
	#beginAnew(): void {
		if (this.#isStopping) return;
		const worker = this.#worker;
		this.#end();
		worker?.fail('was ended by a caller');
		this.#spawn();
		this.#openPage();
	}

	#end(): void {
		this.#worker?.leave(this.#engine);
		this.#worker = undefined;
		this.#page?.close(1000);
		this.#page = undefined;
	}

	#crashed(how: string): void {
		if (this.#isStopping) return;
		this.#end();
		this.#relay?.forgetKeeper();
		const wait = this.#restarts.next();
		const sentence = `The thread of the ${this.#options.name ?? 'engine'} ${how}`;
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
