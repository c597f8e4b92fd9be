/**
 * The events that the engine keeps of a match that is over, so that a page that is loaded after it tells its story, too.
 * Owns: reading them, piece by piece.
 */

import { signal } from '@preact/signals';
import { readCursor } from '../../../shared/contract/event-cursor.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { type KeptEvent, STORY_KINDS } from './story.ts';

export interface KeptMatch {
	/** First tick of play. */
	readonly started: number;
	/** First tick whose events are kept. */
	readonly since: number;
	readonly events: readonly KeptEvent[];
}

/** Most pieces of events that are read: more than the engine keeps. */
const MAX_PIECES = 1000;

export class MatchRecord {
	/** Null before it is read. */
	readonly kept = signal<KeptMatch | null>(null);
	readonly #services: PanelServices;
	/** First tick of the match that is read or known; null without one. */
	#started: number | null = null;

	constructor(services: PanelServices) {
		this.#services = services;
	}

	forget(): void {
		this.#started = null;
		this.kept.value = null;
	}

	/** Reads the match of a world that began at a tick, unless it is read or known. */
	async read(world: string, started: number): Promise<void> {
		if (this.#started === started) return;
		this.#started = started;
		const events: KeptEvent[] = [];
		let [since, next] = [started, String(started)];
		for (let piece = 0; piece < MAX_PIECES; piece++) {
			const query = { since: next, events: STORY_KINDS.join(), limit: 10_000 };
			const read = await ask(this.#services, 'GET', '/events/stream', { query, world, on: 'panels' });
			if (this.#started !== started) return;
			if (!read.ok) return this.forget();
			const { gap, more, events: sent } = read.body;
			// What another world had in this one's place is another match.
			const replaced = sent.findLastIndex(({ type }) => type === 'WorldReplaced');
			if (replaced >= 0) events.length = 0;
			events.push(...sent.slice(replaced + 1));
			if (gap !== null) since = readCursor(gap.to)!.tick;
			next = read.body.next;
			if (!more) break;
		}
		this.kept.value = { started, since, events };
	}
}
