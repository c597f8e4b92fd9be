/**
 * Lease of this server on its worlds, and the holders of all worlds.
 * Owns: its renewal, the lookup of holders, and the decision that another server's lease is over.
 *
 * A server has one lease for all its worlds: a key that it writes repeatedly. The record of a world names its holder,
 * without a time. So renewals for thousands of worlds cost no more than for one. Clocks of other machines do not count.
 * A server stops answering `LEASE_MS` after it sent its last acknowledged renewal. Another server waits at least that
 * long after it has read the renewal, and renews its own lease three times meanwhile. So no lease ends while NATS
 * elects a leader.
 */

import type { KvEntry } from '@nats-io/kv';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { isConflict, LEASE_MS, type Nats, RENEWAL_MS } from './nats.ts';

/** Number of renewals by this server that must follow another server's last renewal before that lease counts as over. */
const MIN_RENEWALS = 3;
/** Milliseconds after an append until the number of entries is stored. */
const STORE_DELAY_MS = 50;
/** Maximum number of renewals that are remembered. */
const MAX_RENEWALS = 64;

/** Record of a world's holder. */
export interface LeaseRecord {
	/** Identity of the server; empty if none holds the world. */
	readonly server: string;
	/** Revision of the key, for compare-and-set. */
	readonly revision: number;
	/** Minimum number of entries that the journal must have. */
	readonly entries: number;
}

/** A renewal that NATS acknowledged. */
interface Renewal {
	readonly revision: number;
	/** Time of the acknowledgement (ms on the steady clock). */
	readonly acknowledgedAt: number;
}

export interface ServerLeaseOptions {
	readonly nats: Nats;
	/** Identity of this run of the server. */
	readonly server: string;
	/** Called when another server has acquired a world of this one. */
	readonly onLost: (journal: string) => void;
	/** Returns the current number of entries of a held world's journal; undefined while it is not open. */
	readonly entriesOf: (journal: string) => number | undefined;
}

export class ServerLease {
	readonly server: string;
	readonly #options: ServerLeaseOptions;
	/** Worlds that this server holds, by their journals. */
	readonly #heldWorlds = new Map<string, LeaseRecord>();
	/** Timers of worlds whose number of entries will be stored, by their journals. */
	readonly #storeTimers = new Map<string, NodeJS.Timeout>();
	readonly #queues = new Map<string, TaskQueue>();
	#renewals: Renewal[] = [];
	/** End of the lease, in milliseconds on the steady clock. */
	#validUntil = 0;
	#timer: NodeJS.Timeout | undefined;
	#pendingRenewal: Promise<void> | undefined;
	#isClosed = false;

	constructor(options: ServerLeaseOptions) {
		this.#options = options;
		this.server = options.server;
	}

	async start(): Promise<void> {
		await this.#renew();
		this.#timer = setInterval(() => void this.#renewQuietly(), RENEWAL_MS);
	}

	/** Returns true if this server believes that it holds a world. */
	has(journal: string): boolean {
		return this.#heldWorlds.has(journal);
	}

	/** Returns true if this server holds a world under a valid lease. */
	hasValidLease(journal: string): boolean {
		return this.#heldWorlds.has(journal) && performance.now() < this.#validUntil;
	}

	/** Renews the lease if it is over. Afterwards all lost worlds are known. Rejects if NATS does not answer. */
	async ensureValid(): Promise<void> {
		if (performance.now() >= this.#validUntil) await this.#renew();
	}

	async #renewQuietly(): Promise<void> {
		try {
			await this.#renew();
		} catch {
			// NATS does not answer. The lease ends by itself, and the next renewal is another attempt.
		}
	}

	#renew(): Promise<void> {
		this.#pendingRenewal ??= this.#renewOnce().finally(() => {
			this.#pendingRenewal = undefined;
		});
		return this.#pendingRenewal;
	}

	async #renewOnce(): Promise<void> {
		const sentAt = performance.now();
		const revision = await this.#options.nats.leases.put(this.server, '');
		// Another server may have acquired a world after the lease was over.
		if (sentAt >= this.#validUntil) await this.#checkWorlds();
		this.#validUntil = sentAt + LEASE_MS;
		this.#renewals = [...this.#renewals, { revision, acknowledgedAt: performance.now() }].slice(
			-MAX_RENEWALS,
		);
	}

	async #checkWorlds(): Promise<void> {
		for (const journal of [...this.#heldWorlds.keys()]) {
			const holder = await this.holderOf(journal);
			if (holder?.server !== this.server) this.#lose(journal);
		}
	}

	#lose(journal: string): void {
		if (!this.#heldWorlds.delete(journal)) return;
		this.#options.onLost(journal);
	}

	/** Stores the number of a journal's entries after a short wait, so that a loss of the last entries is detected. */
	storeEntriesSoon(journal: string): void {
		if (this.#storeTimers.has(journal)) return;
		const timer = setTimeout(() => {
			this.#storeTimers.delete(journal);
			this.#storeEntries(journal).catch(() => {
				// NATS does not answer. The next append stores the number.
			});
		}, STORE_DELAY_MS);
		this.#storeTimers.set(journal, timer);
	}

	#storeEntries(journal: string): Promise<unknown> {
		return this.#queueOf(journal).run(async () => {
			const holder = this.#heldWorlds.get(journal);
			const entries = this.#options.entriesOf(journal) ?? 0;
			if (holder !== undefined && entries > holder.entries)
				await this.#writeHolder(journal, this.server, holder.revision, entries);
		});
	}

	/** Returns the queue of changes to a world's key. Changes run in order, because each expects the previous one. */
	#queueOf(journal: string): TaskQueue {
		const queue = this.#queues.get(journal) ?? new TaskQueue();
		this.#queues.set(journal, queue);
		return queue;
	}

	/** Returns the holder of a world; undefined if it never had one. */
	async holderOf(journal: string): Promise<LeaseRecord | undefined> {
		return recordOf(await this.#options.nats.worlds.get(keyOf(journal)));
	}

	/** Returns true if the lease of another server is certainly over. */
	async isOver(server: string): Promise<boolean> {
		if (server === '') return true;
		const lastRenewal = (await this.#options.nats.leases.get(server))?.revision ?? 0;
		const laterRenewals = this.#renewals.filter(({ revision }) => revision > lastRenewal);
		return (
			laterRenewals.length > MIN_RENEWALS && performance.now() - laterRenewals[0]!.acknowledgedAt > LEASE_MS
		);
	}

	/** Acquires a world that no server holds, or whose holder's lease is over. Returns false if another server was faster. */
	async acquire(journal: string, holder: LeaseRecord | undefined): Promise<boolean> {
		await this.ensureValid();
		const { revision, entries } = holder ?? { revision: 0, entries: 0 };
		return this.#queueOf(journal).run(() => this.#writeHolder(journal, this.server, revision, entries));
	}

	/** Releases a world, so that any server may acquire it. */
	async release(journal: string, entries: number): Promise<void> {
		await this.#queueOf(journal).run(async () => {
			const holder = this.#heldWorlds.get(journal);
			if (holder === undefined) return;
			await this.#writeHolder(journal, '', holder.revision, Math.max(entries, holder.entries));
			this.#heldWorlds.delete(journal);
		});
		this.#queues.delete(journal);
	}

	/** Removes the key of a deleted world. */
	async remove(journal: string): Promise<void> {
		this.#heldWorlds.delete(journal);
		await this.#options.nats.worlds.delete(keyOf(journal));
	}

	/** Writes the holder of a world if its key still has the revision `previous`. Returns false if another server was faster. */
	async #writeHolder(journal: string, server: string, previous: number, entries: number): Promise<boolean> {
		try {
			const value = JSON.stringify({ server, entries });
			const revision = await this.#options.nats.worlds.put(keyOf(journal), value, { previousSeq: previous });
			if (server !== '') this.#heldWorlds.set(journal, { server, revision, entries });
			return true;
		} catch (error) {
			if (!isConflict(error)) throw error;
			// An earlier change by this server may have been stored although its answer was lost.
			const holder = await this.holderOf(journal);
			if (holder?.server === this.server)
				return this.#writeHolder(journal, server, holder.revision, Math.max(entries, holder.entries));
			this.#lose(journal);
			return false;
		}
	}

	/** Stops the renewals, so that the lease ends by itself. */
	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearInterval(this.#timer);
		for (const timer of this.#storeTimers.values()) clearTimeout(timer);
		// A renewal that runs is awaited. If it fails, nothing is left to do.
		await this.#pendingRenewal?.catch(() => {});
	}
}

const keyOf = (journal: string): string => `holder.${journal}`;

function recordOf(entry: KvEntry | null): LeaseRecord | undefined {
	if (entry === null) return undefined;
	const { revision, operation } = entry;
	if (operation !== 'PUT') return { server: '', entries: 0, revision };
	return { ...entry.json<{ server: string; entries: number }>(), revision };
}
