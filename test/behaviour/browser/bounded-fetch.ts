/** Gives each call of a browser test over HTTP an end: Node waits five minutes, longer than any test. Owns: `fetch` of the tests. */

import { PATIENCE } from '../../support/patience.ts';

/** Files of one worker share it: it is bounded once. */
const shared = globalThis as { plainFetch?: typeof fetch };
shared.plainFetch ??= globalThis.fetch;
const plain = shared.plainFetch;

globalThis.fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
	const late = AbortSignal.timeout(PATIENCE);
	const signal = init.signal == null ? late : AbortSignal.any([late, init.signal]);
	try {
		return await plain(input, { ...init, signal });
	} catch (error) {
		if (!late.aborted) throw error;
		const url = input instanceof Request ? input.url : String(input);
		throw new Error(`${init.method ?? 'GET'} ${url} was not answered within ${PATIENCE / 1000} s.`, {
			cause: error,
		});
	}
};
