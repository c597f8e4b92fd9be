/**
 * Retries of calls over a connection that may break. Each call has a key, so none is applied twice.
 * Owns: the choice of answers that another try may improve, and the limits on the tries.
 * Never: sends a change again without a key.
 */

import {
	type CallHandler,
	type CallSignal,
	KEY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../contract/wire.ts';
import { newIdentity } from './identity.ts';

/** Maximum number of tries of one call. */
const MAX_TRIES = 6;
/** Maximum time from the first try to the last (ms). */
const MAX_MS = 10_000;
/** Wait before the second try (ms). It doubles before each further try. */
const FIRST_WAIT_MS = 100;
/** Codes of temporary refusals: for example, no engine is connected yet. */
const TEMPORARY_CODES: readonly unknown[] = ['no_engine', 'engine_lost', 'not_kept', 'busy'];

export interface RetryOptions {
	/** Resolves after this many milliseconds, or when the signal is aborted. */
	readonly wait?: (ms: number, signal?: CallSignal) => Promise<void>;
	/** Milliseconds of a clock that never goes back. */
	readonly now?: () => number;
}

/**
 * Returns the same handle with retries: it sends a call again if its answer was lost or no engine could take it. If no
 * server was ever reached, it reports the failure immediately.
 */
export function withRetries(
	handle: CallHandler,
	{ wait = pause, now = () => performance.now() }: RetryOptions = {},
): CallHandler {
	let hasAnswered = false;
	return async (request, signal) => {
		const keyed = withKey(request);
		const startTime = now();
		for (let tries = 1; ; tries++) {
			const backoff = FIRST_WAIT_MS * 2 ** (tries - 1);
			const isLast = tries === MAX_TRIES || now() - startTime + backoff > MAX_MS;
			try {
				const answer = await handle(keyed, signal);
				hasAnswered = true;
				if (isLast || signal?.aborted || !isTemporary(answer)) return answer;
			} catch (error) {
				if (isLast || signal?.aborted || (!hasAnswered && isConnectionRefused(error))) throw error;
			}
			await wait(backoff, signal);
		}
	};
}

/** Returns the request with a key. A read stays without a key. */
function withKey(request: WireRequest): WireRequest {
	const { method, headers } = request;
	if (method === 'GET' || method === 'HEAD' || headers[KEY_HEADER] !== undefined) return request;
	return { ...request, headers: { ...headers, [KEY_HEADER]: newIdentity() } };
}

/**
 * Returns true if another try may succeed. A refusal with `applied: false` is final: the call will not be applied.
 */
function isTemporary({ status, headers, body }: WireResponse): boolean {
	if (status !== 502 && status !== 503) return false;
	// An answer without JSON comes from a proxy that cannot reach its server.
	if (!headers['content-type']?.includes('json')) return true;
	const { code, applied } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
	return TEMPORARY_CODES.includes(code) && !(code === 'engine_lost' && applied === false);
}

/** Returns true if no server listens at the address. */
const isConnectionRefused = (error: unknown): boolean =>
	(error as { readonly cause?: { readonly code?: string } }).cause?.code === 'ECONNREFUSED';

function pause(ms: number, signal?: CallSignal): Promise<void> {
	return new Promise((resolve) => {
		const finish = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', finish);
			resolve();
		};
		const timer = setTimeout(finish, ms);
		signal?.addEventListener('abort', finish);
	});
}
