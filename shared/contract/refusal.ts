/**
 * A refused call as an answer, whoever refuses it: the engine, the relay, the link between them or the service worker.
 * Owns: turning a fault into status, headers and bytes. Never: imports what would make the service worker large.
 */

import { ERRORS, type Fault, failure } from './errors.ts';
import type { WireResponse } from './wire.ts';

const encoder = new TextEncoder();

/** The answer to a refused call; its status is the code's usual one unless the route has another. */
export function refusal(fault: Fault, status: number = ERRORS[fault.code][0]): WireResponse {
	return {
		status,
		headers: { 'content-type': 'application/json', ...fault.headers },
		body: encoder.encode(JSON.stringify(failure(fault))),
	};
}
