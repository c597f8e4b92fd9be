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

/** Moment of a world in the past: after an entry, or at a tick. */
export type PastMoment = { readonly world: string } & (
	| { readonly entry: number }
	| { readonly tick: number }
);

/** Whole state of a world in the past, and the entry after or within which it had that state. */
export interface PastWorld {
	readonly bytes: Uint8Array;
	readonly entry: number;
}

/** Request to undo the last write of a sender to a world, or to redo the last undone one. */
export interface UndoTurn {
	readonly sender: string;
	readonly world: string;
	readonly redo: boolean;
}

/** A request that a caller adds to a replay; the journal does not have it. */
export interface AddedRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly body?: unknown;
}

/** A range of the journal that is re-run with other calls. */
export interface ReplayTurn {
	readonly world: string;
	/** First and last entry of the range; null means the first change, and the newest entry. */
	readonly from: number | null;
	readonly to: number | null;
	readonly without: readonly number[];
	/** Requests that replace an entry. */
	readonly instead: readonly (readonly [entry: number, request: AddedRequest])[];
	/** Requests that are inserted before an entry. */
	readonly before: readonly (readonly [entry: number, request: AddedRequest])[];
	/** True to return the replayed world. */
	readonly keeps: boolean;
	/** Conditions and fields to read in both worlds. */
	readonly look: ReplayLook;
}

/** Texts of conditions, and fields of the entities that match `filter`. */
export interface ReplayLook {
	readonly conditions: readonly string[];
	readonly fields: readonly string[];
	readonly filter: string | null;
}

/** Values that a replay reads at the end of a range. */
export interface Outlook {
	readonly tick: number;
	readonly state_digest: string;
	readonly conditions: readonly { readonly passed: boolean; readonly message: string }[];
	readonly rows: readonly (readonly unknown[])[];
}

export interface ReplayedCalls {
	/** State of the replayed world; null unless requested. */
	readonly bytes: Uint8Array | null;
	readonly from: number;
	readonly to: number;
	readonly original: Outlook;
	readonly replayed: Outlook;
	/** The first tick after which, or at which, the worlds differ; null if they never do. */
	readonly first_difference: { readonly tick: number; readonly entry: number } | null;
	/** Calls whose answer differs from the recorded one, and added calls. */
	readonly calls: readonly ReplayedCall[];
	readonly call_count: number;
}

export interface ReplayedCall {
	readonly entry: number;
	readonly call: string;
	/** Recorded status; null for an added call. */
	readonly was: number | null;
	readonly status: number;
	readonly fix: string | null;
}

/** State of a world without a write, or with it again. */
export interface UndoResult extends PastWorld {
	/** Entry of the write. The journal stores it by this name. */
	readonly took: number;
	/** Method and path of the write. */
	readonly call: string;
	/** Entries after it that were rebuilt. */
	readonly remade: number;
}

export interface TickSearch {
	readonly condition: Condition;
	/** The world, by its id. */
	readonly world: string;
	/** First tick of the search; the oldest known one if omitted. */
	readonly from_tick?: number;
	/** Position that an earlier search reached. */
	readonly after?: SearchPlace;
}

/** Position that a search reached: an entry, and the number of looks within it. */
export interface SearchPlace {
	readonly entry: number;
	readonly looks: number;
}

/** Result of a search. `found` and `next` are both null if it looked at everything and the condition never held. */
export interface TickFound {
	readonly found: FirstTick | null;
	/** Position at which the search ran out of time, for the next search; null if it finished. */
	readonly next: SearchPlace | null;
	/** Last tick that it looked at; null if it looked at none. */
	readonly searched_to: number | null;
	/** Call that replaced the world. Earlier entries were not searched; null if all were. */
	readonly begin?: LineBegin | null;
}

/** First tick on which a condition held, and the entry within or after which it did. */
export interface FirstTick {
	readonly tick: number;
	readonly entry: number;
	/** Null if the marks of entries were enough, so that the world was not rebuilt. */
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
	 * Last entry before the calls that no fork can repeat; null if there is none. `begins`: it replaced the world.
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
	/** Number of all hits, listed or not. */
	readonly hit_count: number;
	/** Rules whose last firing was on the tick of the death, or on the previous one. */
	readonly rules: readonly RuleFired[];
	/** Tick of the world after the last call before the death. Only ticks followed that call. */
	readonly since: number;
	/** First tick that was searched. */
	readonly from_tick: number;
}

export interface Life {
	readonly death: LastDeath | null;
	/** Tick and entry after which it was removed, or replaced by another entity, without dying; null otherwise. */
	readonly removed: { readonly tick: number; readonly entry: number } | null;
	/** Call that replaced the world. Earlier entries are not searched. */
	readonly begin: LineBegin | null;
	/** False if time ran out first. */
	readonly finished: boolean;
}

export interface LifeSearch {
	readonly world: string;
	readonly id: number;
	/** True if the entity exists now. */
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
	/** Numbers to read from the entities that match `filter`, every `every` ticks. */
	readonly fields: readonly string[];
	readonly filter: string;
	readonly every: number;
	/** Maximum number of events, and of rows. */
	readonly limit: number;
}

export interface PastEvents {
	readonly events: readonly EventView[];
	/** Tick, entity, and its numbers. */
	readonly rows: readonly (readonly (number | null)[])[];
	/** First tick that was searched; null if none was. */
	readonly since: number | null;
	/** Tick to continue with; null if all were searched. */
	readonly next: number | null;
}

export interface JournalLine {
	readonly entry: number;
	readonly head: ReadEntry['head'];
}

/** Conditions for lines. A line must meet all that are present. */
export interface LineFilter {
	readonly of?: string | undefined;
	readonly sender?: string | undefined;
	readonly path?: string | undefined;
	readonly from_tick?: number | undefined;
	readonly to_tick?: number | undefined;
}

/** Reason why the journal cannot store entries. */
export interface JournalTrouble {
	readonly message: string;
	/** Milliseconds since 1970. */
	readonly since: number;
	/** True if another engine has the lease, so that this one cannot write again. */
	readonly taken: boolean;
}

/** Journal of an engine. Searches stop when the call `by` is cancelled. */
export interface HostJournal {
	/** Returns the calls that changed a world. */
	recordedPast(world: string, by: RunningCall): Promise<RecordedPast>;
	/** Returns the body of the call of an entry. Throws `journal_cut`. */
	bodyOf(entry: number): Promise<Uint8Array>;
	/** Returns the last death of an entity, and what led to it. */
	lifeOf(search: LifeSearch, by: RunningCall): Promise<Life>;
	/** Finds the first tick on which a condition held. Throws `journal_cut` if the entry to continue from is gone. */
	firstTick(search: TickSearch, by: RunningCall): Promise<TickFound>;
	/** Returns events and numbers of past ticks. */
	pastEvents(search: PastSearch, by: RunningCall): Promise<PastEvents>;
	/** True if it survives the end of its process. */
	readonly durable: boolean;
	extent(): Promise<JournalExtent>;
	/** Returns the reason why entries cannot be stored now; null if they can. */
	trouble(): JournalTrouble | null;
	/** Returns the heads of entries that meet a filter, and the entry to continue with. Throws `journal_cut`. */
	lines(
		from: number | undefined,
		limit: number,
		filter: LineFilter,
		by: RunningCall,
	): Promise<{ readonly lines: readonly JournalLine[]; readonly next: number | null }>;
}
