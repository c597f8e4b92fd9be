/**
 * Blows as sounds that are played once, where they land.
 * Owns: how loud and how high each is, and that each is heard once. Never: changes a world; what is heard follows from the moments
 * that are seen.
 */

import type { FeedbackMoment } from '../../shared/documents/feedback.ts';
import type { FrameEvent, FrameFeedback } from '../frames/frames.ts';

/** A file of the page's own. */
export const BLOW = 'sounds/hit.wav';
/** Most that are heard of one frame: those that hurt most. */
const MOST = 4;
/** Blows that landed longer ago than this are not heard any more (ticks). */
const OLD = 12;
/** Distance at which they are heard (m), and the other settings. */
const FAR = 45;
const PRIORITY = 150;

export class Blows {
	#tick = 0;
	/** The newest moment that was heard, or was too old to be. */
	#newest = -1;

	/** Returns the blows since the frame before, as sounds that were played. */
	take({ settings, moments }: FrameFeedback, tick: number): readonly FrameEvent[] {
		// Another world, or this one restarted: its moments count from lower numbers.
		if (tick < this.#tick) this.#newest = -1;
		this.#tick = tick;
		const before = this.#newest;
		this.#newest = moments.reduce((most, { number }) => Math.max(most, number), before);
		if (!settings.sounds) return [];
		return moments
			.filter(({ kind, number, tick: at }) => kind === 'hurt' && number > before && at >= tick - OLD)
			.sort((a, b) => b.share - a.share || a.number - b.number)
			.slice(0, MOST)
			.map(blow);
	}
}

function blow({ number, tick, entity, place, share }: FeedbackMoment): FrameEvent {
	return {
		tick,
		kind: 'sound_played',
		data: {
			entity,
			clip: BLOW,
			position: place,
			volume: 0.25 + 0.5 * Math.min(1, 4 * share),
			// No two in a row sound the same.
			pitch: 0.9 + (number % 7) * 0.05,
			max_distance: FAR,
			falloff: 'square',
			bus: 'sfx',
			priority: PRIORITY,
		},
	};
}
