/**
 * Check of paths before they are joined to the address of a server.
 * Owns: the guarantee that a call goes to that server and to that path. In a URL, `//host/x` and `/\host/x` name another
 * server, and `/fork/../step` names another route.
 */

import { errorResponse } from '../contract/error-response.ts';
import { ApiError } from '../contract/errors.ts';
import type { CallHandler } from '../contract/wire.ts';

/** A URL parser drops tabs and line ends everywhere, so they must not hide a second slash. */
const OWN_PATH = /^\/(?![\t\n\r]*[/\\])[^?#]*$/;
/** A URL parser removes these parts; for `..` it also removes the part before. */
const DOTS = /[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/i;

/**
 * Returns the same handle with a check. A call whose path leads elsewhere is refused and not sent, so its headers
 * cannot reach another server.
 */
export function checkPaths(handle: CallHandler): CallHandler {
	return async (request, signal) =>
		OWN_PATH.test(request.path) && !DOTS.test(request.path)
			? handle(request, signal)
			: errorResponse(foreignPathError(request.path));
}

function foreignPathError(path: string): ApiError {
	return new ApiError('no_such_route', `"${path.slice(0, 100)}" is not a path of this server.`, {
		fix: 'Send a path that begins with one "/", such as /observe, without a server address, "#", "." or "..". GET /schema?form=compact lists every route.',
	});
}
