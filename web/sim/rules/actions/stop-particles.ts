/** The action `stop_particles`. */

import { stopEmitter } from '../../looks/particles.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const stopParticles: ActionBehaviour<'stop_particles'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () => stopEmitter(world, target.id, false)),
};
