/**
 * The one call that the relay answers in the engine's place: ending it, since an engine that hangs answers nothing.
 * Owns: when it is done. Never: knows how.
 */

import { jsonResponse } from '../shared/contract/dispatch.ts';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { LastWorld } from '../shared/contract/link.ts';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { IDENTITY_HEADER, type WireRequest, type WireResponse } from '../shared/contract/wire.ts';
import { endEngine } from '../shared/routes/operations.ts';

const find = pathMatcher([endEngine]);

/** The worlds that a call to end an engine names, in its path and in its header; none for any other call. */
export function worldsToEnd({ method, path, headers }: WireRequest): string[] {
	const world = method === endEngine.method ? find(path)?.values[0] : undefined;
	const named = headers[IDENTITY_HEADER];
	return world === undefined ? [] : named === undefined ? [world] : [world, named];
}

/** Ends the engine that holds `worlds`, all of them one and the same, with `end`, which answers how its world ended. `now` is the world that is held. */
export function endAnswer(worlds: readonly string[], now: string, end: () => LastWorld | null): WireResponse {
	const world = worlds.find((name) => name !== now);
	if (world !== undefined) {
		const message = `The call is to end the world ${world.slice(0, 100)}, but this engine holds the world ${now}.`;
		return errorResponse(new ApiError('other_world', message, { details: { world: now } }));
	}
	return jsonResponse(200, { ok: true, last_world: end() });
}
