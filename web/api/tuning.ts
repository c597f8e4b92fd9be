/** Handlers of the tag Gameplay that are about the numbers that a designer tunes. */

import * as routes from '../../shared/routes/tuning.ts';
import type { World } from '../sim/core/world.ts';
import { resetTuning, tune, tuning } from '../sim/tuning/tuning.ts';
import { handler } from './handler.ts';

const tuningView = (world: World) => ({ tuning: tuning(world) });

export const handlers = [
	handler(routes.getTuning, ({ world }) => tuningView(world)),

	handler(routes.setTuning, ({ world }, { body }) => {
		tune(world, body);
		return tuningView(world);
	}),

	handler(routes.resetTuning, ({ world }) => {
		resetTuning(world);
		return tuningView(world);
	}),
];
