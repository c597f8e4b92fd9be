/**
 * Workers of this server for the forks and sweeps of other servers.
 * Owns: the number of workers, and their ends. A worker without a task for a while ends: its engine may be gone.
 */

import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
	fromWorker,
	GROUP,
	HEARTBEAT_MS,
	HOST,
	NO_WORKER,
	publishMessage,
	REQUESTS,
	takeMessages,
	toWorker,
	type WorkerRequest,
} from './pool-messages.ts';

/** Milliseconds without a task. */
const IDLE_MS = 30_000;

interface Guest {
	readonly worker: Worker;
	readonly messages: Subscription;
	readonly alive: NodeJS.Timeout;
}

export interface PoolServiceOptions {
	readonly connection: NatsConnection;
	/** Starts a worker thread. */
	readonly open: () => Worker;
	/** Most workers; one for each core unless given. */
	readonly size?: number;
}

export class PoolService {
	readonly #options: PoolServiceOptions;
	readonly #size: number;
	readonly #guests = new Map<string, Guest>();
	/** In the queue group while there is room. */
	#requests: Subscription | undefined;

	constructor(options: PoolServiceOptions) {
		this.#options = options;
		this.#size = options.size ?? availableParallelism();
		this.#offer();
	}

	/** Takes requests as long as there is room. */
	#offer(): void {
		const hasRoom = this.#guests.size < this.#size;
		if (hasRoom && this.#requests === undefined)
			this.#requests = this.#options.connection.subscribe(REQUESTS, {
				queue: GROUP,
				callback: (error, message) => {
					if (error === null) this.#open(message);
				},
			});
		if (hasRoom) return;
		this.#requests?.unsubscribe();
		this.#requests = undefined;
	}

	#open(message: Msg): void {
		const { connection } = this.#options;
		const { id, host } = message.json<WorkerRequest>();
		// Its own engines have workers without NATS, and the last place may be taken by now.
		if (host === HOST || this.#guests.size >= this.#size) {
			message.respond(NO_WORKER);
			return;
		}
		const worker = this.#options.open();
		let tasks = 0;
		let idleSince = performance.now();
		worker.on('message', (answer: unknown) => {
			tasks--;
			idleSince = performance.now();
			publishMessage(connection, fromWorker(id), { answer });
		});
		for (const event of ['error', 'exit']) worker.on(event, () => this.#end(id));
		const messages = takeMessages(connection, toWorker(id), (sent) => {
			if (sent === 'end') {
				this.#end(id);
				return;
			}
			tasks++;
			worker.postMessage(sent);
		});
		const alive = setInterval(() => {
			if (tasks > 0) publishMessage(connection, fromWorker(id), 'alive');
			else if (performance.now() - idleSince > IDLE_MS) this.#end(id);
		}, HEARTBEAT_MS);
		this.#guests.set(id, { worker, messages, alive });
		this.#offer();
		message.respond();
	}

	#end(id: string): void {
		const guest = this.#guests.get(id);
		if (guest === undefined) return;
		this.#guests.delete(id);
		clearInterval(guest.alive);
		guest.messages.unsubscribe();
		void guest.worker.terminate();
		publishMessage(this.#options.connection, fromWorker(id), 'ended');
		this.#offer();
	}

	close(): void {
		this.#requests?.unsubscribe();
		for (const id of [...this.#guests.keys()]) this.#end(id);
	}
}
