/** Handlers of the tag Simulation. */

import * as routes from '../../shared/routes/simulation.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';

export const handlers = [
	handler(routes.step, async ({ host, held }, { body }) => {
		await host.advance(held, body.ticks);
		return {
			ticks_advanced: body.ticks,
			new_tick: held.world.tick,
			entity_count: held.world.entities.count,
			...momentOf(held.world),
		};
	}),

	handler(routes.play, ({ host, held }) => {
		host.setPlaying(held, true);
		return { message: 'playing', playing: true };
	}),

	handler(routes.pause, ({ host, held }) => {
		host.setPlaying(held, false);
		return { message: 'paused', playing: false };
	}),
];
