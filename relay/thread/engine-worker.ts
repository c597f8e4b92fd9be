/**
 * One worker thread that runs engines.
 * Owns: the thread, which engine each message is about, and when the thread ends.
 * Never: knows a world or the relay. Modules of the engine are loaded in the thread alone.
 */

import { type MessagePort, Worker } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import type { StateEvery } from '../../web/host/journal/state-keeper.ts';
import { IS_CLONE } from '../folders.ts';
import { PortSocket } from './port-socket.ts';

/** Settings of the engine of an empty journal. */
export interface ThreadSettings {
	readonly profile: 'full' | 'bare';
	readonly seed?: number;
	readonly verify?: number;
	readonly gated: boolean;
	/** Maximum number of bytes of memory that its worlds may take. */
	readonly memoryBudget?: number;
	/** Limits after which it keeps a state, if they are not the usual ones. */
	readonly stateEvery?: Partial<StateEvery>;
	/** Number of the agent that owns the world; undefined for the operators. */
	readonly owner?: number;
	/** Name of the world; undefined for main. The browser of main's engine takes its pictures. */
	readonly name?: string;
	/** It has worker threads of its own for forks and sweeps. */
	readonly hasPool?: boolean;
	/** Addresses of NATS, if other servers lend workers to its pool. */
	readonly cluster?: string;
}

/** An engine by its number: start it with the key of its page, end it in order, or forget it. */
export type ToThread =
	| {
			readonly engine: number;
			readonly do: 'begin';
			readonly token: string;
			readonly settings: ThreadSettings;
	  }
	| { readonly engine: number; readonly do: 'end' | 'drop' };

/** It opened a connection, another engine has its lease, or it has ended. */
export type FromThread =
	| { readonly engine: number; readonly port: MessagePort }
	| { readonly engine: number; readonly is: 'replaced' | 'ended' };

/** The user of one engine. */
export interface EngineClient {
	connected(socket: WebSocket): void;
	replaced(): void;
	/** The thread is gone. `how` is a verb, such as `ended`. */
	crashed(how: string): void;
}

/** Room for young objects, in MiB. V8's default takes 25 MiB more and makes ticks no faster. */
const YOUNG_MIB = 24;

/** The module of the thread. In the package it is built as an entry of its own. */
const PROGRAM = IS_CLONE ? './engine.worker.ts' : './engine-thread.js';

/** Milliseconds in which an engine ends by itself. */
const END_WAIT = 5000;

export class EngineWorker {
	readonly #worker: Worker;
	/** It stays when its last engine ends. */
	readonly #stays: boolean;
	readonly #exited: Promise<void>;
	readonly #clients = new Map<number, EngineClient>();
	/** Called when an engine has ended in order. */
	readonly #ending = new Map<number, () => void>();
	#lastEngine = 0;
	#isOver = false;

	/** Starts the thread, which loads the modules of the engine. `stays`: it does not end with its last engine. */
	constructor(stays = false) {
		this.#stays = stays;
		this.#worker = new Worker(new URL(PROGRAM, import.meta.url), {
			name: 'engine',
			resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
		});
		this.#worker.on('message', (message: FromThread) => this.#take(message));
		this.#worker.on('error', (error) => this.fail(`failed (${String(error)})`));
		this.#exited = new Promise((resolve) =>
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

	/** Takes in a client. Returns the number of its engine, which has not started. */
	join(client: EngineClient): number {
		this.#clients.set(++this.#lastEngine, client);
		return this.#lastEngine;
	}

	begin(engine: number, token: string, settings: ThreadSettings): void {
		this.#post({ engine, do: 'begin', token, settings });
	}

	/** Ends an engine when all that it did is in the journal, or after a while. The client hears nothing more. */
	async end(engine: number): Promise<void> {
		this.#clients.set(engine, DEAF);
		const ended = new Promise<void>((resolve) => this.#ending.set(engine, resolve));
		const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
		const timer = setTimeout(giveUp, END_WAIT);
		this.#post({ engine, do: 'end' });
		await Promise.race([ended, late, this.#exited]);
		clearTimeout(timer);
		this.#ending.delete(engine);
		this.leave(engine);
		if (this.#isOver) await this.#exited;
	}

	/** Drops an engine. The client hears nothing more. The thread ends with its last engine, unless it stays. */
	leave(engine: number): void {
		if (!this.#clients.delete(engine) || this.#isOver) return;
		if (this.#stays || this.#clients.size > 0) this.#post({ engine, do: 'drop' });
		else this.fail('ended');
	}

	/** Ends the thread with all its engines. */
	fail(how: string): void {
		if (this.#isOver) return;
		this.#isOver = true;
		void this.#worker.terminate();
		const clients = [...this.#clients.values()];
		this.#clients.clear();
		for (const client of clients) client.crashed(how);
	}

	#post(message: ToThread): void {
		this.#worker.postMessage(message);
	}

	#take(message: FromThread): void {
		const client = this.#clients.get(message.engine);
		if ('port' in message) {
			const socket = new PortSocket(message.port);
			if (client === undefined) socket.terminate();
			else client.connected(socket.asWebSocket());
		} else if (message.is === 'ended') this.#ending.get(message.engine)?.();
		else client?.replaced();
	}
}

/** Client of an engine that ends in order. Its connections are still the relay's. */
const DEAF: EngineClient = { connected: () => {}, replaced: () => {}, crashed: () => {} };
