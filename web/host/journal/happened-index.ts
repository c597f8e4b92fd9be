/**
 * Entries at which a condition about marked events may hold.
 * Owns: the choice of such conditions, and the reading of marks.
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
	/** True if it holds on every tick with one of them. */
	readonly suffices: boolean;
}

/** Null for a condition that can hold without a marked event, or that depends on what was before. */
export function eventsNeeded(condition: InnerCondition): EventsNeeded | null {
	const { momentary, joins, either, reads, remembers } = conditionKind(condition);
	if (remembers === true) return null;
	const parts = partsOf(condition).map(({ part }) => part);
	if (momentary === true && parts.length === 0) {
		const [event, ...more] = typeof reads === 'function' ? reads(condition) : reads;
		const kind = event?.startsWith(EVENT) === true ? event.slice(EVENT.length) : '';
		const isPlain = (condition as { readonly where?: readonly unknown[] | null }).where == null;
		return MARKED.includes(kind) ? { kinds: new Set([kind]), suffices: isPlain && more.length === 0 } : null;
	}
	if (parts.some(isRemembering)) return null;
	const needed = parts.map(eventsNeeded);
	if (joins === true) {
		const eventsNeeded = needed.find((part) => part !== null);
		return eventsNeeded == null ? null : { ...eventsNeeded, suffices: false };
	}
	if (either !== true || !needed.every((part) => part !== null)) return null;
	return {
		kinds: new Set(needed.flatMap(({ kinds }) => [...kinds])),
		suffices: needed.every(({ suffices }) => suffices),
	};
}

const isRemembering = (condition: InnerCondition): boolean =>
	conditionKind(condition).remembers === true || partsOf(condition).some(({ part }) => isRemembering(part));

export interface Candidates {
	/** The first and the last entry at which it may hold; null for none. */
	readonly entries: readonly [first: number, last: number] | null;
	/** The tick on which it first held, where the marks alone tell. */
	readonly tick: number | null;
	/** The last tick of the world that an entry names. */
	readonly searched_to: number | null;
}

/** Looks through the heads of the entries from one on. */
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

/** Returns true if the call of an entry has marks: it can make ticks, or put a world in place of another. */
export function isMarked(head: { readonly method: string; readonly path: string }): boolean {
	const { effect, stepwise } = findRoute(head.method, head.path).route;
	return stepwise === true || (effect !== 'write' && effect !== 'view');
}
