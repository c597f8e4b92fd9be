/**
 * The connection to NATS, and what a cluster of servers stores there.
 * Owns: names, replicas and limits of the stream, the buckets and the objects; and what errors of NATS mean to a journal.
 * Never: is loaded without `--cluster`.
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
 * One stream holds all worlds, with a subject for each. A stream is a Raft group of its own, and a node has room for
 * a few thousand.
 */
export const STREAM = 'ORRERY';
const LEASES = 'orrery_leases';
const WORLDS = 'orrery_worlds';
const OBJECTS = 'orrery_objects';

/** Subject of the journal with this identity. */
export const subjectOf = (journal: string): string => `orrery.journal.${journal}`;

/** Milliseconds for which the lease of a server is valid without a renewal, and between renewals. */
export const LEASE_MS = 2000;
export const BEAT_MS = 400;
/** Milliseconds after which the key of a server that has ended is removed. */
const KEPT_MS = 60_000;
/** Milliseconds that one request to NATS may take. While NATS chooses a leader, which takes 4 s, requests are tried again. */
export const REQUEST_MS = 800;
/** Maximum number of bytes of one message. The default limit of NATS is 1 MiB; more is stored as an object. */
export const MAX_MESSAGE = 512 * 1024;

const PING_MS = 1000;

/** Replicas of everything, if the cluster has as many nodes. */
const REPLICAS = 3;

export interface Nats {
	readonly connection: NatsConnection;
	readonly streams: JetStreamManager;
	readonly publisher: JetStreamClient;
	/** Servers that live: each renews its key. */
	readonly leases: KV;
	/** `world.NAME` to its record, `holder.JOURNAL` to the server that holds the world. */
	readonly worlds: KV;
	readonly objects: ObjectStore;
	readonly replicas: number;
}

/** Connects, and creates what is missing. Rejects with a sentence. `urls`: one or several, with commas between them. */
export async function connectNats(urls: string, name: string, attempts = 40): Promise<Nats> {
	const connection = await connect({
		servers: urls.split(',').map((url) => url.trim()),
		name,
		maxReconnectAttempts: -1,
		reconnectTimeWait: 250,
		timeout: 2000,
		// A node behind a cut network sends no reset: it is left after three seconds of silence.
		pingInterval: PING_MS,
		maxPingOut: 2,
	}).catch((error: unknown) => {
		throw new Error(`NATS does not answer at ${urls}: ${sentence(error)} Start it, or omit --cluster.`);
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
		throw new Error(`NATS at ${urls} cannot store worlds: ${sentence(error)} JetStream must be enabled.`);
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
		leases: await buckets.create(LEASES, { ...common, ttl: KEPT_MS, allow_direct: false }),
		worlds: await buckets.create(WORLDS, { ...common, allow_direct: false }),
		objects: await new Objm(publisher).create(OBJECTS, { replicas, storage: StorageType.File }),
		replicas,
	};
}

/** Error codes of NATS for a compare-and-append that found another last message. */
const OTHER_LAST: readonly unknown[] = [10071, 10164];

/** Returns true if another message came after the one that was expected to be the last. */
export const isOtherLast = (error: unknown): boolean => OTHER_LAST.includes(codeOf(error));

/** Codes for a stream, an account or a disk without room. */
const FULL: readonly unknown[] = [10023, 10028, 10047, 10077];

function codeOf(error: unknown): unknown {
	return (error as { code?: unknown } | null)?.code;
}

/** Returns an error of NATS as a fault of the journal. */
export function natsFault(error: unknown, doing: string): JournalError {
	if (error instanceof JournalError) return error;
	const fault = FULL.includes(codeOf(error)) ? 'full' : 'failed';
	return new JournalError(fault, `${doing}: ${sentence(error)}`);
}

/** Codes of a cluster that currently has no leader. */
const NO_LEADER: readonly unknown[] = [10008, 10009];

/**
 * Returns true if an error is a refusal of NATS. Otherwise NATS did not answer, and what was asked may have been
 * done.
 */
export function isRefusal(error: unknown): boolean {
	const code = codeOf(error);
	return typeof code === 'number' && code >= 10_000 && !NO_LEADER.includes(code);
}

export function sentence(error: unknown): string {
	return `${reasonOf(error).replace(/\.$/, '')}.`;
}
