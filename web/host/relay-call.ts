/**
 * Headers that the relay adds to a call.
 * Owns: the call's transport key, the sign that an engine ended during it, and the refusal to run relay requests twice.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import {
	AGAIN_HEADER,
	CALL_HEADER,
	ENTRY_HEADER,
	type Transport,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';

/**
 * Returns the transport key of a call, which names its relay and number; undefined for a call of another transport. It begins with a
 * space, and no caller's key does.
 */
export const transportKeyOf = (request: WireRequest, door: Transport): string | undefined =>
	door === 'relay' && request.headers[CALL_HEADER] !== undefined
		? ` ${request.headers[CALL_HEADER]}`
		: undefined;

/** Returns an answer that names an entry. The relay delays the answer until the journal has stored the entry. */
export const withEntryHeader = (response: WireResponse, entry: number): WireResponse => ({
	...response,
	headers: { ...response.headers, [ENTRY_HEADER]: String(entry) },
});

/** Returns the relay's services for a call. They refuse requests if an engine ended during the call and may have sent them. */
export const relayServicesFor = ({ headers }: WireRequest, relayServices: RelayServices): RelayServices =>
	headers[AGAIN_HEADER] === undefined ? relayServices : REFUSING_SERVICES;

/** Services that refuse every request, because requests to the relay have effects outside and must not run twice. */
const REFUSING_SERVICES: RelayServices = {
	ask: () =>
		Promise.reject(
			new ApiError(
				'engine_lost',
				'The engine ended while it ran this call. The server may have run its request, but the world did not change.',
				{ fix: 'Check the current state, then send the call again if it is still needed.' },
			),
		),
};
