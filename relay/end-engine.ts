/**
 * Call that ends the engine. The relay answers it, because a hung engine answers nothing.
 * Owns: the checks of that call. Never: ends the engine itself.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { pathMatcher } from '../shared/contract/path-matcher.ts';
import { principalOfSession, requireAccess, tokenOf, withoutSession } from '../shared/contract/principal.ts';
import { END_ENGINE_PATH } from '../shared/contract/relay-paths.ts';
import { IDENTITY_HEADER, type WireRequest, type WireResponse } from '../shared/contract/wire.ts';
import type { SignIn } from './sign-in/sign-in.ts';

const METHOD = 'DELETE';
const matchesPath = pathMatcher([{ method: METHOD, path: END_ENGINE_PATH }]);

/** Loads the route with its schemas on demand. Few servers ever need them. */
const loadRoute = async () => (await import('../shared/routes/operations.ts')).endEngine;

/** Returns true for a call that ends the engine. */
export const isEndCall = ({ method, path }: WireRequest): boolean =>
	method === METHOD && matchesPath(path) !== undefined;

/** Rejects with `not_signed_in`, `auth_failed` or `not_allowed` unless the call shows the session of an operator. */
export async function requireOperator(signIn: SignIn, request: WireRequest): Promise<void> {
	const token = tokenOf(request);
	const session = token === undefined ? null : await signIn.session(token);
	const caller =
		session === null
			? withoutSession(request, 'relay', 'The call has no valid session token.')
			: principalOfSession(session, request, 'relay');
	requireAccess(caller, await loadRoute());
}

/**
 * Checks and answers a call that ends the engine. It calls `end` only if the path names `current`, the engine's
 * world. The identity header must name it too, if it is sent. The next engine loads that world.
 */
export async function answerEndCall(
	request: WireRequest,
	current: string,
	end: () => void,
): Promise<WireResponse> {
	const [route, { checkCall, jsonResponse }, { createRouter }] = await Promise.all([
		loadRoute(),
		import('../shared/contract/dispatch.ts'),
		import('../shared/contract/router.ts'),
	]);
	try {
		const { params } = checkCall(createRouter([route])(request.method, request.path), request);
		for (const world of [params.held_world as string, request.headers[IDENTITY_HEADER] ?? current]) {
			if (world === current) continue;
			const message = `The call names the world ${world.slice(0, 100)}, but this engine runs the world ${current}.`;
			throw new ApiError('other_world', message, { details: { world: current } });
		}
		end();
		return jsonResponse(200, { ok: true, last_world: null });
	} catch (error) {
		if (error instanceof ApiError) return errorResponse(error);
		throw error;
	}
}
