/**
 * Post-processing. View scope: saved and forked, never digested.
 * Owns: its settings.
 */

import {
	type PostprocessSettings,
	PRESETS,
	type PresetName,
	postprocessSettings,
	USUAL_POSTPROCESS,
} from '../../../shared/documents/postprocess.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

/** None until something is said of it. */
export const Postprocess: Resource<PostprocessSettings> = {
	name: 'postprocess',
	scope: 'view',
	summary: 'Post-processing: ambient occlusion, bloom, smoothed edges and grading',
	schema: postprocessSettings,
	initial: () => undefined,
};

const NONE: PostprocessSettings = { ...USUAL_POSTPROCESS, enabled: false };

export function postprocess(world: World): PostprocessSettings {
	return resource(world, Postprocess) ?? NONE;
}

/** Changes what is given; where nothing was said before, anything switches it on. */
export function changePostprocess(world: World, change: Partial<PostprocessSettings>): PostprocessSettings {
	const after = { ...(resource(world, Postprocess) ?? USUAL_POSTPROCESS), ...change };
	setResource(world, Postprocess, after);
	return after;
}

/** Replaces all of it. */
export function presetPostprocess(world: World, name: PresetName): PostprocessSettings {
	const after = { ...USUAL_POSTPROCESS, ...PRESETS[name] };
	setResource(world, Postprocess, after);
	return after;
}

/** Takes the settings away, as if none had been sent. */
export function forgetPostprocess(world: World): PostprocessSettings {
	clearResource(world, Postprocess);
	return NONE;
}
