/**
 * Requests that a worker answers as the engine does.
 * Owns: this decision. Reads are excluded, because they show data outside a world, such as other forks, files and calls.
 */

import type { RequestList } from './run-requests.ts';

type Request = RequestList['requests'][number];

/** Returns true if a request, and each request within it, changes a world and nothing else. */
export function isPortable({ method, body }: Request): boolean {
	if (method === 'GET') return false;
	const inner = (body as { requests?: unknown } | null | undefined)?.requests;
	return !Array.isArray(inner) || inner.every((candidate) => isPortable(candidate as Request));
}
