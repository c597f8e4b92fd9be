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
	/** Aborted when the caller has gone away. */
	readonly gone: AbortController;
	/** It has a key of its caller, which sends it again when the relay was lost. */
	readonly returns: boolean;
}

export class RelayCalls {
	readonly #handle: CallHandler;
	readonly #answer: (id: number, response: WireResponse) => void;
	#runningCalls = new Map<number, RelayCallState>();
	/** Running calls that give the engine something to do. Others wait for events. */
	#atWork = 0;
	#relay = '';

	constructor(handle: CallHandler, answer: (id: number, response: WireResponse) => void) {
		this.#handle = handle;
		this.#answer = answer;
	}

	get isBusy(): boolean {
		return this.#atWork > 0;
	}

	/** The relay that is there now. The callers of another one are gone. */
	come(relay: string): void {
		if (relay === this.#relay) return;
		this.#relay = relay;
		for (const { gone, returns } of this.#runningCalls.values()) if (!returns) gone.abort();
		this.#runningCalls = new Map();
		this.#atWork = 0;
	}

	cancel(id: number): void {
		this.#runningCalls.get(id)?.gone.abort();
	}

	take(id: number, again: boolean, request: WireRequest): void {
		const running = this.#runningCalls;
		if (running.has(id)) return;
		const abort = new AbortController();
		const returns = request.headers[KEY_HEADER] !== undefined;
		running.set(id, { gone: abort, returns });
		const work = isListening(request) ? 0 : 1;
		this.#atWork += work;
		const answer = (response: WireResponse): void => {
			running.delete(id);
			if (running !== this.#runningCalls) return;
			this.#atWork -= work;
			this.#answer(id, response);
		};
		const headers: Record<string, string> = { ...request.headers, [CALL_HEADER]: `${this.#relay}:${id}` };
		if (again) headers[AGAIN_HEADER] = '1';
		this.#handle({ ...request, headers }, abort.signal).then(answer, (error: unknown) =>
			answer(faultAnswer(error)),
		);
	}
}

/** The engine answers everything itself; this is for a fault that even its own net did not catch. */
function faultAnswer(error: unknown): WireResponse {
	return errorResponse(new ApiError('internal', `The engine failed on this call: ${reasonOf(error)}`));
}
