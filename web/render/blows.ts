/**
 * Sounds of hits, played once at the place of each hit.
 * Owns: their volume and pitch, and the rule that each is played once. Never: changes a world; the sounds follow from feedback moments.
 */

import type { FeedbackMoment } from '../../shared/documents/feedback.ts';
import type { FrameEvent, FrameFeedback } from '../frames/frames.ts';

/** Shipped sound of a hit. */
export const BLOW = 'sounds/hit.wav';
/** Maximum number of sounds per frame. The hits with the most damage are played. */
const MOST = 4;
/** Maximum age of a hit that is still played (ticks). */
const OLD = 12;
/** Maximum distance at which a hit is heard (m), and the priority of its sound. */
const FAR = 45;
const PRIORITY = 150;

export class Blows {
	#tick = 0;
	/** Number of the newest moment that was played or skipped. */
	#newest = -1;

	/** Returns the hits since the previous frame, as events of played sounds. */
	take({ settings, moments }: FrameFeedback, tick: number): readonly FrameEvent[] {
		// In another or a restarted world, moments are numbered anew.
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
			// Consecutive hits have different pitches.
			pitch: 0.9 + (number % 7) * 0.05,
			max_distance: FAR,
			falloff: 'square',
			bus: 'sfx',
			priority: PRIORITY,
		},
	};
}
