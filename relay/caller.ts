/**
 * Kinds of callers over HTTP that the relay treats differently.
 * Owns: the kind of a caller, from the session of its call. Never: decides what a caller may do with a world.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { tokenOf } from '../shared/contract/principal.ts';
import { HEALTH_PATH, LOGIN_PATH, SESSION_PATH } from '../shared/contract/relay-paths.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/**
 * `own`: the relay itself. `admin`: may use every place. `agent`, with its number: not those that are kept for admins. `reader`: an
 * agent that may only read. `anonymous`: has no session and shares one budget with all others without. `entering`: has no session either, and
 * makes a call that such a flood must not keep out; these calls have a budget of their own.
 */
export type CallerKey = 'own' | 'admin' | `${'agent' | 'reader'} ${number}` | 'anonymous' | 'entering';

/** Calls for signing in, and for health checks. All are quick. */
const ENTERING: ReadonlySet<string> = new Set([HEALTH_PATH, LOGIN_PATH, SESSION_PATH]);

/**
 * Returns the kind of caller on a server with sign-in. Never rejects: a session that cannot be looked up counts as none here, and the
 * engine answers with the reason.
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
	return ENTERING.has(path) ? 'entering' : 'anonymous';
}

/** Returns true if a call may have a document as its body: reads take none, and other callers only read. */
export const mayWrite = (caller: CallerKey): boolean =>
	caller === 'own' || caller === 'admin' || caller.startsWith('agent ');
