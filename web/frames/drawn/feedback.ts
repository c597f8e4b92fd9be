/** Feedback on play: the moments of the last ticks, and the corpses that are removed soon. */

import { CorpseTimer } from '../../../shared/components/corpse-timer.ts';
import type { FeedbackMoment, FeedbackSettings } from '../../../shared/documents/feedback.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { count, each, read, versionOf, type World } from '../../sim/core/world.ts';
import { Feedback, feedbackOf, ShownMoments, shownMomentsOf } from '../../sim/looks/feedback.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

/** Ticks before its removal from which a corpse is listed as leaving. */
const LEAVING_TICKS = 45;

export interface FrameFeedback {
	readonly tick: number;
	readonly settings: FeedbackSettings;
	readonly moments: readonly FeedbackMoment[];
	/** Corpses, each with the tick of its removal. */
	readonly leaving: readonly { readonly id: number; readonly generation: number; readonly at: number }[];
}

const last = new WeakMap<World, { readonly key: string; readonly value: FrameFeedback }>();
const calm = new WeakMap<FeedbackSettings, FrameFeedback>();

/** Returns the value without moments and corpses. It is the same object for all ticks. */
function calmly(settings: FeedbackSettings): FrameFeedback {
	let value = calm.get(settings);
	if (value === undefined) {
		value = { tick: 0, settings, moments: [], leaving: [] };
		calm.set(settings, value);
	}
	return value;
}

function now(world: World): FrameFeedback {
	const settings = feedbackOf(world);
	const corpses = settings.bursts ? count(world, CorpseTimer) : 0;
	const { moments } = shownMomentsOf(world);
	if (!settings.enabled || moments.length + corpses === 0) return calmly(settings);
	const versions = [Feedback, ShownMoments].map((item) => resourceVersion(world, item as typeof Feedback));
	const key = `${world.tick} ${versions} ${versionOf(world, CorpseTimer, 'at')}`;
	const cached = last.get(world);
	if (cached?.key === key) return cached.value;
	const leaving: FrameFeedback['leaving'][number][] = [];
	if (corpses > 0) {
		const goes = read(world, CorpseTimer, 'at');
		each(world, [CorpseTimer], (id) => {
			const at = goes[id]!;
			if (at - world.tick <= LEAVING_TICKS)
				leaving.push({ id, generation: world.entities.generations.data[id]!, at });
		});
	}
	const value =
		moments.length + leaving.length === 0
			? calmly(settings)
			: { tick: world.tick, settings, moments, leaving };
	last.set(world, { key, value });
	return value;
}

export const feedback: DrawnBlock<FrameFeedback> = {
	version: (world) => identityOf(now(world)),
	read: now,
};
