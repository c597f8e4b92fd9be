/** Handlers of the tag Camera and render that are about feedback in pictures, such as damage numbers. */

import * as routes from '../../shared/routes/feedback.ts';
import { changeFeedback, feedback, forgetFeedback } from '../sim/looks/feedback.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.getFeedback, ({ world }) => ({ ...feedback(world) })),
	handler(routes.setFeedback, ({ world }, { body }) => ({
		...(body.enabled === null ? forgetFeedback(world) : changeFeedback(world, givenFields(body))),
	})),
];
