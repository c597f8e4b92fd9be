/**
 * Paths that are joined to the address of a server.
 * Owns: that such a call goes to that server and to that path. Read as a URL, `//host/x` and `/\host/x` name another
 * server, and `/fork/../step` another route.
 */

import { errorResponse } from '../contract/error-response.ts';
import { ApiError } from '../contract/errors.ts';
import type { CallHandler } from '../contract/wire.ts';

/** Reading an address drops tabs and line ends, wherever they stand. */
const OWN_PATH = /^\/(?![\t\n\r]*[/\\])[^?#]*$/;
/** Reading an address leaves these parts out, with the part before `..`. */
const DOTS = /[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i;

/**
 * Returns the same handle, but that a call whose path leads elsewhere is refused, not sent, and its sender is not
 * named.
 */
export function ownPaths(handle: CallHandler): CallHandler {
	return async (request, signal) =>
		OWN_PATH.test(request.path) && !DOTS.test(request.path)
			? handle(request, signal)
			: errorResponse(leadsAway(request.path));
}

function leadsAway(path: string): ApiError {
	return new ApiError('no_such_route', `"${path.slice(0, 100)}" is not a path of this server.`, {
		fix: 'Send a path that begins with one "/", such as /observe, without a server address, "#", "." or "..". GET /schema?form=compact lists every route.',
	});
}
