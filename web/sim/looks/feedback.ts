/**
 * Combat effects in the picture. View scope: forked and never digested.
 * Owns: the settings, and the moments that the picture currently shows.
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

/** Settings of the combat effects; undefined until one is sent. */
export const Feedback: Resource<FeedbackSettings> = {
	name: 'feedback',
	scope: 'view',
	summary: 'Combat effects that the picture shows: flashes, damage numbers, bursts, trails',
	schema: feedbackSettings,
	initial: () => undefined,
};

/** Moments of the last ticks; undefined if there are none. */
export const ShownMoments: Resource<Moments> = {
	name: 'moments',
	scope: 'view',
	transient: true,
	summary: 'Recent damage, deaths, spawns and projectiles that the picture shows',
	schema: momentsValue,
	initial: () => undefined,
};

const NO_FEEDBACK: FeedbackSettings = { ...DEFAULT_FEEDBACK, enabled: false };
const NO_MOMENTS: Moments = { moments: [], flights: [], waiting: [] };

export function feedbackOf(world: World): FeedbackSettings {
	return resource(world, Feedback) ?? NO_FEEDBACK;
}

export function shownMomentsOf(world: World): Moments {
	return resource(world, ShownMoments) ?? NO_MOMENTS;
}

/** Changes settings. Until one has been sent, any setting enables the effects. */
export function changeFeedback(world: World, change: Partial<FeedbackSettings>): FeedbackSettings {
	const settings = { ...(resource(world, Feedback) ?? DEFAULT_FEEDBACK), ...change };
	setResource(world, Feedback, settings);
	if (!settings.enabled) clearResource(world, ShownMoments);
	return settings;
}

/** Removes the settings, as if none had been sent. */
export function resetFeedback(world: World): FeedbackSettings {
	clearResource(world, Feedback);
	clearResource(world, ShownMoments);
	return NO_FEEDBACK;
}
