/**
 * Records of a cluster's worlds in the key-value store of NATS, and their journals in its stream.
 * Owns: the names of the worlds. Never: decides which server opens a world.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import type { WorldRecord, WorldStore } from '../worlds/world-directory.ts';
import { isConflict, type Nats } from './nats.ts';
import type { ServerLease } from './server-lease.ts';
import { StreamJournal } from './stream-journal.ts';

const PREFIX = 'world.';

export interface ClusterStoreOptions {
	readonly nats: Nats;
	/** Maximum bytes of a journal. */
	readonly maxBytes: number;
	/** Informs all servers about a world. Resolves when they have replied. */
	readonly announce: (kind: 'created' | 'deleted', record: WorldRecord) => Promise<void>;
}

export class ClusterStore implements WorldStore {
	readonly #options: ClusterStoreOptions;
	/** Journals that this server has open, by their identity. */
	readonly #openJournals = new Map<string, StreamJournal>();
	/** States are frequent, so that another server can resume a world after a crash within about a second. */
	readonly stateEvery = { work: 1000, entries: 500 };
	/** Lease of this server. Set once, when the cluster starts. */
	lease: ServerLease | undefined;

	constructor(options: ClusterStoreOptions) {
		this.#options = options;
	}

	/** Returns the number of entries of a journal; undefined if it is not open here. */
	entriesOf(journal: string): number | undefined {
		return this.#openJournals.get(journal)?.next;
	}

	async list(): Promise<readonly WorldRecord[]> {
		const { worlds } = this.#options.nats;
		const records: WorldRecord[] = [];
		for await (const key of await worlds.keys(`${PREFIX}*`)) {
			const record = await this.find(key.slice(PREFIX.length));
			if (record !== undefined) records.push(record);
		}
		return records.sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** Returns the record of a world; undefined if there is none. */
	async find(name: string): Promise<WorldRecord | undefined> {
		const entry = await this.#options.nats.worlds.get(`${PREFIX}${name}`);
		return entry?.operation === 'PUT' ? entry.json<WorldRecord>() : undefined;
	}

	async add(record: WorldRecord): Promise<void> {
		try {
			await this.#options.nats.worlds.create(`${PREFIX}${record.name}`, JSON.stringify(record));
		} catch (error) {
			if (!isConflict(error)) throw error;
			throw new ApiError('world_exists', `There is already a world "${record.name}".`);
		}
		await this.#options.announce('created', record);
	}

	async remove(record: WorldRecord): Promise<void> {
		const { nats, announce } = this.#options;
		const { name, journal } = record;
		await nats.worlds.delete(`${PREFIX}${name}`);
		await announce('deleted', record);
		await this.lease?.remove(journal);
		await StreamJournal.remove(nats, journal);
	}

	async open({ name, journal: id }: WorldRecord): Promise<Journal> {
		const { nats, maxBytes } = this.#options;
		const holder = await this.lease?.holderOf(id);
		const journal = await StreamJournal.open(nats, {
			id,
			world: name,
			maxBytes,
			onAppended: () => this.lease?.storeEntriesSoon(id),
			...(holder === undefined ? {} : { minEntries: holder.entries }),
		});
		this.#openJournals.set(id, journal);
		const close = journal.close.bind(journal);
		journal.close = async () => {
			await close();
			this.#openJournals.delete(id);
			await this.lease?.release(id, journal.next);
		};
		return journal;
	}
}
