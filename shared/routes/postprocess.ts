/** Routes of the tag Camera and render about post-processing. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { optionalFields, word } from '../contract/values.ts';
import { postprocessFields } from '../documents/postprocess.ts';
import { warnings } from './warnings.ts';

const shared = { tag: 'Camera and render' } as const;

const answer = z.strictObject({ ok: z.literal(true), ...postprocessFields });

export const getPostprocess = route({
	...shared,
	id: 'postprocess.get',
	method: 'GET',
	path: '/postprocess/settings',
	cli: ['postprocess', 'get'],
	summary: 'Settings of post-processing',
	effect: 'read',
	answer,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setPostprocess = route({
	...shared,
	id: 'postprocess.set',
	method: 'POST',
	path: '/postprocess/settings',
	cli: ['postprocess', 'set'],
	summary: 'Changes post-processing; fields left out or null keep their values',
	description:
		'The first call turns it on, with ambient occlusion, bloom and smoothed edges, unless it says otherwise. ' +
		'enabled: false turns it off and keeps the settings; enabled: null deletes them and ignores other fields. ' +
		'GET /engine/gpu shows its quality on the GPU in use.',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject(optionalFields(postprocessFields)),
	answer: answer.extend({ warnings }),
	errors: [],
	examples: [
		{ name: 'Brighter and warmer', body: { exposure: 0.5, temperature: 0.3 } },
		{ name: 'A close-up', body: { depth_of_field_enabled: true, focus_distance: 3, focus_range: 4 } },
		{ name: 'Only a glow', body: { ssao_enabled: false, bloom_threshold: 1.2 } },
		{ name: 'Delete the settings', body: { enabled: null } },
	],
});

export const presetPostprocess = route({
	...shared,
	id: 'postprocess.preset',
	method: 'POST',
	path: '/postprocess/preset',
	cli: ['postprocess', 'preset'],
	summary: 'Replaces all settings of post-processing with a preset',
	effect: 'view',
	owner: ['settings'],
	body: z.strictObject({
		quality: word(['low', 'medium', 'med', 'high', 'ultra'], 'Name of the preset; med is medium'),
	}),
	answer,
	errors: [],
	examples: [{ name: 'All effects', body: { quality: 'high' } }],
});
