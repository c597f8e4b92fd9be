/** Handlers of the tag Camera and render that are about what pictures show of play. */

import * as routes from '../../shared/routes/feedback.ts';
import { changeFeedback, feedback, forgetFeedback } from '../sim/looks/feedback.ts';
import { handler } from './handler.ts';

const given = <T extends object>(sent: T) =>
	Object.fromEntries(Object.entries(sent).filter(([, value]) => value != null)) as {
		[K in keyof T]?: NonNullable<T[K]>;
	};

export const handlers = [
	handler(routes.getFeedback, ({ world }) => ({ ...feedback(world) })),
	handler(routes.setFeedback, ({ world }, { body }) => ({
		...(body.enabled === null ? forgetFeedback(world) : changeFeedback(world, given(body))),
	})),
];
