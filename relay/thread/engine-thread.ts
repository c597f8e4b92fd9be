/**
 * Engine of a world in a worker thread of the relay, which may also run engines of other worlds.
 * Owns: the duties of a page, which the engine lacks: it answers pings, starts the engine and restarts it. After a crash
 * it starts another engine.
 * Never: knows more about the relay than a page does.
 */

import { MessageChannel } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { decodeFrames, encodeFrames, LINK_VERSION, type LinkFrame } from '../../shared/transport/link.ts';
import { Restarts } from '../restarts.ts';
import { EngineWorker, type ThreadSettings } from './engine-worker.ts';
import { PortSocket } from './port-socket.ts';

/** The part of the relay that the thread uses. */
export interface ThreadRelay {
	/** Accepts a connection from this process. */
	join(socket: WebSocket): void;
	/** Returns a one-time token for the page of the relay's own engine. */
	keeperToken(): string;
	/** Records that the engine is dead, so that nothing waits for its return. */
	forgetKeeper(): void;
	/** Stores the reason that the engine dies repeatedly, and the time of its next start (ms since 1970). */
	setTrouble(why: string, next: number): void;
}

export interface EngineThreadOptions {
	readonly settings: ThreadSettings;
	/** Prints a message for the operator. */
	readonly say: (sentence: string) => void;
	/** Milliseconds of the first wait before a restart. The default is that of `Restarts`. */
	readonly firstWait?: number;
	/** Returns a thread for an engine. The default starts a new one. */
	readonly worker?: () => EngineWorker;
	/** Noun for messages. The default is `engine`. */
	readonly name?: string;
	/** Resolves to true if an engine of another server has the lease. The default is false. */
	readonly isTaken?: () => Promise<boolean>;
	/** Called when an engine of another server has the lease. No engine starts here then. */
	readonly onTaken?: () => void;
}

export class EngineThread {
	readonly #options: EngineThreadOptions;
	readonly #restarts: Restarts;
	#relay: ThreadRelay | undefined;
	#worker: EngineWorker | undefined;
	/** Number of the engine in its thread. */
	#engine = 0;
	/** Connection to the relay in the role of a page. */
	#page: PortSocket | undefined;
	/** True if the current engine was started. */
	#isStarted = false;
	#isStopping = false;
	#restartTimer: NodeJS.Timeout | undefined;

	/** Gets a thread, which loads the code of the engine while the relay starts. */
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

	/** Records that the engine owns the world and answers calls. */
	noteReady(): void {
		this.#restarts.noteReady();
	}

	/** Replaces the thread, because it does not answer. */
	replace(): void {
		this.#worker?.fail('hangs');
	}

	/** Ends the engine after all its changes are in the journal. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#restartTimer);
		await this.#worker?.endEngine(this.#engine);
		this.#end();
	}

	/** Ends the engine immediately. The journal has all acknowledged writes. */
	drop(): void {
		this.#isStopping = true;
		clearTimeout(this.#restartTimer);
		this.#end();
	}

	#spawn(): void {
		const worker = this.#options.worker?.() ?? new EngineWorker();
		this.#worker = worker;
		this.#isStarted = false;
		const engine = worker.join({
			onConnected: (socket) => this.#relay?.join(socket),
			onReplaced: () => void this.#handleReplaced(worker, engine),
			onCrash: (how) => this.#handleCrash(how),
		});
		this.#engine = engine;
	}

	/** Starts another engine, if a caller has ended this one. Reports if an engine of another server has the lease. */
	async #handleReplaced(worker: EngineWorker, engine: number): Promise<void> {
		const { isTaken, onTaken } = this.#options;
		const isTakenElsewhere = (await isTaken?.()) === true;
		if (this.#worker !== worker || this.#engine !== engine) return;
		if (isTakenElsewhere) onTaken?.();
		else this.#replaceThread();
	}

	/** Connects to the relay as a page does. */
	#openPage(): void {
		const relay = this.#relay;
		if (relay === undefined) return;
		const { port1, port2 } = new MessageChannel();
		const page = new PortSocket(port1);
		this.#page = page;
		const send = (frame: LinkFrame): void => page.send(encodeFrames([frame]));
		page.on('message', (data: ArrayBuffer) => {
			for (const frame of decodeFrames(new Uint8Array(data))) {
				if (frame.kind === 'ping') send({ kind: 'pong' });
				if (frame.kind === 'replaced') this.#replaceThread();
				if (frame.kind === 'role' && frame.role === 'hold') this.#startEngine(frame.key);
			}
		});
		relay.join(new PortSocket(port2).asWebSocket());
		send({ kind: 'page', version: LINK_VERSION, token: relay.keeperToken(), holds: false });
	}

	#startEngine(token: string): void {
		if (this.#isStarted) return;
		this.#isStarted = true;
		this.#worker?.startEngine(this.#engine, token, this.#options.settings);
	}

	/** Replaces the thread of an engine that a caller has ended. That engine may hang, and with it the whole thread. */
	#replaceThread(): void {
		if (this.#isStopping) return;
		const worker = this.#worker;
		this.#end();
		worker?.fail('was ended by a caller');
		this.#spawn();
		this.#openPage();
	}

	#end(): void {
		this.#worker?.dropEngine(this.#engine);
		this.#worker = undefined;
		this.#page?.close(1000);
		this.#page = undefined;
	}

	/** Restarts the engine after its thread has ended. `how`: a verb, such as `ended`. */
	#handleCrash(how: string): void {
		if (this.#isStopping) return;
		this.#end();
		this.#relay?.forgetKeeper();
		const wait = this.#restarts.next();
		const clause = `The thread of the ${this.#options.name ?? 'engine'} ${how}`;
		if (wait === 0) this.#options.say(`${clause}; a new one is starting.`);
		else {
			const why = `${clause} repeatedly.`;
			this.#options.say(`${why} The next attempt is in ${wait / 1000} s.`);
			this.#relay?.setTrouble(why, Date.now() + wait);
		}
		this.#restartTimer = setTimeout(() => {
			this.#spawn();
			this.#openPage();
		}, wait);
	}
}
