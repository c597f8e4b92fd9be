/** Effects on the picture after its surfaces. */

import type { PostprocessSettings } from '../../../shared/documents/postprocess.ts';
import { postprocessOf } from '../../sim/looks/postprocess.ts';
import type { DrawnBlock } from './drawn.ts';
import { identityOf } from './identity.ts';

export const post: DrawnBlock<PostprocessSettings> = {
	version: (world) => identityOf(postprocessOf(world)),
	read: postprocessOf,
};
