/**
 * The relay's own refusals, in the same words and shape as the engine's.
 * Owns: turning a fault into an answer.
 */

import { ERRORS, type Fault, failure } from '../shared/contract/errors.ts';
import type { WireResponse } from '../shared/contract/wire.ts';

/** The answer to a call that the relay itself refuses: the code's status and a JSON body with `code` and `fix`. */
export function refusal(fault: Fault): WireResponse {
	return {
		status: ERRORS[fault.code][0],
		headers: { 'content-type': 'application/json', ...fault.headers },
		body: Buffer.from(JSON.stringify(failure(fault))),
	};
}
