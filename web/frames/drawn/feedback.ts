/** Feedback on play: the moments of the last ticks, and the corpses that are removed soon. */

import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import type { FeedbackMoment, FeedbackSettings } from '../../../shared/documents/feedback.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { count, each, read, versionOf, type World } from '../../sim/core/world.ts';
import { Feedback, feedbackOf, ShownMoments, shownMomentsOf } from '../../sim/looks/feedback.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

/** Number of ticks before its removal during which a corpse is listed in `leaving`. */
const MAX_LEAVING_TICKS = 45;

export interface FrameFeedback {
	readonly tick: number;
	readonly settings: FeedbackSettings;
	readonly moments: readonly FeedbackMoment[];
	/** Corpses, each with the tick of its removal. */
	readonly leaving: readonly { readonly id: number; readonly generation: number; readonly at: number }[];
}

const memos = new WeakMap<World, { readonly key: string; readonly value: FrameFeedback }>();
const emptyFeedbacks = new WeakMap<FeedbackSettings, FrameFeedback>();

/** Returns the value without moments and corpses. It is the same object for all ticks. */
function emptyFeedback(settings: FeedbackSettings): FrameFeedback {
	let value = emptyFeedbacks.get(settings);
	if (value === undefined) {
		value = { tick: 0, settings, moments: [], leaving: [] };
		emptyFeedbacks.set(settings, value);
	}
	return value;
}

function currentFeedback(world: World): FrameFeedback {
	const settings = feedbackOf(world);
	const corpses = settings.bursts ? count(world, CorpseTimer) : 0;
	const { moments } = shownMomentsOf(world);
	if (!settings.enabled || moments.length + corpses === 0) return emptyFeedback(settings);
	const versions = [Feedback, ShownMoments].map((item) => resourceVersion(world, item as typeof Feedback));
	const key = `${world.tick} ${versions} ${versionOf(world, CorpseTimer, 'at')}`;
	const cached = memos.get(world);
	if (cached?.key === key) return cached.value;
	const leaving: FrameFeedback['leaving'][number][] = [];
	if (corpses > 0) {
		const removalTicks = read(world, CorpseTimer, 'at');
		each(world, [CorpseTimer], (id) => {
			const at = removalTicks[id]!;
			if (at - world.tick <= MAX_LEAVING_TICKS)
				leaving.push({ id, generation: world.entities.generations.data[id]!, at });
		});
	}
	const value =
		moments.length + leaving.length === 0
			? emptyFeedback(settings)
			: { tick: world.tick, settings, moments, leaving };
	memos.set(world, { key, value });
	return value;
}

export const feedback: DrawnBlock<FrameFeedback> = {
	version: (world) => identityOf(currentFeedback(world)),
	read: currentFeedback,
};
