/**
 * Answers to refused calls, for the engine, the relay, the link between them and the service worker.
 * Owns: the conversion of an error into status, headers and bytes. Never: imports large modules, because the service
 * worker loads it.
 */

import { ApiError, ERRORS, errorBody } from './errors.ts';
import { KEY_HEADER, type WireRequest, type WireResponse } from './wire.ts';

const encoder = new TextEncoder();

/** Returns the answer to a refused call. Its status is that of the code, unless the route has another. */
export function errorResponse(error: ApiError, status: number = ERRORS[error.code][0]): WireResponse {
	return {
		status,
		headers: { 'content-type': 'application/json', ...error.headers },
		body: encoder.encode(JSON.stringify(errorBody(error))),
	};
}

/** Returns the answer to a call whose tab was closed before it answered. */
export function engineLost({ method, headers }: Pick<WireRequest, 'method' | 'headers'>): WireResponse {
	const lostTabMessage = 'The tab that ran this call is gone';
	if (method === 'GET' || method === 'HEAD')
		return errorResponse(
			new ApiError('engine_lost', `${lostTabMessage}.`, { fix: 'Send the call again: it only reads.' }),
		);
	const fix =
		headers[KEY_HEADER] === undefined
			? {}
			: { fix: 'GET /journal?key=KEY shows whether the call was applied.' };
	return errorResponse(
		new ApiError('engine_lost', `${lostTabMessage}, so it is unknown whether the call was applied.`, fix),
	);
}

/** Returns the answer to a call that was applied but not stored in the journal. */
export function notKept(reason: string): WireResponse {
	const message = `The call was applied, but could not be stored in the journal: ${reason} The change is lost if the engine ends now.`;
	return errorResponse(new ApiError('not_kept', message, { details: { applied: true } }));
}
