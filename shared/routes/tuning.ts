/** Routes of the tag Gameplay about settings for designers. */

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
	summary: 'Settings of the game that belong to no entity',
	effect: 'read',
	answer,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setTuning = route({
	id: 'tuning.set',
	tag,
	method: 'POST',
	path: '/tuning',
	cli: ['tuning', 'set'],
	summary: 'Changes some settings of the game; those left out are kept',
	description:
		'They apply from the next tick on. Existing buildings keep their health and weapon; their armour and their protection change immediately. Scenarios contain these settings.',
	effect: 'write',
	owner: ['settings'],
	body: tuningChange,
	answer,
	errors: [],
	examples: [
		{ name: 'Gravity of the moon', body: { physics: { gravity: [0, -1.62, 0] } } },
		{
			name: 'Quick respawns, stronger towers',
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
	summary: 'Resets all settings of the game to their defaults',
	effect: 'write',
	owner: ['settings'],
	answer,
	errors: [],
	examples: [
		{
			name: 'Back to the defaults',
			given: [{ path: '/tuning', body: { shop: { resale: 1 } } }],
			path: '/tuning',
		},
	],
});
