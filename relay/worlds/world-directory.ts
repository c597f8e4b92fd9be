/**
 * Interfaces between the relay, its named worlds and a cluster.
 * A call to a named world goes to an engine of this server, or to another server.
 *
 * `?world=NAME` selects a named world and `?world=NAME/FORK` a fork of it. Any other name is main or a fork of main.
 */

import type { CallSignal, WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import type { StateEvery } from '../../web/host/journal/state-keeper.ts';
import type { CallerKey } from '../caller.ts';

/** Data about a named world that never changes. */
export interface WorldRecord {
	readonly name: string;
	/** Identity of its journal. A world that is created again under the same name has another one. */
	readonly journal: string;
	/** Agent that created it, by the id and the number of its key; null for the operators. */
	readonly owner: { readonly id: string; readonly number: number } | null;
	/** Time at which it was created, in ISO 8601. */
	readonly created: string;
	/** Profile at its start. */
	readonly profile: 'full' | 'bare';
	readonly seed: number;
}

/** Stores the records and journals of named worlds. */
export interface WorldStore {
	list(): Promise<readonly WorldRecord[]>;
	/** Stores a record. Rejects with `world_exists` if another world has its name. */
	add(record: WorldRecord): Promise<void>;
	/** Removes a record and the journal of its world, which no engine has open. */
	remove(record: WorldRecord): Promise<void>;
	/** Limits after which an engine stores a state, if they differ from the defaults. */
	readonly stateEvery?: Partial<StateEvery>;
	/** Opens the journal of a world for writing. Rejects with a `JournalError`. */
	open(record: WorldRecord): Promise<Journal>;
}

/** Sender of a call. */
export interface Sender {
	readonly caller: CallerKey;
	/** True if the call only waits for events, which is no work for the engine. */
	readonly listens?: boolean;
	/** Aborted when the caller has disconnected. */
	readonly signal?: CallSignal;
}

/** A named world that answers calls. Its engine may be on another server. */
export interface ServedWorld {
	readonly record: WorldRecord;
	/** Answers a call. In the call, this world is `main` and its name is omitted. Never rejects. */
	call(request: WireRequest, sender: Sender): Promise<WireResponse>;
}

/** Directory of named worlds: those of this server, or of all servers of a cluster. */
export interface WorldDirectory {
	/** Names of all worlds that this server knows. No fork of main may have one of them. */
	readonly names: ReadonlySet<string>;
	/** Returns a world; undefined if no world has the name. Rejects with an `ApiError`. */
	find(name: string): Promise<ServedWorld | undefined>;
}
