/**
 * Receivers of calls to a named world: an engine of this server, or another server.
 * Owns: the interfaces between the relay, its own worlds and a cluster. Types only.
 *
 * `?world=NAME` selects a named world and `?world=NAME/FORK` a fork of it. Any other name is main or a fork of main.
 */

import type { CallSignal, WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import type { StateEvery } from '../../web/host/journal/state-keeper.ts';
import type { CallerKey } from '../caller.ts';

/** Data about a named world that does not change as long as it exists. */
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
	/** Limits after which an engine keeps a state, if they are not the usual ones. */
	readonly stateEvery?: Partial<StateEvery>;
	/** Opens the journal of a world for writing. Rejects with a `JournalError`. */
	open(record: WorldRecord): Promise<Journal>;
}

/** The sender of a call. */
export interface Sender {
	readonly caller: CallerKey;
	/** The call waits for events, which is no work for the engine. */
	readonly listens?: boolean;
	/** Aborted when the caller has gone. */
	readonly signal?: CallSignal;
}

/** A named world that answers calls, wherever its engine is. */
export interface ServedWorld {
	readonly record: WorldRecord;
	/** Answers a call, in which the world itself is `main` and is not named. Never rejects. */
	call(request: WireRequest, sender: Sender): Promise<WireResponse>;
}

/** Finds the answerer of each named world. A server has one, over its own worlds or over those of a cluster. */
export interface WorldDirectory {
	/** Names that worlds have now, as far as this server knows: no fork of main may have one of them. */
	readonly names: ReadonlySet<string>;
	/** Returns the answerer of a world; undefined if no world has the name. Rejects with an `ApiError`. */
	find(name: string): Promise<ServedWorld | undefined>;
}
