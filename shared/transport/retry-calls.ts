/**
 * Calls over a line that may break: sent again under a key of their own, so that none is done twice.
 * Owns: which answers are worth another try, and how often and how long that continues.
 * Never: sends what changes something again without a key.
 */

import {
	type CallHandler,
	type CallSignal,
	KEY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../contract/wire.ts';
import { newIdentity } from './identity.ts';

/** Tries of one call, and how long it continues after the first (ms). */
const MAX_TRIES = 6;
const MAX_MS = 10_000;
/** The wait before the second try (ms); twice as long before each that follows. */
const FIRST_WAIT = 100;
/** Refusals that pass by themselves: no engine is there yet, or it is gone. */
const PASSING: readonly unknown[] = ['no_engine', 'engine_lost', 'not_kept', 'busy'];

export interface RetryOptions {
	/** Resolves after this many milliseconds, or when the signal is aborted. */
	readonly wait?: (ms: number, signal?: CallSignal) => Promise<void>;
	/** Milliseconds on some clock that only goes forward. */
	readonly now?: () => number;
}

/**
 * Returns the same handle, but it sends a call again if its answer was lost or no engine could take it. If no call
 * was ever answered, it reports the first failure immediately: no connection broke.
 */
export function withRetries(
	handle: CallHandler,
	{ wait = pause, now = () => performance.now() }: RetryOptions = {},
): CallHandler {
	let answered = false;
	return async (request, signal) => {
		const sent = withKey(request);
		const began = now();
		for (let tries = 1; ; tries++) {
			const backoff = FIRST_WAIT * 2 ** (tries - 1);
			const last = tries === MAX_TRIES || now() - began + backoff > MAX_MS;
			try {
				const answer = await handle(sent, signal);
				answered = true;
				if (last || signal?.aborted || !passes(answer)) return answer;
			} catch (error) {
				if (last || signal?.aborted || (!answered && neverCame(error))) throw error;
			}
			await wait(backoff, signal);
		}
	};
}

/** A call that may change something has a key: its own, or a new one. */
function withKey(request: WireRequest): WireRequest {
	const { method, headers } = request;
	if (method === 'GET' || method === 'HEAD' || headers[KEY_HEADER] !== undefined) return request;
	return { ...request, headers: { ...headers, [KEY_HEADER]: newIdentity() } };
}

/**
 * Returns true if a refusal may pass. A refusal that says that the call was not and will not be applied does not
 * pass.
 */
function passes({ status, headers, body }: WireResponse): boolean {
	if (status !== 502 && status !== 503) return false;
	// From a proxy that has no server to pass the call to.
	if (!headers['content-type']?.includes('json')) return true;
	const { code, applied } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
	return PASSING.includes(code) && !(code === 'engine_lost' && applied === false);
}

/** No server listens there. */
const neverCame = (error: unknown): boolean =>
	(error as { readonly cause?: { readonly code?: string } }).cause?.code === 'ECONNREFUSED';

function pause(ms: number, signal?: CallSignal): Promise<void> {
	return new Promise((resolve) => {
		const over = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', over);
			resolve();
		};
		const timer = setTimeout(over, ms);
		signal?.addEventListener('abort', over);
	});
}
