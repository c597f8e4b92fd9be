/**
 * One worker thread that runs engines.
 * Owns: the thread and its end, and the assignment of messages to engines.
 * Never: knows a world or the relay. Only the thread loads the modules of the engine.
 */

import { type MessagePort, Worker } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import type { StateEvery } from '../../web/host/journal/state-keeper.ts';
import { IS_CLONE } from '../folders.ts';
import { PortSocket } from './port-socket.ts';

/** Settings of an engine. Profile and seed apply only to an empty journal. */
export interface ThreadSettings {
	readonly profile: 'full' | 'bare';
	readonly seed?: number;
	/** Heavy mode: each Nth tick is re-run. */
	readonly verify?: number;
	/** True if calls that change something need a session. */
	readonly gated: boolean;
	/** Maximum memory of its worlds (bytes). */
	readonly memoryBudget?: number;
	/** Limits after which it stores a state, if they differ from the defaults. */
	readonly stateEvery?: Partial<StateEvery>;
	/** Number of the agent that owns the world; undefined for the operators. */
	readonly owner?: number;
	/** Name of the world; undefined for main. The browser of main's engine draws the pictures of other worlds. */
	readonly name?: string;
	/** True if it has its own worker threads for forks and sweeps. */
	readonly hasPool?: boolean;
	/** Addresses of NATS, if its pool may use workers of other servers. */
	readonly cluster?: string;
}

/** Message to the thread about an engine: start it with the key of its page, end it in order, or drop it. */
export type ToThread =
	| {
			readonly engine: number;
			readonly action: 'start';
			readonly token: string;
			readonly settings: ThreadSettings;
	  }
	| { readonly engine: number; readonly action: 'end' | 'drop' };

/** Message from the thread: an engine has opened a connection, was replaced by another owner, or has ended. */
export type FromThread =
	| { readonly engine: number; readonly port: MessagePort }
	| { readonly engine: number; readonly state: 'replaced' | 'ended' };

/** Listener for the events of one engine. */
export interface EngineClient {
	/** Called when an engine has opened a connection to the relay. */
	onConnected(socket: WebSocket): void;
	/** Called when another owner has replaced an engine. */
	onReplaced(): void;
	/** Called when the thread has ended. `how`: a verb, such as `ended`. */
	onCrash(how: string): void;
}

/** Heap space for young objects, in MiB. V8's default needs 25 MiB more and makes ticks no faster. */
const YOUNG_MIB = 24;

/** Module of the thread. The package has it as a separate entry. */
const PROGRAM = IS_CLONE ? './engine.worker.ts' : './engine-thread.js';

/** Maximum milliseconds in which an engine ends by itself. */
const MAX_END_MS = 5000;

export class EngineWorker {
	readonly #worker: Worker;
	/** True if the thread continues after the end of its last engine. */
	readonly #isPersistent: boolean;
	readonly #exit: Promise<void>;
	readonly #clients = new Map<number, EngineClient>();
	/** Callbacks of engines that are ending. */
	readonly #endCallbacks = new Map<number, () => void>();
	#lastEngine = 0;
	#isOver = false;

	/** Starts the thread, which loads the modules of the engine. `isPersistent`: the thread continues without engines. */
	constructor(isPersistent = false) {
		this.#isPersistent = isPersistent;
		this.#worker = new Worker(new URL(PROGRAM, import.meta.url), {
			name: 'engine',
			resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
		});
		this.#worker.on('message', (message: FromThread) => this.#receive(message));
		this.#worker.on('error', (error) => this.fail(`failed (${String(error)})`));
		this.#exit = new Promise((resolve) =>
			this.#worker.on('exit', () => {
				this.fail('ended');
				resolve();
			}),
		);
	}

	/** Number of engines. */
	get size(): number {
		return this.#clients.size;
	}

	get isOver(): boolean {
		return this.#isOver;
	}

	/** Registers a client. Returns the number of its engine, which is not started yet. */
	join(client: EngineClient): number {
		this.#clients.set(++this.#lastEngine, client);
		return this.#lastEngine;
	}

	startEngine(engine: number, token: string, settings: ThreadSettings): void {
		this.#post({ engine, action: 'start', token, settings });
	}

	/** Ends an engine after all its changes are in the journal, at the latest after `MAX_END_MS`. Its client gets no more events. */
	async endEngine(engine: number): Promise<void> {
		this.#clients.set(engine, NO_CLIENT);
		const end = new Promise<void>((resolve) => this.#endCallbacks.set(engine, resolve));
		const { promise: timeout, resolve: stopWaiting } = Promise.withResolvers<void>();
		const timer = setTimeout(stopWaiting, MAX_END_MS);
		this.#post({ engine, action: 'end' });
		await Promise.race([end, timeout, this.#exit]);
		clearTimeout(timer);
		this.#endCallbacks.delete(engine);
		this.dropEngine(engine);
		if (this.#isOver) await this.#exit;
	}

	/** Drops an engine. Its client gets no more events. The thread ends with its last engine, unless it is persistent. */
	dropEngine(engine: number): void {
		if (!this.#clients.delete(engine) || this.#isOver) return;
		if (this.#isPersistent || this.#clients.size > 0) this.#post({ engine, action: 'drop' });
		else this.fail('ended');
	}

	/** Ends the thread with all its engines. `how`: a verb for the report, such as `hangs`. */
	fail(how: string): void {
		if (this.#isOver) return;
		this.#isOver = true;
		void this.#worker.terminate();
		const clients = [...this.#clients.values()];
		this.#clients.clear();
		for (const client of clients) client.onCrash(how);
	}

	#post(message: ToThread): void {
		this.#worker.postMessage(message);
	}

	#receive(message: FromThread): void {
		const client = this.#clients.get(message.engine);
		if ('port' in message) {
			const socket = new PortSocket(message.port);
			if (client === undefined) socket.terminate();
			else client.onConnected(socket.asWebSocket());
		} else if (message.state === 'ended') this.#endCallbacks.get(message.engine)?.();
		else client?.onReplaced();
	}
}

/** Client of an engine that is ending. It ignores all events. */
const NO_CLIENT: EngineClient = { onConnected: () => {}, onReplaced: () => {}, onCrash: () => {} };
