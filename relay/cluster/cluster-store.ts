/**
 * Records of the worlds of a cluster in the key-value store of NATS, and their journals in its stream.
 * Owns: the names that worlds have. Never: decides which server opens a world.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import type { WorldRecord, WorldStore } from '../worlds/world-directory.ts';
import { isOtherLast, type Nats } from './nats.ts';
import type { ServerLease } from './server-lease.ts';
import { StreamJournal } from './stream-journal.ts';

const PREFIX = 'world.';

export interface ClusterStoreOptions {
	readonly nats: Nats;
	/** Bytes that a journal may take. */
	readonly most: number;
	/** Informs all servers about a world, and resolves when they know. */
	readonly tell: (kind: 'created' | 'deleted', record: WorldRecord) => Promise<void>;
}

export class ClusterStore implements WorldStore {
	readonly #options: ClusterStoreOptions;
	/** Journals that are open here, by their identity. */
	readonly #open = new Map<string, StreamJournal>();
	/** A world is resumed elsewhere after a crash: what is replayed then takes about a second. */
	readonly stateEvery = { work: 1000, entries: 500 };
	/** Set once, when the cluster starts. */
	lease: ServerLease | undefined;

	constructor(options: ClusterStoreOptions) {
		this.#options = options;
	}

	/** Returns the number of entries of an open journal; undefined if it is not open. */
	entriesOf(journal: string): number | undefined {
		return this.#open.get(journal)?.next;
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
			if (!isOtherLast(error)) throw error;
			throw new ApiError('world_exists', `There is already a world "${record.name}".`);
		}
		await this.#options.tell('created', record);
	}

	async remove(record: WorldRecord): Promise<void> {
		const { nats, tell } = this.#options;
		const { name, journal } = record;
		await nats.worlds.delete(`${PREFIX}${name}`);
		await tell('deleted', record);
		await this.lease?.remove(journal);
		await StreamJournal.remove(nats, journal);
	}

	async open({ name, journal: id }: WorldRecord): Promise<Journal> {
		const { nats, most } = this.#options;
		const holding = await this.lease?.holderOf(id);
		const journal = await StreamJournal.open(nats, {
			id,
			world: name,
			most,
			onAppended: () => this.lease?.noteSoon(id),
			...(holding === undefined ? {} : { atLeast: holding.entries }),
		});
		this.#open.set(id, journal);
		const close = journal.close.bind(journal);
		journal.close = async () => {
			await close();
			this.#open.delete(id);
			await this.lease?.release(id, journal.next);
		};
		return journal;
	}
}
