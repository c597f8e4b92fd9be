/**
 * Callers that may speak to the relay: this machine's programs and the relay's own page, and no other web page.
 * Owns: the checks of Host, Origin, Sec-Fetch-Site and Referer. Never: looks at a body or a path.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../shared/contract/errors.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

export class Guard {
	readonly #allowed: ReadonlySet<string>;

	/** `hosts` are further names, without a port, that the Host header may carry. */
	constructor(hosts: Iterable<string> = []) {
		this.#allowed = new Set([...LOOPBACK, ...[...hosts].map((host) => host.toLowerCase())]);
	}

	/** A hostile name that resolves to this machine still shows in Host: that is how such a page is recognised. */
	#host(headers: IncomingHttpHeaders): ApiError | undefined {
		const host = headers.host?.toLowerCase();
		if (host === undefined) return new ApiError('host_refused', 'The request has no Host header.');
		const name = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d+)?$/.exec(host)?.[1];
		if (name !== undefined && this.#allowed.has(name)) return undefined;
		return new ApiError(
			'host_refused',
			`The request is for "${host.slice(0, 100)}", which is not a name of this machine.`,
		);
	}

	/**
	 * Returns the reason that a call is refused, or undefined. Programs send no Origin; browsers name the page that
	 * calls.
	 */
	call(headers: IncomingHttpHeaders): ApiError | undefined {
		const host = this.#host(headers);
		if (host !== undefined) return host;
		const { origin } = headers;
		if (origin !== undefined && !sameOrigin(origin, headers.host)) return foreign(origin);
		return isFromElsewhere(headers) ? foreign(headers.referer) : undefined;
	}

	/** The same for the page itself. `foreign` is true when another site's link led here. */
	page(headers: IncomingHttpHeaders): { readonly error?: ApiError; readonly foreign: boolean } {
		// A browser that does not say where a call comes from does not say what it is for either.
		const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = headers;
		if (isFromElsewhere(headers) && mode === 'navigate' && dest === 'document') {
			const error = this.#host(headers);
			return error === undefined ? { foreign: true } : { error, foreign: true };
		}
		const error = this.call(headers);
		return error === undefined ? { foreign: false } : { error, foreign: false };
	}

	/**
	 * Returns the reason that a socket is refused, or undefined. Only a browser's page may be the engine, so an Origin
	 * must be there.
	 */
	socket(headers: IncomingHttpHeaders): ApiError | undefined {
		const host = this.#host(headers);
		if (host !== undefined) return host;
		if (headers.origin === undefined || !sameOrigin(headers.origin, headers.host))
			return foreign(headers.origin);
		return undefined;
	}
}

/** Browsers name the site of a caller only to https and to loopback names. To other names they send the page's address instead. */
function isFromElsewhere({ 'sec-fetch-site': site, referer, host }: IncomingHttpHeaders): boolean {
	if (site !== undefined) return site === 'cross-site' || site === 'same-site';
	return referer !== undefined && !(URL.canParse(referer) && sameOrigin(new URL(referer).origin, host));
}

function sameOrigin(origin: string, host: string | undefined): boolean {
	const low = origin.toLowerCase();
	const own = host?.toLowerCase();
	return low === `http://${own}` || low === `https://${own}`;
}

function foreign(origin: string | undefined): ApiError {
	const who = origin === undefined ? 'A page of another origin' : `The page ${origin.slice(0, 100)}`;
	return new ApiError('origin_refused', `${who} may not call this server.`);
}
