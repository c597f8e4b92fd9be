/**
 * Everything that was seen to happen in a match: lines for the feed, and scores that no event reports.
 * Owns: which events of frames become a line, and when lines are dropped.
 */

import { signal } from '@preact/signals';
import type { FrameEvent } from '../../frames/frames.ts';
import type { Entity } from '../entities/entity.ts';
import { type FeedLine, type FeedPart, feedLines, feedParts } from './feed.ts';
import type { Side } from './match.ts';
import { addSample, NOTHING_YET } from './story.ts';

export class MatchLog {
	/** Lines that the feed shows. */
	readonly lines = signal<readonly FeedLine[]>([]);
	/** Scores since the match began, of a game whose goal is a number of an entity. */
	readonly seen = signal(NOTHING_YET);

	forget(): void {
		this.seen.value = NOTHING_YET;
		this.lines.value = [];
	}

	/** Adds the scores at a tick, and drops lines that are old by then. */
	atTick(tick: number, sides: readonly Side[], hasGoal: boolean): void {
		this.lines.value = feedLines(this.lines.value, [], tick);
		if (hasGoal) this.seen.value = addSample(this.seen.value, tick, sides);
	}

	/** Adds a line. */
	say(tick: number, text: string): void {
		this.#add([{ tick, parts: [{ text }] }], tick);
	}

	/** Adds events of frames; `mine`: the unit that is played here. */
	takeEvents(events: readonly FrameEvent[], units: ReadonlyMap<number, Entity>, mine: number | null): void {
		const added = events.flatMap((event) => {
			const parts = feedParts(event, units, mine);
			return parts === null ? [] : [{ tick: event.tick, parts }];
		});
		if (added.length > 0) this.#add(added, added.at(-1)!.tick);
	}

	#add(added: readonly { readonly tick: number; readonly parts: readonly FeedPart[] }[], tick: number): void {
		this.lines.value = feedLines(this.lines.value, added, tick);
	}
}
