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

/** None until a setting is given. */
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
const filled = new WeakMap<StoredPostprocess, PostprocessSettings>();

export function postprocess(world: World): PostprocessSettings {
	const stored = resource(world, Postprocess) ?? NONE;
	let settings = filled.get(stored);
	if (settings === undefined) {
		settings = fillPostprocess(stored);
		filled.set(stored, settings);
	}
	return settings;
}

/** Changes the given settings. If it was unset, any setting enables it. */
export function changePostprocess(world: World, change: Partial<PostprocessSettings>): PostprocessSettings {
	setResource(world, Postprocess, { ...(resource(world, Postprocess) ?? INITIAL_POSTPROCESS), ...change });
	return postprocess(world);
}

/** Replaces all of it. */
export function presetPostprocess(world: World, name: PresetName): PostprocessSettings {
	setResource(world, Postprocess, { ...INITIAL_POSTPROCESS, ...PRESETS[name] });
	return postprocess(world);
}

/** Takes the settings away, as if none had been sent. */
export function forgetPostprocess(world: World): PostprocessSettings {
	clearResource(world, Postprocess);
	return postprocess(world);
}
