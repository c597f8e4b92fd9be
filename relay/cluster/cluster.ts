/**
 * Membership of this server in a cluster: its connection, its lease, and the services that the relay uses.
 * Owns: the start and the end of these services, and messages about created and deleted worlds. Loaded only with
 * `--cluster`.
 */

import { newIdentity } from '../../shared/transport/identity.ts';
import { startPoolWorker } from '../thread/pool-threads.ts';
import type { LocalWorlds } from '../worlds/local-worlds.ts';
import type { WorldDirectory, WorldRecord } from '../worlds/world-directory.ts';
import { ClusterDirectory } from './cluster-directory.ts';
import { ClusterStore } from './cluster-store.ts';
import { Forwarding } from './forwarding.ts';
import { connectNats, type Nats } from './nats.ts';
import { PoolService } from './pool-service.ts';
import { ServerLease } from './server-lease.ts';

/** NATS subject for created and deleted worlds. Each server replies when it has applied the message. */
const WORLD_CHANGES = 'orrery.news';
/** If no further reply arrives for this long (ms), all servers are assumed to have replied. */
const REPLY_STALL_MS = 50;
const MAX_REPLY_MS = 1000;

/** A world that was created or deleted. */
interface WorldChange {
	readonly kind: 'created' | 'deleted';
	readonly record: WorldRecord;
}

export interface ClusterOptions {
	/** Addresses of NATS, with commas between them. */
	readonly urls: string;
	/** Maximum size of a world's journal (bytes). */
	readonly maxBytes: number;
	/** Informs the operator of a failure. */
	readonly report: (error: unknown) => void;
}

export class Cluster {
	/** Stores the worlds of all servers. */
	readonly store: ClusterStore;
	readonly #nats: Nats;
	readonly #lease: ServerLease;
	readonly #report: (error: unknown) => void;
	#local: LocalWorlds | undefined;
	#forwarding: Forwarding | undefined;
	#pool: PoolService | undefined;

	private constructor(nats: Nats, { maxBytes, report }: ClusterOptions) {
		this.#nats = nats;
		this.#report = report;
		const server = newIdentity();
		this.store = new ClusterStore({
			nats,
			maxBytes,
			announce: (kind, record) => this.#publish({ kind, record }),
		});
		this.#lease = new ServerLease({
			nats,
			server,
			onLost: (journal) => this.#local?.endMoved(journal),
			entriesOf: (journal) => this.store.entriesOf(journal),
		});
		this.store.lease = this.#lease;
	}

	/** Connects to NATS and acquires a lease. Rejects with a clear error message. */
	static async connect(options: ClusterOptions): Promise<Cluster> {
		const nats = await connectNats(options.urls, 'orrery');
		const cluster = new Cluster(nats, options);
		await cluster.#lease.start();
		return cluster;
	}

	/** Identity of this run of the server. */
	get id(): string {
		return this.#lease.server;
	}

	/** Number of replicas of all stored data. */
	get replicas(): number {
		return this.#nats.replicas;
	}

	/** Joins the cluster with the worlds of this server. Returns the directory of the worlds of all servers. */
	join(local: LocalWorlds): WorldDirectory {
		this.#local = local;
		const { connection } = this.#nats;
		connection.subscribe(WORLD_CHANGES, {
			callback: (error, message) => {
				if (error !== null) return;
				this.#applyChange(message.json<WorldChange>()).then(() => message.respond(), this.#report);
			},
		});
		void this.#reconcileOnReconnect();
		this.#pool = new PoolService({ connection, startWorker: startPoolWorker });
		const directory = new ClusterDirectory({
			local,
			lease: this.#lease,
			send: (...call) => this.#forwarding!.send(...call),
		});
		this.#forwarding = new Forwarding({
			nats: this.#nats,
			server: this.#lease.server,
			answer: (call) => directory.answer(call),
			report: this.#report,
		});
		return directory;
	}

	async #applyChange({ kind, record }: WorldChange): Promise<void> {
		if (kind === 'created') this.#local?.addRecord(record);
		else await this.#local?.removeRecord(record);
	}

	/** Publishes to all servers. Resolves when the servers that reply have applied it. */
	async #publish(change: WorldChange): Promise<void> {
		const { connection } = this.#nats;
		const answers = await connection.requestMany(WORLD_CHANGES, JSON.stringify(change), {
			strategy: 'stall',
			stall: REPLY_STALL_MS,
			maxWait: MAX_REPLY_MS,
		});
		for await (const answer of answers) void answer;
	}

	/** Reads the store again after each reconnect, because messages sent in between are lost. */
	async #reconcileOnReconnect(): Promise<void> {
		for await (const { type } of this.#nats.connection.status())
			if (type === 'reconnect')
				await this.store
					.list()
					.then((records) => this.#reconcile(records))
					.catch(this.#report);
	}

	async #reconcile(records: readonly WorldRecord[]): Promise<void> {
		const local = this.#local;
		if (local === undefined) return;
		for (const name of local.names) {
			const record = (await local.find(name))?.record;
			if (record !== undefined && !records.some(({ journal }) => journal === record.journal))
				await local.removeRecord(record);
		}
		for (const record of records) local.addRecord(record);
	}

	/** Closes the connection. Resolves when all worlds of this server have released their leases. */
	async close(): Promise<void> {
		this.#pool?.close();
		this.#forwarding?.close();
		await this.#lease.close();
		await this.#nats.connection.drain();
	}
}
