/** Handlers of the tag Camera and render that are about feedback in pictures, such as damage numbers. */

import * as routes from '../../shared/routes/feedback.ts';
import { changeFeedback, feedbackOf, resetFeedback } from '../sim/looks/feedback.ts';
import { givenFields } from './given-fields.ts';
import { handler } from './handler.ts';

export const handlers = [
	handler(routes.getFeedback, ({ world }) => ({ ...feedbackOf(world) })),
	handler(routes.setFeedback, ({ world }, { body }) => ({
		...(body.enabled === null ? resetFeedback(world) : changeFeedback(world, givenFields(body))),
	})),
];
