/**
 * The lease of this server on the worlds that it holds, and those of other servers.
 * Owns: renewing it, who holds a world, and when another server's lease is over.
 *
 * A server has one lease for all its worlds: a key that it writes again and again. A world has the name of its
 * holder, without a time. So renewals cost as much for one world as for thousands. No clock of another machine
 * counts. A server stops answering when its last renewal that was acknowledged is older than `LEASE_MS`, from before
 * it was sent. Another server waits at least that long after it has read the renewal, and renews its own lease three
 * times meanwhile. So no lease ends while NATS chooses a leader.
 */

import type { KvEntry } from '@nats-io/kv';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { BEAT_MS, isOtherLast, LEASE_MS, type Nats } from './nats.ts';

/** Renewals of this server that have to follow the last one of another server before that counts as gone. */
const MIN_BEATS = 3;
/** Milliseconds after an append in which the number of entries is noted. */
const NOTE_MS = 50;
/** Renewals that are remembered. */
const MAX_BEATS = 64;

/** Owner of a world. */
export interface LeaseRecord {
	readonly server: string;
	/** Of the key, for compare-and-set. */
	readonly revision: number;
	/** Number of entries that the journal had at least. */
	readonly entries: number;
}

/** A renewal that NATS acknowledged. */
interface Beat {
	readonly revision: number;
	/** On the steady clock. */
	readonly at: number;
}

export interface ServerLeaseOptions {
	readonly nats: Nats;
	/** Identity of this run of the server. */
	readonly server: string;
	/** Another server has taken a world of this one. */
	readonly onLost: (journal: string) => void;
	/** Returns the number of entries that the journal of a held world has now; undefined while it is not open. */
	readonly entriesOf: (journal: string) => number | undefined;
}

export class ServerLease {
	readonly server: string;
	readonly #options: ServerLeaseOptions;
	/** Worlds that this server holds, by their journals. */
	readonly #heldWorlds = new Map<string, LeaseRecord>();
	/** Worlds whose entries are noted soon. */
	readonly #noting = new Map<string, NodeJS.Timeout>();
	readonly #turns = new Map<string, TaskQueue>();
	#beats: Beat[] = [];
	/** Until when the lease is valid, on the steady clock. */
	#until = 0;
	#timer: NodeJS.Timeout | undefined;
	#renewing: Promise<void> | undefined;
	#isClosed = false;

	constructor(options: ServerLeaseOptions) {
		this.#options = options;
		this.server = options.server;
	}

	async start(): Promise<void> {
		await this.#renew();
		this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
	}

	/** Returns true if this server holds a world, as far as it knows. */
	has(journal: string): boolean {
		return this.#heldWorlds.has(journal);
	}

	/** Returns true if this server holds a world under a valid lease. */
	holds(journal: string): boolean {
		return this.#heldWorlds.has(journal) && performance.now() < this.#until;
	}

	/** Resolves when the lease is valid: what is not held any more is known then. Rejects if NATS does not answer. */
	async valid(): Promise<void> {
		if (performance.now() >= this.#until) await this.#renew();
	}

	async #beat(): Promise<void> {
		try {
			await this.#renew();
		} catch {
			// NATS does not answer. The lease ends by itself, and the next beat tries again.
		}
	}

	#renew(): Promise<void> {
		this.#renewing ??= this.#renewOnce().finally(() => {
			this.#renewing = undefined;
		});
		return this.#renewing;
	}

	async #renewOnce(): Promise<void> {
		const sent = performance.now();
		const revision = await this.#options.nats.leases.put(this.server, '');
		// Another server may have taken a world after the lease was over.
		if (sent >= this.#until) await this.#check();
		this.#until = sent + LEASE_MS;
		this.#beats = [...this.#beats, { revision, at: performance.now() }].slice(-MAX_BEATS);
	}

	async #check(): Promise<void> {
		for (const journal of [...this.#heldWorlds.keys()]) {
			const holding = await this.holderOf(journal);
			if (holding?.server !== this.server) this.#lose(journal);
		}
	}

	#lose(journal: string): void {
		if (!this.#heldWorlds.delete(journal)) return;
		this.#options.onLost(journal);
	}

	/** Notes soon how many entries a journal has, so that a loss of the last ones is noticed. */
	noteSoon(journal: string): void {
		if (this.#noting.has(journal)) return;
		const timer = setTimeout(() => {
			this.#noting.delete(journal);
			this.#note(journal).catch(() => {
				// NATS does not answer: the next append notes it.
			});
		}, NOTE_MS);
		this.#noting.set(journal, timer);
	}

	#note(journal: string): Promise<unknown> {
		return this.#turnsOf(journal).run(async () => {
			const holding = this.#heldWorlds.get(journal);
			const entries = this.#options.entriesOf(journal) ?? 0;
			if (holding !== undefined && entries > holding.entries)
				await this.#set(journal, this.server, holding.revision, entries);
		});
	}

	/** Changes of one key come in order: each expects the previous one. */
	#turnsOf(journal: string): TaskQueue {
		const turns = this.#turns.get(journal) ?? new TaskQueue();
		this.#turns.set(journal, turns);
		return turns;
	}

	/** Returns the holder of a world; undefined if it never had one. */
	async holderOf(journal: string): Promise<LeaseRecord | undefined> {
		return holdingOf(await this.#options.nats.worlds.get(keyOf(journal)));
	}

	/** Returns true if the lease of another server is over. False while this is not known. */
	async isOver(server: string): Promise<boolean> {
		if (server === '') return true;
		const renewed = (await this.#options.nats.leases.get(server))?.revision ?? 0;
		const later = this.#beats.filter(({ revision }) => revision > renewed);
		return later.length > MIN_BEATS && performance.now() - later[0]!.at > LEASE_MS;
	}

	/** Takes a world that no server holds, or whose holder's lease is over. False if another server was faster. */
	async take(journal: string, holding: LeaseRecord | undefined): Promise<boolean> {
		await this.valid();
		const { revision, entries } = holding ?? { revision: 0, entries: 0 };
		return this.#turnsOf(journal).run(() => this.#set(journal, this.server, revision, entries));
	}

	/** Gives up a world: any server may take it. */
	async release(journal: string, entries: number): Promise<void> {
		await this.#turnsOf(journal).run(async () => {
			const holding = this.#heldWorlds.get(journal);
			if (holding === undefined) return;
			await this.#set(journal, '', holding.revision, Math.max(entries, holding.entries));
			this.#heldWorlds.delete(journal);
		});
		this.#turns.delete(journal);
	}

	/** Forgets a world that is removed. */
	async remove(journal: string): Promise<void> {
		this.#heldWorlds.delete(journal);
		await this.#options.nats.worlds.delete(keyOf(journal));
	}

	async #set(journal: string, server: string, before: number, entries: number): Promise<boolean> {
		try {
			const value = JSON.stringify({ server, entries });
			const revision = await this.#options.nats.worlds.put(keyOf(journal), value, { previousSeq: before });
			if (server !== '') this.#heldWorlds.set(journal, { server, revision, entries });
			return true;
		} catch (error) {
			if (!isOtherLast(error)) throw error;
			// An earlier change of this server may have been stored without an answer.
			const now = await this.holderOf(journal);
			if (now?.server === this.server)
				return this.#set(journal, server, now.revision, Math.max(entries, now.entries));
			this.#lose(journal);
			return false;
		}
	}

	/** Ends the lease: other servers need not wait for it. */
	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearInterval(this.#timer);
		for (const timer of this.#noting.values()) clearTimeout(timer);
		// Without a last renewal other servers only wait longer.
		await this.#renewing?.catch(() => {});
	}
}

const keyOf = (journal: string): string => `holder.${journal}`;

function holdingOf(entry: KvEntry | null): LeaseRecord | undefined {
	if (entry === null) return undefined;
	const { revision, operation } = entry;
	if (operation !== 'PUT') return { server: '', entries: 0, revision };
	return { ...entry.json<{ server: string; entries: number }>(), revision };
}
