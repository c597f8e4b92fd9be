/** Routes of the tag Simulation: step, play, pause. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { integer, message } from '../contract/values.ts';
import { entityCount, moment } from './entity-view.ts';

/** Most ticks of one call. */
export const MAX_TICKS = 10_000;

export const tickCount = integer('How many ticks of 1/60 s', { unit: 'ticks', max: MAX_TICKS });

export const step = route({
	id: 'simulation.step',
	tag: 'Simulation',
	method: 'POST',
	path: '/step',
	cli: ['sim', 'step'],
	summary: 'Advances the world by whole ticks, deterministically',
	description:
		'Works whether or not the world plays. While a long step runs, reads are answered from the last whole tick and writes wait.',
	effect: 'step',
	body: z.strictObject({ ticks: tickCount.default(1) }),
	answer: z.strictObject({
		ok: z.literal(true),
		ticks_advanced: z.int().describe('Ticks done by this call'),
		new_tick: z.int().describe('Ticks completed now'),
		entity_count: entityCount,
		...moment,
	}),
	errors: {},
	examples: [
		{ name: 'One second', body: { ticks: 60 } },
		{ name: 'One tick', body: {} },
	],
});

const playing = message.extend({ playing: z.boolean().describe('Whether time passes by itself') });

export const play = route({
	id: 'simulation.play',
	tag: 'Simulation',
	method: 'POST',
	path: '/play',
	cli: ['sim', 'play'],
	summary: 'Lets time pass by itself, 60 ticks a second',
	effect: 'write',
	answer: playing,
	errors: {},
	examples: [{ name: 'Let it run', body: {} }],
});

export const pause = route({
	id: 'simulation.pause',
	tag: 'Simulation',
	method: 'POST',
	path: '/pause',
	cli: ['sim', 'pause'],
	summary: 'Holds time; /step still works',
	effect: 'write',
	answer: playing,
	errors: {},
	examples: [{ name: 'Hold it', body: {} }],
});
