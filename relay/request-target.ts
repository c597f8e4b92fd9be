/** Target of a request. Owns: its absolute form, which names the host as well: RFC 9112, 3.2.2. */

import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^http:\/\/([^/?#]*)([^#]*)/i;

/**
 * Handles a request target that is an absolute URL. The request gets its path, and its authority replaces the header
 * Host. A request without that header goes without it: HTTP/1.1 has it in every form.
 */
export function takePath(request: IncomingMessage): void {
	const [, authority, rest] = ABSOLUTE.exec(request.url ?? '') ?? [];
	if (authority === undefined || rest === undefined) return;
	request.url = rest.startsWith('/') ? rest : `/${rest}`;
	if (request.headers.host !== undefined) request.headers.host = authority;
}
