/** The action `emit_particles`. */

import { Particles } from '../../../../shared/components/particles.ts';
import { emitterOf } from '../../../../shared/media/particles.ts';
import { has } from '../../core/world.ts';
import { emitBurst, giveEmitter, startEmitter } from '../../looks/particles.ts';
import { type ActionBehaviour, performOrReport } from './action.ts';

export const emitParticles: ActionBehaviour<'emit_particles'> = {
	act: (world, action, target) =>
		performOrReport(world, action, target, () => {
			const { id } = target;
			if (!has(world, id, Particles))
				giveEmitter(world, target, emitterOf(action.preset ?? 'sparks'), action.count == null);
			else if (action.count == null) startEmitter(world, id);
			if (action.count != null) emitBurst(world, id, action.count);
		}),
};
