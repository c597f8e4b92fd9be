/**
 * Index of the entries at which a condition about marked events may hold.
 * Owns: the analysis of conditions, and the reading of marks.
 */

import type { Journal } from '../../../shared/transport/journal.ts';
import { conditionKind, type InnerCondition, partsOf } from '../../../shared/verbs/conditions/index.ts';
import { findRoute } from '../../api/find-route.ts';
import type { TickSearch } from '../../api/host-journal.ts';
import { MARKED } from '../../store/event-marks.ts';
import { entriesFrom } from './history.ts';
import type { ReplayPace } from './replay.ts';

const EVENT = 'event:';

/** Marked events that a condition needs. */
export interface EventsNeeded {
	readonly kinds: ReadonlySet<string>;
	/** True if the condition holds on every tick with one of these events. */
	readonly suffices: boolean;
}

/** Returns the marked events that a condition needs; null if it can hold without one, or depends on earlier ticks. */
export function eventsNeeded(condition: InnerCondition): EventsNeeded | null {
	const { momentary, isConjunction, isDisjunction, reads, hasMemory } = conditionKind(condition);
	if (hasMemory === true) return null;
	const parts = partsOf(condition).map(({ part }) => part);
	if (momentary === true && parts.length === 0) {
		const [event, ...more] = typeof reads === 'function' ? reads(condition) : reads;
		const kind = event?.startsWith(EVENT) === true ? event.slice(EVENT.length) : '';
		const isPlain = (condition as { readonly where?: readonly unknown[] | null }).where == null;
		return MARKED.includes(kind) ? { kinds: new Set([kind]), suffices: isPlain && more.length === 0 } : null;
	}
	if (parts.some(isRemembering)) return null;
	const needed = parts.map(eventsNeeded);
	if (isConjunction === true) {
		const eventsNeeded = needed.find((part) => part !== null);
		return eventsNeeded == null ? null : { ...eventsNeeded, suffices: false };
	}
	if (isDisjunction !== true || !needed.every((part) => part !== null)) return null;
	return {
		kinds: new Set(needed.flatMap(({ kinds }) => [...kinds])),
		suffices: needed.every(({ suffices }) => suffices),
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
	{ kinds, suffices }: EventsNeeded,
	from: number,
	pace: ReplayPace,
): Promise<Candidates> {
	let entries: readonly [number, number] | null = null;
	let tick: number | null = null;
	let searched_to: number | null = null;
	for await (const { entry, head } of entriesFrom(journal, from, pace)) {
		searched_to = head.worlds.find(({ id }) => id === world)?.tick ?? searched_to;
		const marks = (head.happened ?? []).filter(({ id }) => id === world);
		const fitting = marks.filter((mark) => kinds.has(mark.kind) && mark.last >= from_tick);
		if (fitting.length === 0) continue;
		if (entries === null && suffices && fitting.every((mark) => mark.first >= from_tick))
			tick = Math.min(...fitting.map((mark) => mark.first));
		entries = [entries?.[0] ?? entry, entry];
		if (tick !== null) break;
	}
	return { entries, tick, searched_to };
}

/** Returns true if the entry of a call has marks, because the call can run ticks or replace a world. */
export function isMarked(head: { readonly method: string; readonly path: string }): boolean {
	const { effect, stepwise } = findRoute(head.method, head.path).route;
	return stepwise === true || (effect !== 'write' && effect !== 'view');
}
