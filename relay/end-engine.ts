/**
 * The one call that the relay answers in the engine's place: ending it, since an engine that hangs answers nothing.
 * Owns: when it is done. Never: knows how.
 */

import { jsonResponse } from '../shared/contract/dispatch.ts';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { LastWorld } from '../shared/contract/link.ts';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import type { WireRequest, WireResponse } from '../shared/contract/wire.ts';
import { endEngine } from '../shared/routes/operations.ts';

const find = pathMatcher([endEngine]);

/** The world that is to be ended, where a call asks for that; undefined for any other call. */
export function worldToEnd({ method, path }: WireRequest): string | undefined {
	return method === endEngine.method ? find(path)?.values[0] : undefined;
}

/** Ends the engine that holds `world` with `end`, which answers how its world ended. `now` is the world that is held. */
export function endAnswer(world: string, now: string, end: () => LastWorld | null): WireResponse {
	if (world !== now) {
		const message = `The call is to end the world ${world.slice(0, 100)}, but this engine holds the world ${now}.`;
		return errorResponse(new ApiError('other_world', message, { details: { world: now } }));
	}
	return jsonResponse(200, { ok: true, last_world: end() });
}
