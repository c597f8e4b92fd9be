/** Routes of the tag Particles. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	flag,
	generation,
	integer,
	listLength,
	message,
	optional,
	position,
} from '../contract/values.ts';
import {
	emitterDocument,
	emitterFields,
	emitterSchema,
	MAX_EMITTERS,
	MAX_PARTICLES,
} from '../media/particles.ts';
import { assetErrors } from './world.ts';

const shared = { tag: 'Particles' } as const;
export const createParticles = route({
	...shared,
	id: 'particle.create',
	method: 'POST',
	path: '/particle/create',
	cli: ['vfx', 'spawn'],
	summary: 'Creates an emitter of particles: on an entity, or on a new one',
	description: `Fields left out are those of the preset, or the defaults. The particles depend only on the emitter, its seed and the tick, so pictures of a tick are equal. A world has at most ${MAX_EMITTERS} emitters of ${MAX_PARTICLES} particles each; GET /engine/gpu shows the number of drawn particles.`,
	effect: 'write',
	owner: ['entity', 'made'],
	body: z.strictObject({
		...entityReference,
		entity_id: optional(entityReference.entity_id).describe(
			'Entity that gets the emitter, and loses its previous one; left out: a new one at `position`',
		),
		position: optional(position.describe('Position of a new entity [x, y, z] (m); left out: the origin')),
		...emitterDocument,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		entity_generation: generation,
		emitter: emitterSchema,
	}),
	makes: { thing: 'entity', named: { entity: '$response.body#/entity_id' } },
	errors: ['entity_not_found', 'stale_handle', 'too_many_emitters', ...assetErrors],
	examples: [
		{ name: 'A fire', body: { preset: 'fire', position: [0, 0.2, 0] } },
		{
			name: 'A fountain',
			body: {
				rate: 300,
				lifetime: 1.6,
				spread: 8,
				speed: [7, 8],
				colors: [
					[0.6, 0.8, 1, 0.9],
					[0.4, 0.6, 1, 0],
				],
				sizes: [0.08],
			},
		},
	],
});

export const emitParticles = route({
	...shared,
	id: 'particle.emit',
	method: 'POST',
	path: '/particle/emit',
	cli: ['vfx', 'emit'],
	summary: 'Starts an emitter, or emits a burst',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		count: optional(
			integer('Particles of one burst; left out: it starts and runs until it is stopped', {
				min: 1,
				max: MAX_PARTICLES,
			}),
		),
	}),
	answer: message,
	errors: ['entity_not_found', 'stale_handle', 'no_emitter'],
	examples: [
		{
			name: 'A burst of sparks',
			given: [{ path: '/particle/create', body: { preset: 'sparks', start: false } }],
			body: { entity_id: 0, count: 40 },
		},
	],
});

export const stopParticles = route({
	...shared,
	id: 'particle.stop',
	method: 'POST',
	path: '/particle/stop',
	cli: ['vfx', 'stop'],
	summary: 'Stops an emitter; existing particles live to their end',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		clear: optional(flag('Removes existing particles immediately')),
	}),
	answer: message,
	errors: [],
	inside: ['entity_not_found', 'stale_handle', 'no_emitter'],
	examples: [
		{
			name: 'Stop a fire',
			given: [{ path: '/particle/create', body: { preset: 'fire' } }],
			body: { entity_id: 0 },
		},
	],
});

export const listParticles = route({
	...shared,
	id: 'particle.list',
	method: 'GET',
	path: '/particle/list',
	cli: ['vfx', 'list'],
	summary: 'All emitters of particles, in id order',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		emitters: z.array(
			z.strictObject({
				entity_id: entityId,
				entity_generation: generation,
				active: z.boolean().describe('true: it emits particles'),
				particle_count: z.int().describe('Current number of particles'),
				rate: emitterFields.rate,
				emitter: emitterSchema,
			}),
		),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'List them', given: [{ path: '/particle/create', body: { preset: 'snow' } }] }],
});
