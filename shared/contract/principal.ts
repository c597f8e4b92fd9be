/**
 * Who makes a call, and what a route asks of them.
 * Owns: how a caller is known: by the name that it gives itself and the way it comes. Everybody may do everything so far.
 */

import { ApiError } from './errors.ts';
import type { Route } from './route.ts';
import type { Door, WireRequest } from './wire.ts';

/** `read`: looks. `write`: changes worlds. `admin`: reaches beyond the worlds, into files or the calls of others. */
export type Access = 'read' | 'write' | 'admin';

export interface Principal {
	/** What it calls itself, in `X-Agent` or else `User-Agent`; may be empty. */
	readonly name: string;
	/** `agent`: gave its name in X-Agent. `person`: at the page. `program`: anything else. */
	readonly kind: 'agent' | 'person' | 'program';
	readonly may: readonly Access[];
}

const EVERYTHING: readonly Access[] = ['read', 'write', 'admin'];

export function principalOf({ headers }: WireRequest, door: Door): Principal {
	const agent = headers['x-agent'];
	const name = agent ?? headers['user-agent'] ?? '';
	const kind = door === 'page' ? 'person' : agent === undefined ? 'program' : 'agent';
	return { name, kind, may: EVERYTHING };
}

/** What a route asks of its callers: what it declares, or what its effect implies. */
export function accessOf(route: Route): Access {
	return route.access ?? (route.effect === 'read' ? 'read' : 'write');
}

/** Throws `not_allowed` when a caller may not use a route. */
export function requireAccess({ name, may }: Principal, route: Route): void {
	const needed = accessOf(route);
	if (may.includes(needed)) return;
	throw new ApiError(
		'not_allowed',
		`${name === '' ? 'This caller' : `"${name}"`} may not ${needed}, as ${route.method} ${route.path} does.`,
	);
}
