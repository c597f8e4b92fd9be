/**
 * Post-processing. View scope: saved and forked, never digested.
 * Owns: its settings.
 */

import {
	fillPostprocess,
	INITIAL_POSTPROCESS,
	type PostprocessSettings,
	PRESETS,
	type PresetName,
	type StoredPostprocess,
	storedPostprocess,
} from '../../../shared/documents/postprocess.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

/** Settings of post-processing; undefined until one is sent. */
export const Postprocess: Resource<StoredPostprocess> = {
	name: 'postprocess',
	scope: 'view',
	summary:
		'Post-processing: ambient occlusion, bloom, light shafts, depth of field, smoothed edges and grading',
	schema: storedPostprocess,
	initial: () => undefined,
};

const NONE: StoredPostprocess = { ...INITIAL_POSTPROCESS, enabled: false };

/** Filled settings by stored ones, so that equal settings stay the same object. */
const filledByStored = new WeakMap<StoredPostprocess, PostprocessSettings>();

export function postprocessOf(world: World): PostprocessSettings {
	const stored = resource(world, Postprocess) ?? NONE;
	let settings = filledByStored.get(stored);
	if (settings === undefined) {
		settings = fillPostprocess(stored);
		filledByStored.set(stored, settings);
	}
	return settings;
}

/** Changes settings. Until one has been sent, any setting enables post-processing. */
export function changePostprocess(world: World, change: Partial<PostprocessSettings>): PostprocessSettings {
	setResource(world, Postprocess, { ...(resource(world, Postprocess) ?? INITIAL_POSTPROCESS), ...change });
	return postprocessOf(world);
}

/** Replaces all settings by those of a preset. */
export function applyPreset(world: World, name: PresetName): PostprocessSettings {
	setResource(world, Postprocess, { ...INITIAL_POSTPROCESS, ...PRESETS[name] });
	return postprocessOf(world);
}

/** Removes the settings, as if none had been sent. */
export function resetPostprocess(world: World): PostprocessSettings {
	clearResource(world, Postprocess);
	return postprocessOf(world);
}
