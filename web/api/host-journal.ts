/**
 * The journal as handlers see it.
 * Owns: the interface; types only.
 */

import type { EventKind } from '../../shared/documents/event.ts';
import type { JournalExtent } from '../../shared/transport/journal.ts';
import type { ReadEntry } from '../../shared/transport/journal-entry.ts';
import type { Condition } from '../../shared/verbs/conditions/index.ts';
import type { RunningCall } from '../store/call-list.ts';
import type { EventView } from '../store/event-view.ts';

/** A world at a moment: after an entry, or at a tick. */
export type Sought = { readonly world: string } & ({ readonly entry: number } | { readonly tick: number });

/** A world as it was, all of it, and the entry after which, or within which, it was so. */
export interface Then {
	readonly bytes: Uint8Array;
	readonly entry: number;
}

/** Undoing the last write of a sender to a world, or doing again what was undone last. */
export interface UndoTurn {
	readonly sender: string;
	readonly world: string;
	readonly redo: boolean;
}

/** A request that the journal does not have, as a caller writes it. */
export interface GivenRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly body?: unknown;
}

/** A range of the journal that is re-run with other calls. */
export interface ReplayTurn {
	readonly world: string;
	/** The first and the last entry that are compared; null: the first change, and the newest. */
	readonly from: number | null;
	readonly to: number | null;
	readonly without: readonly number[];
	/** By entry, what is done in its place, and before it. */
	readonly instead: readonly (readonly [entry: number, request: GivenRequest])[];
	readonly before: readonly (readonly [entry: number, request: GivenRequest])[];
	/** True if the world itself is asked for. */
	readonly keeps: boolean;
	/** Conditions and fields to read in both worlds. */
	readonly look: ReplayLook;
}

/** Texts of conditions, and fields of entities. */
export interface ReplayLook {
	readonly conditions: readonly string[];
	readonly fields: readonly string[];
	readonly filter: string | null;
}

export interface Outlook {
	readonly tick: number;
	readonly state_digest: string;
	readonly conditions: readonly { readonly passed: boolean; readonly message: string }[];
	readonly rows: readonly (readonly unknown[])[];
}

export interface ReplayedCalls {
	/** Of the world; null unless it is asked for. */
	readonly bytes: Uint8Array | null;
	readonly from: number;
	readonly to: number;
	readonly original: Outlook;
	readonly replayed: Outlook;
	/** The first tick after which, or at which, the worlds differ; null if they never do. */
	readonly first_difference: { readonly tick: number; readonly entry: number } | null;
	/** Calls that were answered otherwise, and those that were sent in addition. */
	readonly calls: readonly ReplayedCall[];
	readonly call_count: number;
}

export interface ReplayedCall {
	readonly entry: number;
	readonly call: string;
	/** Status that it had; null for one that the journal does not have. */
	readonly was: number | null;
	readonly status: number;
	readonly fix: string | null;
}

/** A world as it would be then. */
export interface UndoResult extends Then {
	/** The write, by its entry, method and path. */
	readonly took: number;
	readonly call: string;
	/** Entries after it that were rebuilt. */
	readonly remade: number;
}

export interface TickSearch {
	readonly condition: Condition;
	/** The world, by its id. */
	readonly world: string;
	/** The first tick that counts; the oldest that is known unless given. */
	readonly from_tick?: number;
	/** Place that an earlier search reached. */
	readonly after?: SearchPlace;
}

/** Place that a search reached: the entry, and the number of looks since that began. */
export interface SearchPlace {
	readonly entry: number;
	readonly looks: number;
}

/** Result of a search: both are null if it looked at everything and the condition never held. */
export interface TickFound {
	readonly found: FirstTick | null;
	/** Place at which the search stopped after its time, and at which another continues. */
	readonly next: SearchPlace | null;
	/** The last tick of the world that it looked at; null for none. */
	readonly searched_to: number | null;
	/** The call that put another world in place of this one, before which it did not look; null: it looked at all. */
	readonly begin?: LineBegin | null;
}

/** First time that a condition held: the tick, and the entry within or after which it was. */
export interface FirstTick {
	readonly tick: number;
	readonly entry: number;
	/** Null if the marks of entries told, and the world was not made again. */
	readonly digest: string | null;
	readonly entities: number | null;
}

/** A request of a recorded call, as /batch takes it. */
export interface RecordedRequest {
	readonly method?: string;
	readonly path: string;
	readonly body?: unknown;
	readonly as?: string | null;
	readonly answer?: string[] | null;
}

/** Requests that changed a world at one tick. */
export interface RecordedCall {
	readonly entry: number;
	readonly tick: number;
	/** Tick of the world after the entry. */
	readonly after: number;
	readonly requests: readonly RecordedRequest[];
}

/** Calls that changed a world, oldest first. */
export interface RecordedPast {
	readonly calls: readonly RecordedCall[];
	/**
	 * The entry before them that no fork can repeat; null for none. `begins`: it put this world in place of another.
	 */
	readonly limit: {
		readonly entry: number;
		readonly tick: number;
		readonly call: string;
		readonly begins: boolean;
	} | null;
}

export interface LineBegin {
	readonly entry: number;
	/** Method and path. */
	readonly call: string;
}

export interface TickHit {
	/** Ticks completed when it was sent. */
	readonly tick: number;
	/** Entry of the call or of the ticks that sent it. */
	readonly entry: number;
	/** True if a call sent it. */
	readonly called: boolean;
	readonly amount: number;
	readonly category: string;
	readonly source: number | null;
	readonly source_tags: readonly string[];
	readonly source_team: number | null;
}

export interface RuleFired {
	readonly id: number;
	readonly name: string | null;
}

export interface LastDeath {
	/** Ticks completed after the tick on which it died. */
	readonly tick: number;
	readonly entry: number;
	readonly generation: number;
	readonly killer: number | null;
	/** Health after each of the last ticks in which it changed, oldest first. */
	readonly health: readonly (readonly [tick: number, current: number])[];
	readonly hits: readonly TickHit[];
	/** Damage in all, noted or not. */
	readonly hit_count: number;
	/** Rules that fired last on the tick of the death, or on the previous one. */
	readonly rules: readonly RuleFired[];
	/** Tick of the world after the last call before it: from there on, nothing but ticks led to it. */
	readonly since: number;
	/** The first tick that was looked at. */
	readonly from_tick: number;
}

export interface Life {
	readonly death: LastDeath | null;
	/** It was removed, or its place taken by another entity, without dying: after which tick and entry. */
	readonly removed: { readonly tick: number; readonly entry: number } | null;
	/** The call that put another world in place of this one: what was before is not looked at. */
	readonly begin: LineBegin | null;
	/** False if time ran out first. */
	readonly finished: boolean;
}

export interface LifeSearch {
	readonly world: string;
	readonly id: number;
	/** True if it is in the world now. */
	readonly isHere: boolean;
}

export interface PastSearch {
	/** The world, by its id. */
	readonly world: string;
	/** The first tick that counts, and the previous one which it ends; null: the present. */
	readonly from_tick: number;
	readonly to_tick: number | null;
	/** Kinds of events. */
	readonly kinds: readonly EventKind[];
	/** Numbers that are read of the entities of a filter, each `every` ticks. */
	readonly fields: readonly string[];
	readonly filter: string;
	readonly every: number;
	/** Number of events, and of rows, after which it ends. */
	readonly limit: number;
}

export interface PastEvents {
	readonly events: readonly EventView[];
	/** Tick, entity, and its numbers. */
	readonly rows: readonly (readonly (number | null)[])[];
	/** The first tick that was looked at; null for none. */
	readonly since: number | null;
	/** Tick to continue with; null if all were looked at. */
	readonly next: number | null;
}

export interface JournalLine {
	readonly entry: number;
	readonly head: ReadEntry['head'];
}

/** Conditions for lines; a line must meet all that are given. */
export interface LineFilter {
	readonly of?: string | undefined;
	readonly sender?: string | undefined;
	readonly path?: string | undefined;
	readonly from_tick?: number | undefined;
	readonly to_tick?: number | undefined;
}

/** Reason that nothing can be kept. */
export interface JournalTrouble {
	readonly message: string;
	/** Milliseconds since 1970. */
	readonly since: number;
	/** Another engine has the lease, so it will not work again here. */
	readonly taken: boolean;
}

export interface HostJournal {
	/** Ends with the call that asks. */
	recorded(world: string, by: RunningCall): Promise<RecordedPast>;
	/** Returns the body that the call of an entry had. Throws `journal_cut`. */
	sent(entry: number): Promise<Uint8Array>;
	/** Returns the last death of an entity, and how it came to that. Ends with the call that asks. */
	life(search: LifeSearch, by: RunningCall): Promise<Life>;
	/** Ends with the call that asks. Throws `journal_cut` where it cannot continue from. */
	firstTick(search: TickSearch, by: RunningCall): Promise<TickFound>;
	/** Ends with the call that asks. */
	past(search: PastSearch, by: RunningCall): Promise<PastEvents>;
	/** True if it outlives its process. */
	readonly durable: boolean;
	extent(): Promise<JournalExtent>;
	/** Returns the reason that currently nothing can be kept; null if it can. */
	trouble(): JournalTrouble | null;
	/** Ends with the call that asks. Throws `journal_cut`. */
	lines(
		from: number | undefined,
		limit: number,
		filter: LineFilter,
		by: RunningCall,
	): Promise<{ readonly lines: readonly JournalLine[]; readonly next: number | null }>;
}
