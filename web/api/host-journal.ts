/**
 * Interface of the journal for handlers. Types only.
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
export interface UndoRequest {
	readonly sender: string;
	readonly world: string;
	readonly redo: boolean;
}

/** A request that a caller adds to a replay; the journal does not have it. */
export interface AddedRequest {
	readonly method: string;
	/** Path with the query. */
	readonly path: string;
	readonly body?: unknown;
}

/** A range of the journal that is re-run with other calls. */
export interface ReplayRequest {
	readonly world: string;
	/** First and last entry of the range; null means the first change, and the newest entry. */
	readonly from: number | null;
	readonly to: number | null;
	/** Entries that are omitted. */
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

/** Result of a replay with other calls. */
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
	/** Number of all such calls, listed or not. */
	readonly call_count: number;
}

/** A call of a replay whose answer differs. */
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
	/** Number of later entries that were re-run. */
	readonly remade: number;
}

/** Search for the first tick on which a condition holds. */
export interface TickSearch {
	readonly condition: Condition;
	/** Id of the world. */
	readonly world: string;
	/** First tick of the search; the oldest known one if omitted. */
	readonly from_tick?: number;
	/** Position that an earlier search reached. */
	readonly after?: SearchPlace;
}

/** Position that a search reached: an entry, and the number of evaluations within it. */
export interface SearchPlace {
	readonly entry: number;
	readonly looks: number;
}

/** Result of a search. `found` and `next` are both null if the condition never held in the whole range. */
export interface TickFound {
	readonly found: FirstTick | null;
	/** Position at which the search ran out of time, for the next search; null if it finished. */
	readonly next: SearchPlace | null;
	/** Last evaluated tick; null if there is none. */
	readonly searched_to: number | null;
	/** Call that replaced the world. Earlier entries were not searched; null if all were. */
	readonly begin?: LineBegin | null;
}

/** First tick on which a condition held, and the entry within or after which it held. */
export interface FirstTick {
	readonly tick: number;
	readonly entry: number;
	/** Digest of the world; null if the marks of entries were sufficient, so that the world was not rebuilt. */
	readonly digest: string | null;
	/** Number of entities; null like `digest`. */
	readonly entities: number | null;
}

/** A request of a recorded call, in the form that POST /batch accepts. */
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
	 * Last entry before the calls that no fork can repeat; null if there is none. `begins`: true if the entry replaced the world.
	 */
	readonly limit: {
		readonly entry: number;
		readonly tick: number;
		readonly call: string;
		readonly begins: boolean;
	} | null;
}

/** Call that replaced a world. */
export interface LineBegin {
	readonly entry: number;
	/** Method and path. */
	readonly call: string;
}

/** Damage that an entity took. */
export interface TickHit {
	/** Number of completed ticks when the damage was dealt. */
	readonly tick: number;
	/** Entry of the call or of the ticks that dealt the damage. */
	readonly entry: number;
	/** True if a call dealt the damage. */
	readonly called: boolean;
	/** Damage (HP). */
	readonly amount: number;
	readonly category: string;
	/** Id of the attacking entity; null if there is none. */
	readonly source: number | null;
	readonly source_tags: readonly string[];
	readonly source_team: number | null;
}

/** A rule that fired. */
export interface RuleFired {
	readonly id: number;
	readonly name: string | null;
}

/** Last death of an entity. */
export interface LastDeath {
	/** Number of completed ticks after the tick of the death. */
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

/** Result of a search for the last death of an entity. */
export interface Life {
	readonly death: LastDeath | null;
	/** Tick and entry after which the entity was removed or replaced without dying; null otherwise. */
	readonly removed: { readonly tick: number; readonly entry: number } | null;
	/** Call that replaced the world. Earlier entries are not searched. */
	readonly begin: LineBegin | null;
	/** False if time ran out first. */
	readonly finished: boolean;
}

/** Search for the last death of an entity. */
export interface LifeSearch {
	readonly world: string;
	readonly id: number;
	/** True if the entity exists now. */
	readonly isHere: boolean;
}

/** Search for events and measures of past ticks. */
export interface PastSearch {
	/** Id of the world. */
	readonly world: string;
	/** Events are returned from after tick `from_tick` up to tick `to_tick`; null means the present. */
	readonly from_tick: number;
	readonly to_tick: number | null;
	/** Kinds of events. */
	readonly kinds: readonly EventKind[];
	/** Measures to read from the entities that match `filter`, every `every` ticks. */
	readonly fields: readonly string[];
	readonly filter: string;
	readonly every: number;
	/** Maximum number of events, and of rows. */
	readonly limit: number;
}

/** Result of a search for events and measures. */
export interface PastEvents {
	readonly events: readonly EventView[];
	/** Tick, entity, and its measures. */
	readonly rows: readonly (readonly (number | null)[])[];
	/** First tick that was searched; null if none was. */
	readonly since: number | null;
	/** Tick to continue with; null if all were searched. */
	readonly next: number | null;
}

/** Number and head of an entry. */
export interface JournalLine {
	readonly entry: number;
	readonly head: ReadEntry['head'];
}

/** Conditions for lines. A line must meet all that are present. */
export interface LineFilter {
	/** Id of a world that the entry changed. */
	readonly of?: string | undefined;
	readonly sender?: string | undefined;
	/** Beginning of the call's path. */
	readonly path?: string | undefined;
	/** First and last tick of a world after the entry. */
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

/** Journal of an engine. Searches stop when `call` is cancelled. */
export interface HostJournal {
	/** Returns the calls that changed a world. */
	findRecordedCalls(world: string, call: RunningCall): Promise<RecordedPast>;
	/** Returns the body of the call of an entry. Throws `journal_cut`. */
	bodyOf(entry: number): Promise<Uint8Array>;
	/** Returns the last death of an entity, with the damage before it. */
	lifeOf(search: LifeSearch, call: RunningCall): Promise<Life>;
	/** Finds the first tick on which a condition held. Throws `journal_cut` if the entry to continue from is gone. */
	findFirstTick(search: TickSearch, call: RunningCall): Promise<TickFound>;
	/** Returns events and measures of past ticks. */
	findPastEvents(search: PastSearch, call: RunningCall): Promise<PastEvents>;
	/** True if the journal survives the end of its process. */
	readonly durable: boolean;
	/** Returns the stored range of entries, the states and the size. */
	extent(): Promise<JournalExtent>;
	/** Returns the reason why entries cannot be stored now; null if they can. */
	currentTrouble(): JournalTrouble | null;
	/** Returns the heads of entries that meet a filter, and the entry to continue with. Throws `journal_cut`. */
	findLines(
		from: number | undefined,
		limit: number,
		filter: LineFilter,
		call: RunningCall,
	): Promise<{ readonly lines: readonly JournalLine[]; readonly next: number | null }>;
}
