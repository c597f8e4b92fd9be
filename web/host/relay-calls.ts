/**
 * Calls that come from the relay, and their answers.
 * Owns: the running calls, so that a call repeated over another socket is not started twice. It ends calls whose
 * caller has gone. The journal's keys show which calls were applied.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { isListening } from '../../shared/contract/event-stream.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import {
	AGAIN_HEADER,
	CALL_HEADER,
	type CallHandler,
	KEY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';

interface RelayCallState {
	/** Aborts the call when its caller has gone away. */
	readonly abort: AbortController;
	/** True for a call with a key of its caller, which repeats the call if the relay was lost. */
	readonly isRepeatable: boolean;
}

export class RelayCalls {
	readonly #handle: CallHandler;
	readonly #answer: (id: number, response: WireResponse) => void;
	#runningCalls = new Map<number, RelayCallState>();
	/** Number of running calls, except those that only wait for events. */
	#busyCalls = 0;
	#relay = '';

	constructor(handle: CallHandler, answer: (id: number, response: WireResponse) => void) {
		this.#handle = handle;
		this.#answer = answer;
	}

	get isBusy(): boolean {
		return this.#busyCalls > 0;
	}

	/** Sets the name of the current relay. If it is another relay, aborts the calls of the last one, except repeatable ones. */
	setRelay(relay: string): void {
		if (relay === this.#relay) return;
		this.#relay = relay;
		for (const { abort, isRepeatable } of this.#runningCalls.values()) if (!isRepeatable) abort.abort();
		this.#runningCalls = new Map();
		this.#busyCalls = 0;
	}

	/** Aborts a call whose caller has gone away. */
	cancel(id: number): void {
		this.#runningCalls.get(id)?.abort.abort();
	}

	receive(id: number, isRepeat: boolean, request: WireRequest): void {
		const running = this.#runningCalls;
		if (running.has(id)) return;
		const abort = new AbortController();
		const returns = request.headers[KEY_HEADER] !== undefined;
		running.set(id, { abort, isRepeatable: returns });
		const count = isListening(request) ? 0 : 1;
		this.#busyCalls += count;
		const answer = (response: WireResponse): void => {
			running.delete(id);
			if (running !== this.#runningCalls) return;
			this.#busyCalls -= count;
			this.#answer(id, response);
		};
		const headers: Record<string, string> = { ...request.headers, [CALL_HEADER]: `${this.#relay}:${id}` };
		if (isRepeat) headers[AGAIN_HEADER] = '1';
		this.#handle({ ...request, headers }, abort.signal).then(answer, (error: unknown) =>
			answer(faultAnswer(error)),
		);
	}
}

/** Returns the answer for a fault that the engine did not catch itself. */
function faultAnswer(error: unknown): WireResponse {
	return errorResponse(new ApiError('internal', `The engine failed on this call: ${reasonOf(error)}`));
}
