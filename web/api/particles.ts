/** Handlers of the tag Particles. */

import { Particles } from '../../shared/components/particles.ts';
import { type Emitter, emitterOfDocument, isEmitting, particleCount } from '../../shared/media/particles.ts';
import * as routes from '../../shared/routes/particles.ts';
import { handleOf } from '../sim/core/entities.ts';
import { each, get } from '../sim/core/world.ts';
import * as particles from '../sim/looks/particles.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { handler } from './handler.ts';
import { requireNamedEntity } from './named-entity.ts';

/** Returns a copy of an emitter for an answer. */
const emitterView = (emitter: Emitter) =>
	structuredClone(emitter) as { -readonly [K in keyof Emitter]: Emitter[K] };

export const handlers = [
	handler(routes.createParticles, ({ world }, { body }) => {
		const { entity_id, generation, entity_generation, position, ...emitterFields } = body;
		particles.requireEmitterTexture(world, emitterFields);
		const emitter = emitterOfDocument(emitterFields);
		if (entity_id == null) particles.requireEmitterRoom(world);
		const entity =
			entity_id == null
				? spawnEntity(world, { position: position ?? [0, 0, 0] }).handle
				: requireNamedEntity(world, { entity_id, entity_generation, generation });
		particles.giveEmitter(world, entity, emitter, emitterFields.start !== false);
		return { entity_id: entity.id, entity_generation: entity.generation, emitter: emitterView(emitter) };
	}),

	handler(routes.emitParticles, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		if (body.count == null) particles.startEmitter(world, id);
		else particles.emitBurst(world, id, body.count);
		return {
			message: `Entity ${id} emits ${body.count == null ? 'particles until it is stopped' : `${body.count} particles`}.`,
		};
	}),

	handler(routes.stopParticles, ({ world }, { body }) => {
		const { id } = requireNamedEntity(world, body);
		particles.stopEmitter(world, id, body.clear === true);
		return { message: `Entity ${id} no longer emits particles.` };
	}),

	handler(routes.listParticles, ({ world }) => {
		const emitters: {
			entity_id: number;
			entity_generation: number;
			active: boolean;
			particle_count: number;
			rate: number;
			emitter: ReturnType<typeof emitterView>;
		}[] = [];
		each(world, [Particles], (slot) => {
			const { emitter, run } = get(world, slot, Particles)!;
			emitters.push({
				entity_id: slot,
				entity_generation: handleOf(world, slot).generation,
				active: isEmitting(emitter, run, world.tick),
				particle_count: particleCount(emitter, run, world.tick),
				rate: emitter.rate,
				emitter: emitterView(emitter),
			});
		});
		return { emitters, count: emitters.length };
	}),
];
