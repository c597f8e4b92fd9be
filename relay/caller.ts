/**
 * Kinds of callers over HTTP, which the relay treats differently.
 * Owns: the kind of a caller, from the session of its call. Never: checks the rights of a call; the engine does.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { tokenOf } from '../shared/contract/principal.ts';
import { HEALTH_PATH, LOGIN_PATH, SESSION_PATH } from '../shared/contract/relay-paths.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/**
 * Key of a caller: its kind, with its number if it has one.
 * `own`: the relay itself.
 * `admin`: may use all capacity.
 * `agent` with its number: may not use the capacity that is reserved for admins.
 * `reader` with its number: an agent that may only read.
 * `anonymous`: has no session. All anonymous callers share one budget.
 * `entering`: has no session, and signs in or checks health. Its budget is separate, so that a flood of anonymous calls
 * cannot block signing in.
 */
export type CallerKey = 'own' | 'admin' | `${'agent' | 'reader'} ${number}` | 'anonymous' | 'entering';

/** Calls for signing in, and for health checks. All are quick. */
const ENTRY_PATHS: ReadonlySet<string> = new Set([HEALTH_PATH, LOGIN_PATH, SESSION_PATH]);

/**
 * Returns the key of the caller on a server with sign-in. Never rejects: if the lookup fails, the call counts as
 * anonymous, and the engine reports the reason.
 */
export async function callerOf(
	signIn: SignIn,
	path: string,
	headers: IncomingHttpHeaders,
): Promise<CallerKey> {
	const { authorization } = headers;
	const token = tokenOf({ headers: authorization === undefined ? {} : { authorization } });
	const session = token === undefined ? null : await signIn.session(token).catch(() => null);
	if (session !== null) {
		const { access, number } = session;
		return access === 'admin' ? access : `${access === 'write' ? 'agent' : 'reader'} ${number}`;
	}
	return ENTRY_PATHS.has(path) ? 'entering' : 'anonymous';
}

/** Returns true if a caller may write. Other callers may send only small bodies. */
export const canWrite = (caller: CallerKey): boolean =>
	caller === 'own' || caller === 'admin' || caller.startsWith('agent ');
