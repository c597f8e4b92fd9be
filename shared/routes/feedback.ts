/** Routes of the tag Camera and render that are about what pictures show of play. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { optional } from '../contract/values.ts';
import { feedbackFields } from '../documents/feedback.ts';

const shared = { tag: 'Camera and render' } as const;
const answer = z.strictObject({ ok: z.literal(true), ...feedbackFields });

export const getFeedback = route({
	...shared,
	id: 'feedback.get',
	method: 'GET',
	path: '/feedback/settings',
	cli: ['feedback', 'get'],
	summary: 'Which of flashes, damage numbers, bursts and trails pictures show, and whether blows are heard',
	effect: 'read',
	answer,
	errors: [],
	examples: [{ name: 'Read them' }],
});

export const setFeedback = route({
	...shared,
	id: 'feedback.set',
	method: 'POST',
	path: '/feedback/settings',
	cli: ['feedback', 'set'],
	summary:
		'Has pictures show what happens: flashes, damage numbers, bursts and trails; fields left out or null keep their values',
	description:
		'The first call switches on all that is seen, unless it says otherwise; blows are heard once sounds is true. enabled: false shows none and keeps the settings; enabled: null forgets ' +
		'them, whatever else is sent. What is shown follows from what happened and the tick: a picture of a tick is the same again, also on a fork.',
	effect: 'view',
	body: z.strictObject({
		enabled: optional(feedbackFields.enabled),
		flashes: optional(feedbackFields.flashes),
		numbers: optional(feedbackFields.numbers),
		bursts: optional(feedbackFields.bursts),
		trails: optional(feedbackFields.trails),
		sounds: optional(feedbackFields.sounds),
	}),
	answer,
	errors: [],
	examples: [
		{ name: 'All of it', body: { enabled: true } },
		{ name: 'Without numbers', body: { numbers: false } },
		{ name: 'Blows heard as well', body: { sounds: true } },
		{ name: 'As if it had never been set', body: { enabled: null } },
	],
});
