/** Routes of the tag Camera and render about the sky and the fog. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { optionalFields } from '../contract/values.ts';
import { fogFields, skyFields } from '../documents/sky.ts';
import { warnings } from './warnings.ts';

const shared = { tag: 'Camera and render' } as const;

const skyAnswer = z.strictObject({
	ok: z.literal(true),
	...skyFields,
	sun_direction: z
		.tuple([z.number(), z.number(), z.number()])
		.nullable()
		.describe('Direction to the sun of the hour [x, y, z]; null without an hour'),
});

export const getSky = route({
	...shared,
	id: 'sky.get',
	method: 'GET',
	path: '/sky/settings',
	cli: ['sky', 'get'],
	summary: 'Time of day, colours, clouds and stars of the sky',
	effect: 'read',
	answer: skyAnswer,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setSky = route({
	...shared,
	id: 'sky.set',
	method: 'POST',
	path: '/sky/settings',
	cli: ['sky', 'set'],
	summary: 'Changes the time of day, colours, clouds and stars of the sky; fields left out keep their values',
	description:
		'With a time of day, the sun (at night the moon) lights the world from its position at that time, unless an entity has a light of kind sun. null resets the hour or a colour. ' +
		'The clouds depend on cloud_seed and the tick alone; with a time of day and wind, every tick has another picture.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject(optionalFields(skyFields)),
	answer: skyAnswer.extend({ warnings }),
	errors: [],
	examples: [
		{ name: 'Dusk', body: { time_of_day: 18.2, turbidity: 4 } },
		{ name: 'A windy noon', body: { time_of_day: 12, clouds: 0.6, wind_speed: 25, cloud_seed: 7 } },
		{ name: 'Studio light again', body: { time_of_day: null } },
	],
});

const fogAnswer = z.strictObject({ ok: z.literal(true), ...fogFields });

export const getFog = route({
	...shared,
	id: 'fog.get',
	method: 'GET',
	path: '/fog/settings',
	cli: ['fog', 'get'],
	summary: 'Settings of the fog',
	effect: 'read',
	answer: fogAnswer,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setFog = route({
	...shared,
	id: 'fog.set',
	method: 'POST',
	path: '/fog/settings',
	cli: ['fog', 'set'],
	summary: 'Changes the fog; fields left out keep their values',
	description:
		'Height fog dims light on its way to the camera by exp(-(scattering + absorption) x fog on the way) and adds scattered light, brighter towards the sun. The first call turns it on unless it sends enabled: false.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject(optionalFields(fogFields)),
	answer: fogAnswer.extend({ warnings }),
	errors: [],
	examples: [{ name: 'Mist in a valley', body: { enabled: true, density: 0.08, height_falloff: 0.4 } }],
});
