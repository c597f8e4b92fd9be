/**
 * Workers of this server for the forks and sweeps of other servers.
 * Owns: the number of workers, and their ends. A worker ends when it was idle for a while, because its engine may have
 * ended.
 */

import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
	HEARTBEAT_MS,
	NO_WORKER,
	PROCESS_NAME,
	publishMessage,
	QUEUE_GROUP,
	REQUEST_SUBJECT,
	receiveMessages,
	subjectFromWorker,
	subjectToWorker,
	type WorkerRequest,
} from './pool-messages.ts';

/** Milliseconds without a task after which a worker ends. */
const IDLE_MS = 30_000;

/** A worker that runs tasks of another server. */
interface GuestWorker {
	readonly worker: Worker;
	readonly messages: Subscription;
	readonly heartbeat: NodeJS.Timeout;
}

export interface PoolServiceOptions {
	readonly connection: NatsConnection;
	/** Starts a worker thread. */
	readonly startWorker: () => Worker;
	/** Maximum number of workers. The default is one per core. */
	readonly size?: number;
}

export class PoolService {
	readonly #options: PoolServiceOptions;
	readonly #size: number;
	readonly #guests = new Map<string, GuestWorker>();
	/** Subscription in the queue group, while there is room for a worker. */
	#requests: Subscription | undefined;

	constructor(options: PoolServiceOptions) {
		this.#options = options;
		this.#size = options.size ?? availableParallelism();
		this.#updateSubscription();
	}

	/** Accepts requests while there is room for a worker. */
	#updateSubscription(): void {
		const hasRoom = this.#guests.size < this.#size;
		if (hasRoom && this.#requests === undefined)
			this.#requests = this.#options.connection.subscribe(REQUEST_SUBJECT, {
				queue: QUEUE_GROUP,
				callback: (error, message) => {
					if (error === null) this.#answerRequest(message);
				},
			});
		if (hasRoom) return;
		this.#requests?.unsubscribe();
		this.#requests = undefined;
	}

	#answerRequest(message: Msg): void {
		const { connection } = this.#options;
		const { id, host } = message.json<WorkerRequest>();
		// Engines of this process have their own workers, and another request may have used the last place.
		if (host === PROCESS_NAME || this.#guests.size >= this.#size) {
			message.respond(NO_WORKER);
			return;
		}
		const worker = this.#options.startWorker();
		let tasks = 0;
		let idleSince = performance.now();
		worker.on('message', (answer: unknown) => {
			tasks--;
			idleSince = performance.now();
			publishMessage(connection, subjectFromWorker(id), { answer });
		});
		for (const event of ['error', 'exit']) worker.on(event, () => this.#endWorker(id));
		const messages = receiveMessages(connection, subjectToWorker(id), (task) => {
			if (task === 'end') {
				this.#endWorker(id);
				return;
			}
			tasks++;
			worker.postMessage(task);
		});
		const heartbeat = setInterval(() => {
			if (tasks > 0) publishMessage(connection, subjectFromWorker(id), 'alive');
			else if (performance.now() - idleSince > IDLE_MS) this.#endWorker(id);
		}, HEARTBEAT_MS);
		this.#guests.set(id, { worker, messages, heartbeat });
		this.#updateSubscription();
		message.respond();
	}

	#endWorker(id: string): void {
		const guest = this.#guests.get(id);
		if (guest === undefined) return;
		this.#guests.delete(id);
		clearInterval(guest.heartbeat);
		guest.messages.unsubscribe();
		void guest.worker.terminate();
		publishMessage(this.#options.connection, subjectFromWorker(id), 'ended');
		this.#updateSubscription();
	}

	close(): void {
		this.#requests?.unsubscribe();
		for (const id of [...this.#guests.keys()]) this.#endWorker(id);
	}
}
