/**
 * Signs of play in the picture. View scope: forked and never digested.
 * Owns: the settings, and the moments that are being shown.
 */

import {
	DEFAULT_FEEDBACK,
	type FeedbackSettings,
	feedbackSettings,
	type Moments,
	momentsValue,
} from '../../../shared/documents/feedback.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

/** None until a setting is given. */
export const Feedback: Resource<FeedbackSettings> = {
	name: 'feedback',
	scope: 'view',
	summary: 'Combat effects that the picture shows: flashes, damage numbers, bursts, trails',
	schema: feedbackSettings,
	initial: () => undefined,
};

/** Events of the last ticks, while any feedback is shown. */
export const MomentsShown: Resource<Moments> = {
	name: 'moments',
	scope: 'view',
	transient: true,
	summary: 'Recent damage, deaths, spawns and projectiles that the picture shows',
	schema: momentsValue,
	initial: () => undefined,
};

const NOTHING: FeedbackSettings = { ...DEFAULT_FEEDBACK, enabled: false };
const NO_MOMENTS: Moments = { moments: [], flights: [], waiting: [] };

export function feedback(world: World): FeedbackSettings {
	return resource(world, Feedback) ?? NOTHING;
}

export function momentsShown(world: World): Moments {
	return resource(world, MomentsShown) ?? NO_MOMENTS;
}

/** Changes the given settings. If it was unset, any setting enables it. */
export function changeFeedback(world: World, change: Partial<FeedbackSettings>): FeedbackSettings {
	const after = { ...(resource(world, Feedback) ?? DEFAULT_FEEDBACK), ...change };
	setResource(world, Feedback, after);
	if (!after.enabled) clearResource(world, MomentsShown);
	return after;
}

/** Takes the settings away, as if none had been sent. */
export function forgetFeedback(world: World): FeedbackSettings {
	clearResource(world, Feedback);
	clearResource(world, MomentsShown);
	return NOTHING;
}
