/**
 * A refused call as an answer, whichever part refuses it: the engine, the relay, the link between them or the service worker.
 * Owns: turning an error into status, headers and bytes. Never: imports what would make the service worker large.
 */

import { ApiError, ERRORS, errorBody } from './errors.ts';
import { KEY_HEADER, type WireRequest, type WireResponse } from './wire.ts';

const encoder = new TextEncoder();

/** The answer to a refused call; its status is the code's unless the route has another. */
export function errorResponse(error: ApiError, status: number = ERRORS[error.code][0]): WireResponse {
	return {
		status,
		headers: { 'content-type': 'application/json', ...error.headers },
		body: encoder.encode(JSON.stringify(errorBody(error))),
	};
}

/** The answer to a call whose tab is gone before it answered. */
export function engineLost({ method, headers }: Pick<WireRequest, 'method' | 'headers'>): WireResponse {
	const gone = 'The tab that had this call is gone';
	if (method === 'GET' || method === 'HEAD')
		return errorResponse(new ApiError('engine_lost', `${gone}.`, { fix: 'Send it again: it only reads.' }));
	const fix =
		headers[KEY_HEADER] === undefined
			? {}
			: { fix: 'GET /journal?key= says whether it was applied, where a journal is kept.' };
	return errorResponse(
		new ApiError('engine_lost', `${gone}, so there is no telling whether it was applied.`, fix),
	);
}

/** For a call that was applied, and that the journal does not have. */
export function notKept(why: string): WireResponse {
	const message = `The call was applied, but the journal does not have it: ${why} It would be lost if the engine ended now.`;
	return errorResponse(new ApiError('not_kept', message, { details: { applied: true } }));
}
