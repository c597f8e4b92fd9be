/**
 * Connection of a cluster's server to NATS, with its stream, buckets and objects.
 * Owns: their names, replicas and limits, and the journal errors for errors of NATS. Loaded only with `--cluster`.
 */

import {
	DiscardPolicy,
	type JetStreamClient,
	type JetStreamManager,
	jetstream,
	jetstreamManager,
	StorageType,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type ObjectStore, Objm } from '@nats-io/obj';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { reasonOf } from '../../shared/contract/reason.ts';
import { JournalError } from '../../shared/transport/journal.ts';

/**
 * One stream contains all worlds, with a subject for each. Each stream is a separate Raft group, and a node can hold only
 * a few thousand of them.
 */
export const STREAM = 'ORRERY';
const LEASES = 'orrery_leases';
const WORLDS = 'orrery_worlds';
const OBJECTS = 'orrery_objects';

/** Returns the subject of a journal. */
export const subjectOf = (journal: string): string => `orrery.journal.${journal}`;

/** Milliseconds for which the lease of a server is valid after a renewal. */
export const LEASE_MS = 2000;
/** Milliseconds between renewals. */
export const RENEWAL_MS = 400;
/** Milliseconds after which the key of an ended server is removed. */
const KEY_LIFETIME_MS = 60_000;
/** Maximum milliseconds of a request to NATS. While NATS elects a leader, which takes 4 s, requests are repeated. */
export const REQUEST_MS = 800;
/** Maximum bytes of one message. The default limit of NATS is 1 MiB. Longer content is stored as an object. */
export const MAX_MESSAGE_BYTES = 512 * 1024;

/** Milliseconds between two pings on the connection. */
const PING_MS = 1000;

/** Replicas of all stored data, if NATS runs as a cluster. */
const REPLICAS = 3;

export interface Nats {
	readonly connection: NatsConnection;
	readonly streams: JetStreamManager;
	readonly publisher: JetStreamClient;
	/** Leases of running servers. Each server renews its own key. */
	readonly leases: KV;
	/** Records of worlds under `world.NAME`, and servers that hold a world under `holder.JOURNAL`. */
	readonly worlds: KV;
	readonly objects: ObjectStore;
	readonly replicas: number;
}

/** Connects, and creates missing streams and buckets. `urls`: addresses, separated by commas. Rejects with a clear error. */
export async function connectNats(urls: string, name: string, attempts = 40): Promise<Nats> {
	const connection = await connect({
		servers: urls.split(',').map((url) => url.trim()),
		name,
		maxReconnectAttempts: -1,
		reconnectTimeWait: 250,
		timeout: 2000,
		// A node behind a broken network sends no reset. The connection to it ends after three seconds of silence.
		pingInterval: PING_MS,
		maxPingOut: 2,
	}).catch((error: unknown) => {
		throw new Error(`NATS does not answer at ${urls}: ${asSentence(error)} Start it, or omit --cluster.`);
	});
	try {
		for (let attempt = 1; ; attempt++)
			try {
				return await prepare(connection);
			} catch (error) {
				// A cluster that is starting has no leader yet.
				if (attempt >= attempts) throw error;
				await new Promise((resolve) => setTimeout(resolve, 250));
			}
	} catch (error) {
		await connection.close();
		throw new Error(`NATS at ${urls} cannot store worlds: ${asSentence(error)} JetStream must be enabled.`);
	}
}

async function prepare(connection: NatsConnection): Promise<Nats> {
	const publisher = jetstream(connection, { timeout: REQUEST_MS });
	const streams = await jetstreamManager(connection, { timeout: REQUEST_MS });
	const replicas = connection.info?.cluster === undefined ? 1 : REPLICAS;
	const config = {
		name: STREAM,
		subjects: [subjectOf('*')],
		storage: StorageType.File,
		num_replicas: replicas,
		// A full stream refuses new entries instead of dropping old ones.
		discard: DiscardPolicy.New,
		allow_direct: true,
		deny_delete: true,
	};
	await streams.streams.info(STREAM).catch(() => streams.streams.add(config));
	const buckets = new Kvm(publisher);
	const common = { replicas, storage: StorageType.File, history: 1, timeout: REQUEST_MS };
	return {
		connection,
		streams,
		publisher,
		leases: await buckets.create(LEASES, { ...common, ttl: KEY_LIFETIME_MS, allow_direct: false }),
		worlds: await buckets.create(WORLDS, { ...common, allow_direct: false }),
		objects: await new Objm(publisher).create(OBJECTS, { replicas, storage: StorageType.File }),
		replicas,
	};
}

/** Error codes of NATS for a compare-and-append that found another last message. */
const CONFLICT_CODES: readonly unknown[] = [10071, 10164];

/** Returns true if NATS refused a message because another one was published first. */
export const isConflict = (error: unknown): boolean => CONFLICT_CODES.includes(codeOf(error));

/** Error codes for a stream, an account or a disk without room. */
const FULL_CODES: readonly unknown[] = [10023, 10028, 10047, 10077];

function codeOf(error: unknown): unknown {
	return (error as { code?: unknown } | null)?.code;
}

/** Returns the journal error for an error of NATS. `failure`: start of the text, such as "Entries could not be read". */
export function natsFault(error: unknown, failure: string): JournalError {
	if (error instanceof JournalError) return error;
	const fault = FULL_CODES.includes(codeOf(error)) ? 'full' : 'failed';
	return new JournalError(fault, `${failure}: ${asSentence(error)}`);
}

/** Error codes of a cluster that currently has no leader. */
const NO_LEADER_CODES: readonly unknown[] = [10008, 10009];

/**
 * Returns true if NATS refused a request. For any other error NATS did not answer, and the request may have been
 * executed.
 */
export function isRefusal(error: unknown): boolean {
	const code = codeOf(error);
	return typeof code === 'number' && code >= 10_000 && !NO_LEADER_CODES.includes(code);
}

/** Returns the reason of an error with a full stop. */
export function asSentence(error: unknown): string {
	return `${reasonOf(error).replace(/\.$/, '')}.`;
}
