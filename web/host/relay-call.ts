/**
 * Facts that the relay adds to a call.
 * Owns: a call's own key, whether an engine ended with it, and what may not be done twice.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import {
	AGAIN_HEADER,
	CALL_HEADER,
	type Door,
	ENTRY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';

/**
 * Returns the key of the transport: which call of which relay it is. Undefined for one that came in another way. No
 * caller's key begins so.
 */
export const callOf = (request: WireRequest, door: Door): string | undefined =>
	door === 'relay' && request.headers[CALL_HEADER] !== undefined
		? ` ${request.headers[CALL_HEADER]}`
		: undefined;

/** Returns an answer that the relay passes on when the journal has an entry. */
export const namingEntry = (response: WireResponse, entry: number): WireResponse => ({
	...response,
	headers: { ...response.headers, [ENTRY_HEADER]: String(entry) },
});

/** Returns the runner of errands for a call; none if an engine ended during the call and may have run them. */
export const relayServicesFor = ({ headers }: WireRequest, relayServices: RelayServices): RelayServices =>
	headers[AGAIN_HEADER] === undefined ? relayServices : RUN_ONCE;

/** Errands have an effect elsewhere, and what was asked for once may have come to pass. */
const RUN_ONCE: RelayServices = {
	ask: () =>
		Promise.reject(
			new ApiError(
				'engine_lost',
				'The engine ended while it ran this call. The server may have run its request, but the world did not change.',
				{ fix: 'Check the current state, then send the call again if it is still needed.' },
			),
		),
};
