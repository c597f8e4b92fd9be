/** Routes of the tag Camera and render about feedback in the picture. */

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
	summary: 'Settings of feedback: flashes, damage numbers, bursts and trails in pictures, and sounds of hits',
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
		'Sets the feedback that pictures show: flashes, damage numbers, bursts and trails; fields left out or null keep their values',
	description:
		'The first call turns on all visible feedback unless it says otherwise; hits are heard if sounds is true. enabled: false hides it and keeps the settings; enabled: null ' +
		'deletes the settings and ignores other fields. Feedback depends only on the events and the tick, so pictures of a tick are equal, also on a fork.',
	effect: 'view',
	owner: ['settings'],
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
		{ name: 'All visible feedback', body: { enabled: true } },
		{ name: 'Without numbers', body: { numbers: false } },
		{ name: 'With sounds', body: { sounds: true } },
		{ name: 'Delete the settings', body: { enabled: null } },
	],
});
