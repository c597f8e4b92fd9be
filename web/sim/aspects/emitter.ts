/**
 * Aspect: a world has a limited number of emitters, and their textures can be drawn. No tick depends on emitters, so a tick
 * spawns an entity without an emitter that would be refused.
 */

import { Particles } from '../../../shared/components/particles.ts';
import { refusalOf } from '../core/refusal-of.ts';
import { get, has, remove } from '../core/world.ts';
import { beginEmitter, requireFewEmitters, requireRoom, requireTexture } from '../looks/particles.ts';
import type { Aspect } from './aspect.ts';

export const emitter: Aspect = {
	components: [Particles],
	optionalDuringTick: true,
	require(world, { document: { particles }, id }) {
		if (particles == null) return;
		requireTexture(world, particles);
		if (id === null || !has(world, id, Particles)) requireRoom(world);
	},
	begin(world, entity, { document: { particles } }) {
		if (particles == null) return;
		const refused = refusalOf(() => {
			requireTexture(world, particles);
			requireFewEmitters(world);
		});
		if (refused === null) beginEmitter(world, entity, particles.start !== false);
		else remove(world, entity.id, Particles);
	},
	holds(world, ids) {
		requireFewEmitters(world);
		for (const id of ids) requireTexture(world, get(world, id, Particles)!.emitter);
	},
};
