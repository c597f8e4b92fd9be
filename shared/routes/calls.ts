/** Routes about calls: list running and waiting calls, and end one. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { integer, listLength } from '../contract/values.ts';

const callId = integer('Id of a call, as GET /calls lists it');

export const listCalls = route({
	id: 'calls.list',
	tag: 'Discovery and ops',
	method: 'GET',
	path: '/calls',
	cli: ['calls', 'list'],
	summary: 'Running and waiting calls, with their progress',
	description: 'Writes run one after the other; reads run in parallel. This call itself is not listed.',
	effect: 'read',
	world: false,
	batch: false,
	answer: z.strictObject({
		ok: z.literal(true),
		calls: z
			.array(
				z.strictObject({
					id: z.int().describe('Increases by one per call'),
					method: z.string(),
					path: z.string(),
					world: z.string().describe('World of the call'),
					sender: z.string().describe('Its X-Agent, else its User-Agent; may be empty'),
					state: z.enum(['running', 'waiting']),
					age_ms: z.number().describe('Time since it arrived (ms)'),
					ticks: z.int().describe('Ticks completed so far'),
					requests: z.int().describe('Requests of a batch answered so far'),
				}),
			)
			.describe('Oldest first'),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'See what is running' }],
});

export const cancelCall = route({
	id: 'calls.cancel',
	tag: 'Discovery and ops',
	method: 'DELETE',
	path: '/calls/{id}',
	cli: ['calls', 'cancel'],
	summary: 'Ends a call after its current tick or request; completed parts are kept',
	description:
		'Does not wait for other calls. The answer of the cancelled call has the code "cancelled" and its progress. ' +
		'A cancelled atomic batch changes nothing. A call also ends when its caller closes the connection.',
	effect: 'view',
	overtakes: true,
	access: 'admin',
	world: false,
	batch: false,
	params: z.strictObject({ id: callId }),
	answer: z.strictObject({
		ok: z.literal(true),
		id: z.int().describe('The call'),
		cancelled: z.boolean().describe('true: this request ended the call; false: it had already ended'),
	}),
	errors: ['no_such_call'],
	examples: [{ name: 'One that has already ended', given: [{ path: '/spawn', body: {} }], path: '/calls/1' }],
});
