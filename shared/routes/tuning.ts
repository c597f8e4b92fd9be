/** Routes of the tag Gameplay about the numbers that a designer tunes. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { tuningChange, tuningDocument } from '../documents/tuning.ts';

const tag = 'Gameplay' as const;
const answer = z.strictObject({ ok: z.literal(true), tuning: tuningDocument });

export const getTuning = route({
	id: 'tuning.get',
	tag,
	method: 'GET',
	path: '/tuning',
	cli: ['tuning', 'get'],
	summary: 'The numbers that a designer tunes and that no entity carries, as they are in force',
	effect: 'read',
	answer,
	errors: {},
	examples: [{ name: 'Read them' }],
});

export const setTuning = route({
	id: 'tuning.set',
	tag,
	method: 'POST',
	path: '/tuning',
	cli: ['tuning', 'set'],
	summary: 'Changes some of these numbers; what is left out stays',
	description:
		'They are in force from the next tick on. Buildings that stand keep the health and the weapon they were given; their armour and the numbers of their protection follow at once. Scenarios carry them.',
	effect: 'write',
	body: tuningChange,
	answer,
	errors: {},
	examples: [
		{ name: 'Gravity of the moon', body: { physics: { gravity: [0, -1.62, 0] } } },
		{
			name: 'Quick returns, tougher towers',
			body: { respawn: { delay: 1 }, buildings: { tier1_tower: { armor: 20 } } },
		},
	],
});

export const resetTuning = route({
	id: 'tuning.reset',
	tag,
	method: 'DELETE',
	path: '/tuning',
	cli: ['tuning', 'reset'],
	summary: 'Gives all these numbers their defaults again',
	effect: 'write',
	answer,
	errors: {},
	examples: [
		{ name: 'As it was', given: [{ path: '/tuning', body: { shop: { resale: 1 } } }], path: '/tuning' },
	],
});
