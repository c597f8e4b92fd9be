/**
 * Aspect: a world has a limited number of emitters, and their textures can be drawn. No tick depends on emitters, so a tick
 * spawns an entity without an emitter that would be refused.
 */

import { Particles } from '../../../shared/components/particles.ts';
import { refusalOf } from '../core/refusal-of.ts';
import { get, has, remove } from '../core/world.ts';
import {
	beginEmitter,
	requireEmitterRoom,
	requireEmitterTexture,
	requireFewEmitters,
} from '../looks/particles.ts';
import type { Aspect } from './aspect.ts';

export const emitter: Aspect = {
	components: [Particles],
	isOptionalDuringTick: true,
	require(world, { document: { particles }, id }) {
		if (particles == null) return;
		requireEmitterTexture(world, particles);
		if (id === null || !has(world, id, Particles)) requireEmitterRoom(world);
	},
	begin(world, entity, { document: { particles } }) {
		if (particles == null) return;
		const refusal = refusalOf(() => {
			requireEmitterTexture(world, particles);
			requireFewEmitters(world);
		});
		if (refusal === null) beginEmitter(world, entity, particles.start !== false);
		else remove(world, entity.id, Particles);
	},
	requireExisting(world, ids) {
		requireFewEmitters(world);
		for (const id of ids) requireEmitterTexture(world, get(world, id, Particles)!.emitter);
	},
};
