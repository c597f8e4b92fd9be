/**
 * Messages of a pool between two servers, over NATS.
 * Owns: the subjects, and the split of long messages into chunks. Never: reads the content of a message.
 */

import { hostname } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import { MAX_MESSAGE_BYTES } from './nats.ts';

/** Subject of requests for a worker. One server with room for a worker answers each. */
export const REQUEST_SUBJECT = 'orrery.pool.open';

/** Request for a worker. `host`: the process that sends it. */
export interface WorkerRequest {
	readonly id: string;
	readonly host: string;
}

/** Name of this process: host name and process id. */
export const PROCESS_NAME = `${hostname()}:${process.pid}`;

/** Answer of a server without a free worker. */
export const NO_WORKER = 'elsewhere';

/** Queue group of the servers with room; NATS gives each request to one of them. */
export const QUEUE_GROUP = 'pool';
/** Interval of heartbeats of a worker that runs a task (ms). */
export const HEARTBEAT_MS = 500;
/** Time without a heartbeat after which a worker is lost (ms). */
export const LOST_MS = 2500;

/** Subject of messages to a worker. */
export const subjectToWorker = (id: string): string => `orrery.pool.in.${id}`;
/** Subject of messages from a worker. */
export const subjectFromWorker = (id: string): string => `orrery.pool.out.${id}`;

/** First byte of a chunk that another chunk follows. */
const MORE = 1;
/** First byte of the last chunk. */
const LAST = 0;

/** Publishes a message, in chunks of at most `MAX_MESSAGE_BYTES`. */
export function publishMessage(connection: NatsConnection, subject: string, message: unknown): void {
	const bytes = serialize(message);
	for (let offset = 0; offset === 0 || offset < bytes.length; offset += MAX_MESSAGE_BYTES) {
		const chunk = bytes.subarray(offset, offset + MAX_MESSAGE_BYTES);
		const flag = offset + MAX_MESSAGE_BYTES < bytes.length ? MORE : LAST;
		connection.publish(subject, joinBytes([new Uint8Array([flag]), chunk]));
	}
}

/** Calls `receive` with each complete message on a subject. The subject must have one sender, or chunks would mix. */
export function receiveMessages(
	connection: NatsConnection,
	subject: string,
	receive: (message: unknown) => void,
): Subscription {
	let chunks: Uint8Array[] = [];
	return connection.subscribe(subject, {
		callback: (error, { data }) => {
			if (error !== null) return;
			chunks.push(data.subarray(1));
			if (data[0] === MORE) return;
			const bytes = joinBytes(chunks);
			chunks = [];
			receive(deserialize(bytes));
		},
	});
}
