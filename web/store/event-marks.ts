/**
 * Marks of events in entries: the ticks on which a world had a death, a score or a new phase of a match. A search for these
 * events can skip ticks without a mark.
 * Owns: the list of the marked kinds.
 */

import { Death } from '../../shared/events/death.ts';
import { MatchPhase } from '../../shared/events/match-phase.ts';
import { Scored } from '../../shared/events/score.ts';
import type { EventSummaryHead } from '../../shared/transport/journal-entry.ts';
import { newEventsOf } from '../sim/core/events.ts';
import type { WorldEntry } from './worlds.ts';

/** Kinds of events that are marked. */
export const MARKED_KINDS: readonly string[] = [Death.kind, Scored.kind, MatchPhase.kind];

/** Marks since the last entry. */
export class EventMarks {
	readonly #marks = new Map<string, { -readonly [K in keyof EventSummaryHead]: EventSummaryHead[K] }>();

	/** Marks the events of a world's last tick. */
	markTick({ id, world }: Pick<WorldEntry, 'id' | 'world'>): void {
		for (const kind of MARKED_KINDS) {
			if (newEventsOf(world, kind).length === 0) continue;
			const key = `${kind} ${id}`;
			const mark = this.#marks.get(key);
			if (mark === undefined) this.#marks.set(key, { id, kind, first: world.tick, last: world.tick });
			else mark.last = Math.max(mark.last, world.tick);
		}
	}

	/** Removes all marks. */
	clear(): void {
		this.#marks.clear();
	}

	get marks(): EventSummaryHead[] {
		return [...this.#marks.values()].map((mark) => ({ ...mark }));
	}
}
