/** The action `stop_particles`. */

import { stop } from '../../looks/particles.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const stopParticles: ActionBehaviour<'stop_particles'> = {
	act: (world, action, target) => performOrReport(world, action, target, () => stop(world, target.id, false)),
};
