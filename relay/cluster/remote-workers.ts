/**
 * Workers on other servers, for the pool of an engine.
 * Owns: the connection of this thread, requests for workers, and the detection of lost servers. The pool re-runs the
 * tasks of a lost worker once.
 */

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { newIdentity } from '../../shared/transport/identity.ts';
import type { FromPoolWorker, PoolPort } from '../../web/host/pool.ts';
import {
	LOST_MS,
	NO_WORKER,
	PROCESS_NAME,
	publishMessage,
	REQUEST_SUBJECT,
	receiveMessages,
	subjectFromWorker,
	subjectToWorker,
	type WorkerRequest,
} from './pool-messages.ts';

/** Maximum number of workers of an engine on other servers. */
const MAX_REMOTE_WORKERS = 8;
/** Time without further requests, after no server had room for a worker (ms). */
const FULL_MS = 5000;
/** Time for the answer to a request (ms). */
const REQUEST_MS = 2000;
/** Maximum number of requests for one worker. */
const MAX_ATTEMPTS = 8;

/** Message from a worker: an answer, a heartbeat, or its end. */
type PoolFrame = { readonly answer: FromPoolWorker } | 'alive' | 'ended';

/** Connects the thread of an engine. Retries until NATS answers. */
export async function connectWorkers(urls: string): Promise<RemoteWorkers> {
	const servers = urls.split(',').map((url) => url.trim());
	const connection = await connect({ servers, waitOnFirstConnect: true, maxReconnectAttempts: -1 });
	return new RemoteWorkers(connection);
}

export class RemoteWorkers {
	readonly #connection: NatsConnection;
	#fullUntil = 0;

	constructor(connection: NatsConnection) {
		this.#connection = connection;
	}

	/** Number of workers that may currently be requested. */
	get size(): number {
		return performance.now() < this.#fullUntil ? 0 : MAX_REMOTE_WORKERS;
	}

	/** Requests a worker. Rejects if no server has room. */
	async #request(id: string): Promise<void> {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			const request: WorkerRequest = { id, host: PROCESS_NAME };
			const answer = await this.#connection.request(REQUEST_SUBJECT, JSON.stringify(request), {
				timeout: REQUEST_MS,
			});
			if (answer.string() !== NO_WORKER) return;
		}
		throw new Error('No server has room.');
	}

	/** Opens a worker. Messages wait until a server has one. */
	open(): PoolPort {
		const connection = this.#connection;
		const id = newIdentity();
		let receive: (message: FromPoolWorker) => void = () => {};
		let onLost = (): void => {};
		let isOver = false;
		let tasks = 0;
		let lastMessageAt = performance.now();
		let unsentMessages: unknown[] | undefined = [];
		const end = (): void => {
			if (isOver) return;
			isOver = true;
			clearInterval(watchdog);
			messages.unsubscribe();
		};
		const lose = (): void => {
			if (isOver) return;
			end();
			onLost();
		};
		const messages = receiveMessages(connection, subjectFromWorker(id), (message) => {
			lastMessageAt = performance.now();
			const frame = message as PoolFrame;
			if (frame === 'ended') lose();
			else if (frame !== 'alive') {
				tasks--;
				receive(frame.answer);
			}
		});
		const watchdog = setInterval(() => {
			if (tasks > 0 && unsentMessages === undefined && performance.now() - lastMessageAt > LOST_MS) lose();
		}, LOST_MS / 5);
		watchdog.unref();
		this.#request(id).then(
			() => {
				if (isOver) {
					publishMessage(connection, subjectToWorker(id), 'end');
					return;
				}
				lastMessageAt = performance.now();
				for (const message of unsentMessages ?? []) publishMessage(connection, subjectToWorker(id), message);
				unsentMessages = undefined;
			},
			() => {
				this.#fullUntil = performance.now() + FULL_MS;
				lose();
			},
		);
		return {
			send(message) {
				if (isOver) return;
				if (tasks++ === 0) lastMessageAt = performance.now();
				if (unsentMessages === undefined) publishMessage(connection, subjectToWorker(id), message);
				else unsentMessages.push(message);
			},
			listen(answerListener, lostListener) {
				receive = answerListener;
				onLost = lostListener;
			},
			end() {
				if (!isOver && unsentMessages === undefined) publishMessage(connection, subjectToWorker(id), 'end');
				end();
			},
		};
	}
}
