/**
 * Marks of events in entries: the ticks of worlds with deaths, scores and new phases of a match.
 * Owns: the marked kinds. A search for one of them need not re-run the ticks.
 */

import { Death } from '../../shared/events/death.ts';
import { MatchPhase } from '../../shared/events/match-phase.ts';
import { Scored } from '../../shared/events/score.ts';
import type { EventSummaryHead } from '../../shared/transport/journal-entry.ts';
import { newEventsOf } from '../sim/core/events.ts';
import type { WorldEntry } from './worlds.ts';

export const MARKED: readonly string[] = [Death.kind, Scored.kind, MatchPhase.kind];

/** Marks since the last entry. */
export class EventMarks {
	readonly #marks = new Map<string, { -readonly [K in keyof EventSummaryHead]: EventSummaryHead[K] }>();

	/** Marks the events of a world's last tick. */
	note({ id, world }: Pick<WorldEntry, 'id' | 'world'>): void {
		for (const kind of MARKED) {
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
