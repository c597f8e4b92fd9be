/**
 * Search for the entries at which a condition about marked events may hold.
 * Owns: the analysis of conditions, and the reading of marks.
 */

import type { Journal } from '../../../shared/transport/journal.ts';
import { conditionKind, type InnerCondition, partsOf } from '../../../shared/verbs/conditions/index.ts';
import { findRoute } from '../../api/find-route.ts';
import type { TickSearch } from '../../api/host-journal.ts';
import { MARKED_KINDS } from '../../store/event-marks.ts';
import { entriesFrom } from './history.ts';
import type { ReplayPace } from './replay.ts';

const EVENT = 'event:';

/** Marked events without which a condition cannot hold. */
export interface EventsNeeded {
	readonly kinds: ReadonlySet<string>;
	/** True if the condition holds on every tick with one of these events. */
	readonly isSufficient: boolean;
}

/** Returns the marked events that a condition needs; null if it can hold without one, or depends on earlier ticks. */
export function eventsNeeded(condition: InnerCondition): EventsNeeded | null {
	const { momentary, isConjunction, isDisjunction, reads, hasMemory } = conditionKind(condition);
	if (hasMemory === true) return null;
	const parts = partsOf(condition).map(({ part }) => part);
	if (momentary === true && parts.length === 0) {
		const [event, ...otherEvents] = typeof reads === 'function' ? reads(condition) : reads;
		const kind = event?.startsWith(EVENT) === true ? event.slice(EVENT.length) : '';
		const hasNoFilter = (condition as { readonly where?: readonly unknown[] | null }).where == null;
		return MARKED_KINDS.includes(kind)
			? { kinds: new Set([kind]), isSufficient: hasNoFilter && otherEvents.length === 0 }
			: null;
	}
	if (parts.some(isRemembering)) return null;
	const eventsOfParts = parts.map(eventsNeeded);
	if (isConjunction === true) {
		const events = eventsOfParts.find((part) => part !== null);
		return events == null ? null : { ...events, isSufficient: false };
	}
	if (isDisjunction !== true || !eventsOfParts.every((part) => part !== null)) return null;
	return {
		kinds: new Set(eventsOfParts.flatMap(({ kinds }) => [...kinds])),
		isSufficient: eventsOfParts.every(({ isSufficient }) => isSufficient),
	};
}

const isRemembering = (condition: InnerCondition): boolean =>
	conditionKind(condition).hasMemory === true || partsOf(condition).some(({ part }) => isRemembering(part));

export interface Candidates {
	/** First and last entry at which the condition may hold; null if there is none. */
	readonly entries: readonly [first: number, last: number] | null;
	/** First tick on which it held, if the marks alone prove it; null otherwise. */
	readonly tick: number | null;
	/** Last tick of the world in the searched entries. */
	readonly searched_to: number | null;
}

/** Searches the heads of the entries from `from` on. */
export async function candidatesOf(
	journal: Journal,
	{ world, from_tick = 0 }: TickSearch,
	{ kinds, isSufficient }: EventsNeeded,
	from: number,
	pace: ReplayPace,
): Promise<Candidates> {
	let entries: readonly [number, number] | null = null;
	let tick: number | null = null;
	let searched_to: number | null = null;
	for await (const { entry, head } of entriesFrom(journal, from, pace)) {
		searched_to = head.worlds.find(({ id }) => id === world)?.tick ?? searched_to;
		const marks = (head.happened ?? []).filter(({ id }) => id === world);
		const matchingMarks = marks.filter((mark) => kinds.has(mark.kind) && mark.last >= from_tick);
		if (matchingMarks.length === 0) continue;
		if (entries === null && isSufficient && matchingMarks.every((mark) => mark.first >= from_tick))
			tick = Math.min(...matchingMarks.map((mark) => mark.first));
		entries = [entries?.[0] ?? entry, entry];
		if (tick !== null) break;
	}
	return { entries, tick, searched_to };
}

/** Returns true if the entry of a call has marks, because the call can run ticks or replace a world. */
export function hasEventMarks(head: { readonly method: string; readonly path: string }): boolean {
	const { effect, stepwise } = findRoute(head.method, head.path).route;
	return stepwise === true || (effect !== 'write' && effect !== 'view');
}
