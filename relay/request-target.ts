/** Target of a request. Owns: the handling of its absolute form, which contains the host too (RFC 9112, 3.2.2). */

import type { IncomingMessage } from 'node:http';

const ABSOLUTE_TARGET = /^http:\/\/([^/?#]*)([^#]*)/i;

/**
 * Changes a request whose target is an absolute URL: the target becomes the path, and the host of the URL replaces the
 * Host header. A request without that header stays without it, because it must still be refused.
 */
export function normalizeTarget(request: IncomingMessage): void {
	const [, authority, rest] = ABSOLUTE_TARGET.exec(request.url ?? '') ?? [];
	if (authority === undefined || rest === undefined) return;
	request.url = rest.startsWith('/') ? rest : `/${rest}`;
	if (request.headers.host !== undefined) request.headers.host = authority;
}
