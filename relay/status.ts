/**
 * What the relay says of an engine that is too busy to say it itself, or that it ended.
 * Owns: the words. Never: asks the engine.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { WireResponse } from '../shared/contract/wire.ts';
import type { Oldest } from './pending-calls.ts';

const ENDING =
	'Wait, or, if it never ends, send DELETE /engine/worker/{held_world} with the name that X-Orrery-World says: another engine ' +
	'starts. The world is then lost, except for what a tab last handed over.';

/** After so many seconds on one call it is said how an engine is ended. */
const LONG = 60;

/** 503 `busy`, with the call that the engine has been at work on for longest and since when. */
export function busyAnswer(oldest: Oldest | undefined, movingSince: number | undefined): WireResponse {
	const headers = { 'retry-after': '1' };
	if (movingSince !== undefined) {
		const since = new Date(movingSince).toISOString();
		const message = `The world has been moving to another tab since ${since}. Calls wait and continue there.`;
		return errorResponse(
			new ApiError('busy', message, { headers, details: { busy: { handover: true, since } } }),
		);
	}
	if (oldest === undefined) {
		const message = 'The engine is running a call that did not come through the relay.';
		return errorResponse(new ApiError('busy', message, { headers, details: { busy: {} } }));
	}
	const { request, ms, behind } = oldest;
	const seconds = Math.round(ms / 100) / 10;
	const busy = {
		method: request.method,
		path: request.path,
		since: new Date(Date.now() - ms).toISOString(),
		seconds,
		waiting: behind,
		agent: request.headers['x-agent'] ?? request.headers['user-agent'] ?? '',
	};
	const message = `The engine has been running ${busy.method} ${busy.path} for ${seconds} s; ${behind} other calls wait. Its world is not lost.`;
	const more = seconds < LONG ? {} : { fix: ENDING };
	return errorResponse(new ApiError('busy', message, { headers, details: { busy }, ...more }));
}
