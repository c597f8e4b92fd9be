/** Handlers of the tag Camera and render that are about post-processing. */

import * as routes from '../../shared/routes/postprocess.ts';
import {
	changePostprocess,
	forgetPostprocess,
	postprocess,
	presetPostprocess,
} from '../sim/looks/postprocess.ts';
import { handler } from './handler.ts';

const given = <T extends object>(sent: T) =>
	Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};

export const handlers = [
	handler(routes.getPostprocess, ({ world }) => ({ ...postprocess(world) })),
	handler(routes.setPostprocess, ({ world }, { body }) => ({
		...(body.enabled === null ? forgetPostprocess(world) : changePostprocess(world, given(body))),
	})),
	handler(routes.presetPostprocess, ({ world }, { body }) => ({
		...presetPostprocess(world, body.quality === 'med' ? 'medium' : body.quality),
	})),
];
