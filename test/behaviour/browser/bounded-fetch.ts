/** Gives `fetch` of the browser tests a timeout, because Node's own of five minutes is longer than any test. */

import { PATIENCE } from '../../support/patience.ts';

/** Test files of one worker share `globalThis`, so `fetch` must be wrapped only once. */
const shared = globalThis as { plainFetch?: typeof fetch };
shared.plainFetch ??= globalThis.fetch;
const plainFetch = shared.plainFetch;

globalThis.fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
	const timeout = AbortSignal.timeout(PATIENCE);
	const signal = init.signal == null ? timeout : AbortSignal.any([timeout, init.signal]);
	try {
		return await plainFetch(input, { ...init, signal });
	} catch (error) {
		if (!timeout.aborted) throw error;
		const url = input instanceof Request ? input.url : String(input);
		throw new Error(`${init.method ?? 'GET'} ${url} was not answered within ${PATIENCE / 1000} s.`, {
			cause: error,
		});
	}
};
