/**
 * Sounds of hits, played once at the position of each hit.
 * Owns: their volume and pitch, and the rule that each is played once. Never: changes a world; the sounds
 * follow from feedback moments.
 */

import type { FeedbackMoment } from '../../shared/documents/feedback.ts';
import type { FrameEvent, FrameFeedback } from '../frames/frames.ts';

/** Shipped sound of a hit. */
export const HIT_SOUND = 'sounds/hit.wav';
/** Maximum number of sounds per frame. The hits with the most damage are played. */
const MAX_SOUNDS = 4;
/** Maximum age of a hit that is still played (ticks). */
const MAX_AGE = 12;
/** Maximum distance at which a hit is heard (m). */
const MAX_DISTANCE = 45;
/** Priority of the sound of a hit. */
const PRIORITY = 150;

export class HitSounds {
	#tick = 0;
	/** Number of the newest moment that was played or skipped. */
	#newest = -1;

	/** Returns the hits since the previous frame, as events of played sounds. */
	takeEvents({ settings, moments }: FrameFeedback, tick: number): readonly FrameEvent[] {
		// In another or a restarted world, the numbers of moments start at 0 again.
		if (tick < this.#tick) this.#newest = -1;
		this.#tick = tick;
		const previousNewest = this.#newest;
		this.#newest = moments.reduce((max, { number }) => Math.max(max, number), previousNewest);
		if (!settings.sounds) return [];
		return moments
			.filter(
				({ kind, number, tick: momentTick }) =>
					kind === 'hurt' && number > previousNewest && momentTick >= tick - MAX_AGE,
			)
			.sort((a, b) => b.share - a.share || a.number - b.number)
			.slice(0, MAX_SOUNDS)
			.map(hitSound);
	}
}

function hitSound({ number, tick, entity, place, share }: FeedbackMoment): FrameEvent {
	return {
		tick,
		kind: 'sound_played',
		data: {
			entity,
			clip: HIT_SOUND,
			position: place,
			volume: 0.25 + 0.5 * Math.min(1, 4 * share),
			// Consecutive hits have different pitches.
			pitch: 0.9 + (number % 7) * 0.05,
			max_distance: MAX_DISTANCE,
			falloff: 'square',
			bus: 'sfx',
			priority: PRIORITY,
		},
	};
}
