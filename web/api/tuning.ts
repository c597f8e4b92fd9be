/** Handlers of the tag Gameplay: the numbers that a designer tunes. */

import * as routes from '../../shared/routes/tuning.ts';
import type { World } from '../sim/core/world.ts';
import { resetTuning, tune, tuning } from '../sim/tuning/tuning.ts';
import { handler } from './handler.ts';

const show = (world: World) => ({ tuning: tuning(world) });

export const handlers = [
	handler(routes.getTuning, ({ world }) => show(world)),

	handler(routes.setTuning, ({ world }, { body }) => {
		tune(world, body);
		return show(world);
	}),

	handler(routes.resetTuning, ({ world }) => {
		resetTuning(world);
		return show(world);
	}),
];
