/**
 * What the relay says of a call beside the caller's own words.
 * Owns: a call's name, how many engines it has outlived, and what may not be done twice.
 */

import type { Desk } from '../../shared/contract/errand.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import {
	CALL_HEADER,
	type Door,
	ENDS_HEADER,
	ENTRY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import type { Ran } from './journal/ran.ts';

/** Engines that may end while they have a call, before it is refused: one that ends every engine would let no other go on. */
const MOST_ENDS = 3;

/** Which call of which relay it is; undefined for one that came in another way. */
export const nameOf = (request: WireRequest, door: Door): string | undefined =>
	door === 'relay' ? request.headers[CALL_HEADER] : undefined;

/** An answer that the relay passes on when the journal has an entry. */
export const namingEntry = (response: WireResponse, entry: number): WireResponse => ({
	...response,
	headers: { ...response.headers, [ENTRY_HEADER]: String(entry) },
});

/** How many engines ended while they had a call. */
const endsOf = ({ headers }: WireRequest): number => Number(headers[ENDS_HEADER] ?? 0);

/** Who runs errands for a call: nobody, where an engine ended with it and may have had them run. */
export const deskFor = (request: WireRequest, desk: Desk): Desk => (endsOf(request) === 0 ? desk : RUN_ONCE);

/** Throws `engine_lost` for a call with which engines end again and again, unless it was done. */
export function checkEnds(request: WireRequest, door: Door, ran: Ran): void {
	const ends = endsOf(request);
	const name = nameOf(request, door);
	if (ends < MOST_ENDS || name === undefined || ran.look(name) !== undefined) return;
	throw new ApiError('engine_lost', `${ends} engines ended while they ran this call. It was not applied.`, {
		fix: 'Split the work over several calls.',
		details: { applied: false },
	});
}

/** Errands have an effect elsewhere, and what was asked for once may have come to pass. */
const RUN_ONCE: Desk = {
	ask: () =>
		Promise.reject(
			new ApiError(
				'engine_lost',
				'The engine ended while it ran this call. The server may have run its request, but the world did not change.',
				{ fix: 'Check the current state, then send the call again if it is still needed.' },
			),
		),
};
