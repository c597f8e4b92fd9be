/** Handlers of the tag Camera and render that are about post-processing. */

import { DEPENDENT_FIELDS, type PostprocessSettings } from '../../shared/documents/postprocess.ts';
import * as routes from '../../shared/routes/postprocess.ts';
import type { World } from '../sim/core/world.ts';
import { applyPreset, changePostprocess, postprocessOf, resetPostprocess } from '../sim/looks/postprocess.ts';
import { skyOf } from '../sim/looks/sky.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';
import { idleWarnings, warningsField } from './warnings-field.ts';

/** Returns warnings about sent fields that change nothing in the picture with the other settings. */
function postprocessWarnings(world: World, body: object, settings: PostprocessSettings): string[] {
	const sentNames = Object.keys(givenFields(body)).filter((name) => name !== 'enabled');
	if (!settings.enabled) return idleWarnings(sentNames, sentNames, 'enabled is false');
	const { light_shafts_enabled } = body as Partial<PostprocessSettings>;
	const isDark = light_shafts_enabled === true && skyOf(world).time_of_day === null;
	return [
		...(isDark ? ['light_shafts_enabled has no effect while time_of_day of the sky is null'] : []),
		...Object.entries(DEPENDENT_FIELDS).flatMap(([flag, fields]) =>
			settings[flag as keyof typeof DEPENDENT_FIELDS]
				? []
				: idleWarnings(sentNames, fields, `${flag} is false`),
		),
	];
}

export const handlers = [
	handler(routes.getPostprocess, ({ world }) => ({ ...postprocessOf(world) })),
	handler(routes.setPostprocess, ({ world }, { body }) => {
		if (body.enabled === null) return { ...resetPostprocess(world) };
		const settings = changePostprocess(world, givenFields(body));
		return { ...settings, ...warningsField(postprocessWarnings(world, body, settings)) };
	}),
	handler(routes.presetPostprocess, ({ world }, { body }) => ({
		...applyPreset(world, body.quality === 'med' ? 'medium' : body.quality),
	})),
];
