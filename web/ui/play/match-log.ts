/**
 * Lines of the feed from the events of a match.
 * Owns: converting events of frames to lines, and dropping old lines.
 */

import { signal } from '@preact/signals';
import type { FrameEvent } from '../../frames/frames.ts';
import type { Entity } from '../entities/entity.ts';
import { type FeedLine, type FeedPart, feedLines, feedParts, idOf, killerName } from './feed.ts';

export class MatchLog {
	/** Name of the unit that killed the played one last; null: none did, or it is unknown. */
	readonly killer = signal<string | null>(null);
	/** Lines that the feed shows. */
	readonly lines = signal<readonly FeedLine[]>([]);

	forget(): void {
		this.lines.value = [];
		this.killer.value = null;
	}

	/** Drops lines that are old at a tick. */
	atTick(tick: number): void {
		this.lines.value = feedLines(this.lines.value, [], tick);
	}

	/** Adds a line. */
	say(tick: number, text: string): void {
		this.#add([{ tick, parts: [{ text }] }], tick);
	}

	/** Adds events of frames. `mine` is the unit that this person plays. */
	takeEvents(events: readonly FrameEvent[], units: ReadonlyMap<number, Entity>, mine: number | null): void {
		const death = events.findLast(({ kind, data }) => kind === 'death' && idOf(data.entity) === mine);
		if (mine !== null && death !== undefined) this.killer.value = killerName(death, units);
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
