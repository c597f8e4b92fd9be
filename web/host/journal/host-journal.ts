/**
 * The journal as handlers see it.
 * Owns: the interface; types only.
 */

import type { JournalExtent } from '../../../shared/transport/journal.ts';
import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import type { RunningCall } from '../call-list.ts';
import type { Line, LineFilter } from './history.ts';
import type { JournalTrouble } from './outbox.ts';

/** A world at a moment: after an entry, or at a tick. */
export type Sought = { readonly world: string } & ({ readonly entry: number } | { readonly tick: number });

/** A world as it was, all of it, and the entry after which, or within which, it was so. */
export interface Then {
	readonly bytes: Uint8Array;
	readonly entry: number;
}

/** Taking back the last write of a sender to a world, or doing again what was taken back last. */
export interface UndoTurn {
	readonly sender: string;
	readonly world: string;
	readonly redo: boolean;
}

/** A world as it would be then. */
export interface Undone extends Then {
	/** The write, by its entry, method and path. */
	readonly took: number;
	readonly call: string;
	/** Entries after it that were made again. */
	readonly remade: number;
}

export interface TickSearch {
	readonly condition: Condition;
	/** The world, by its id. */
	readonly world: string;
	/** The first tick that counts; the oldest that is known unless given. */
	readonly from_tick?: number;
	/** Where an earlier search came to. */
	readonly after?: SearchPlace;
}

/** How far a search came: the entry, and how often it had looked since that began. */
export interface SearchPlace {
	readonly entry: number;
	readonly looks: number;
}

/** What a search came to: both are null when it has looked at everything and it never held. */
export interface TickFound {
	readonly found: FirstTick | null;
	/** Where it took long enough, and another goes on. */
	readonly next: SearchPlace | null;
	/** The last tick of the world that it looked at; null for none. */
	readonly searched_to: number | null;
}

/** Where a condition first held: on which tick, and within or after which entry. */
export interface FirstTick {
	readonly tick: number;
	readonly entry: number;
	/** Null where the marks of entries told, and the world was not made again. */
	readonly digest: string | null;
	readonly entities: number | null;
}

export interface HostJournal {
	/** Ends with the call that asks. Throws `journal_cut` where it cannot go on from. */
	firstTick(search: TickSearch, by: RunningCall): Promise<TickFound>;
	/** True if it outlives its process. */
	readonly durable: boolean;
	extent(): Promise<JournalExtent>;
	/** Why nothing can be kept at present; null when it can. */
	trouble(): JournalTrouble | null;
	/** Ends with the call that asks. Throws `journal_cut`. */
	lines(
		from: number | undefined,
		limit: number,
		filter: LineFilter,
		by: RunningCall,
	): Promise<{ readonly lines: readonly Line[]; readonly next: number | null }>;
}
