/**
 * Check of a caller's origin. Programs of this machine and the relay's own page may call. Other web pages may not.
 * Owns: the checks of Host, Origin, Sec-Fetch headers and Referer. Never: reads a body or a path.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../shared/contract/errors.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Allows or refuses a request by its headers alone. */
export class OriginCheck {
	readonly #allowedNames: ReadonlySet<string>;

	/** `hosts`: further names, without a port, that the Host header may have. */
	constructor(hosts: Iterable<string> = []) {
		this.#allowedNames = new Set([...LOOPBACK, ...[...hosts].map((host) => host.toLowerCase())]);
	}

	/**
	 * Returns an error unless the Host header has an allowed name. This stops web pages whose own host name resolves to
	 * this machine.
	 */
	#checkHost(headers: IncomingHttpHeaders): ApiError | undefined {
		const host = headers.host?.toLowerCase();
		if (host === undefined) return new ApiError('host_refused', 'The request has no Host header.');
		const name = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d+)?$/.exec(host)?.[1];
		if (name !== undefined && this.#allowedNames.has(name)) return undefined;
		return new ApiError(
			'host_refused',
			`The request is for "${host.slice(0, 100)}", which is not a name of this machine.`,
		);
	}

	/**
	 * Returns the reason that a call is refused, or undefined. A call without Origin comes from a program. Browsers name
	 * the origin of the calling page.
	 */
	checkCall(headers: IncomingHttpHeaders): ApiError | undefined {
		const hostError = this.#checkHost(headers);
		if (hostError !== undefined) return hostError;
		const { origin } = headers;
		if (origin !== undefined && !isSameOrigin(origin, headers.host)) return foreignOriginError(origin);
		return isFromOtherSite(headers) ? foreignOriginError(headers.referer) : undefined;
	}

	/** Returns the reason that a request for the page is refused. `foreign`: true if a link on another site opened it. */
	checkPage(headers: IncomingHttpHeaders): { readonly error?: ApiError; readonly foreign: boolean } {
		// Old browsers send none of the Sec-Fetch headers. Their request counts as a navigation.
		const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': dest = 'document' } = headers;
		if (isFromOtherSite(headers) && mode === 'navigate' && dest === 'document') {
			const error = this.#checkHost(headers);
			return error === undefined ? { foreign: true } : { error, foreign: true };
		}
		const error = this.checkCall(headers);
		return error === undefined ? { foreign: false } : { error, foreign: false };
	}

	/**
	 * Returns the reason that a socket is refused, or undefined. Only a page may connect as an engine, so the request must
	 * have an Origin.
	 */
	checkSocket(headers: IncomingHttpHeaders): ApiError | undefined {
		const hostError = this.#checkHost(headers);
		if (hostError !== undefined) return hostError;
		if (headers.origin === undefined || !isSameOrigin(headers.origin, headers.host))
			return foreignOriginError(headers.origin);
		return undefined;
	}
}

/**
 * Returns true if a page of another site sent the request. Browsers send Sec-Fetch-Site only to https and to loopback
 * names. For other names the address in Referer decides.
 */
function isFromOtherSite({ 'sec-fetch-site': site, referer, host }: IncomingHttpHeaders): boolean {
	if (site !== undefined) return site === 'cross-site' || site === 'same-site';
	return referer !== undefined && !(URL.canParse(referer) && isSameOrigin(new URL(referer).origin, host));
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
	const lowerCase = origin.toLowerCase();
	const ownHost = host?.toLowerCase();
	return lowerCase === `http://${ownHost}` || lowerCase === `https://${ownHost}`;
}

function foreignOriginError(origin: string | undefined): ApiError {
	const page = origin === undefined ? 'A page of another origin' : `The page ${origin.slice(0, 100)}`;
	return new ApiError('origin_refused', `${page} may not call this server.`);
}
