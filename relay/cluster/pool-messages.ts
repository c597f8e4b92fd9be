/**
 * Messages of a pool between two servers, over NATS.
 * Owns: their subjects, and how a message that is too long travels in parts. Never: looks into one.
 */

import { hostname } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { joinedBytes } from '../../shared/contract/joined-bytes.ts';
import { MAX_MESSAGE } from './nats.ts';

/** A server with room for a worker answers one of the requests on this subject. */
export const OPEN = 'orrery.pool.open';
/** A request for a worker. `host`: the process of its engine. */
export interface Request {
	readonly id: string;
	readonly host: string;
}

/** This process. */
export const HOST = `${hostname()}:${process.pid}`;

/** Answer of a server that has no worker for a request. */
export const ELSEWHERE = 'elsewhere';

/** Servers with room are this queue group. */
export const GROUP = 'pool';
/** Milliseconds between signs of life of a worker that runs a task, and without one after which it is lost. */
export const ALIVE_MS = 500;
export const LOST_MS = 2500;

export const toWorker = (id: string): string => `orrery.pool.in.${id}`;
export const fromWorker = (id: string): string => `orrery.pool.out.${id}`;

const MORE = 1;
const LAST = 0;

/** Publishes a message in as many parts as it needs. */
export function publishMessage(connection: NatsConnection, subject: string, message: unknown): void {
	const bytes = serialize(message);
	for (let at = 0; at === 0 || at < bytes.length; at += MAX_MESSAGE) {
		const part = bytes.subarray(at, at + MAX_MESSAGE);
		const flag = at + MAX_MESSAGE < bytes.length ? MORE : LAST;
		connection.publish(subject, joinedBytes([new Uint8Array([flag]), part]));
	}
}

/** Calls `take` with each whole message on a subject, which has one sender. */
export function takeMessages(
	connection: NatsConnection,
	subject: string,
	take: (message: unknown) => void,
): Subscription {
	let parts: Uint8Array[] = [];
	return connection.subscribe(subject, {
		callback: (error, { data }) => {
			if (error !== null) return;
			parts.push(data.subarray(1));
			if (data[0] === MORE) return;
			const whole = joinedBytes(parts);
			parts = [];
			take(deserialize(whole));
		},
	});
}
