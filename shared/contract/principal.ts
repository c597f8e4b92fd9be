/**
 * The caller of a call, and the rights that a route requires.
 * Owns: the identity of a caller. It follows from its own name and its transport, or from its session alone where
 * writes need one.
 */

import { ApiError } from './errors.ts';
import type { Route } from './route.ts';
import type { Door, WireRequest } from './wire.ts';

/** Limits of an agent. */
export interface AgentLimits {
	readonly calls_per_second: number;
	/** Entities of its own in one world. */
	readonly entities: number;
	/** Forks at once. */
	readonly forks: number;
	/** Worlds beside main. */
	readonly worlds: number;
	/** Snapshots of one world; older ones are dropped. */
	readonly snapshots: number;
	/** Files in the data folder. */
	readonly files: number;
	/** Bytes of files in the data folder. */
	readonly file_bytes: number;
	/** Bytes of assets. */
	readonly asset_bytes: number;
	/** Bytes that its calls may add to the journal in an hour. */
	readonly journal_bytes: number;
	/** Models a day from providers that cost money, if the operator has set a budget. */
	readonly paid_models: number;
}

/** Agent that a session belongs to. */
export interface SignedIn {
	readonly agent_id: string;
	/** Value of `agent_id` of its entities. */
	readonly number: number;
	readonly access: Access;
	readonly limits: AgentLimits;
	/** Seconds until it ends. */
	readonly seconds_left: number;
}

/** `read`: looks. `write`: changes worlds. `admin`: reaches beyond the worlds, into files or the calls of others. */
export type Access = 'read' | 'write' | 'admin';

export interface Principal {
	/** Name that the caller gives itself, in `X-Agent` or else `User-Agent`; may be empty. */
	readonly name: string;
	/** `agent`: gave its name in X-Agent. `person`: at the page. `program`: anything else. */
	readonly kind: 'agent' | 'person' | 'program';
	readonly may: readonly Access[];
	/** Agent that its session belongs to; undefined without one. */
	readonly agent?: Agent;
	/** With a session: what it calls itself beside that, which the list of calls shows for what only reads. */
	readonly said?: string;
	/** Reason that it has no session, as a sentence, where writes take one. */
	readonly unsigned?: string;
	/** It may have one: the server cannot say. */
	readonly unclear?: true;
}

export interface Agent {
	/** Value of `agent_id` of its entities. */
	readonly number: number;
	readonly id: string;
	readonly limits: AgentLimits;
}

/** Caller name of a page's calls that no person caused: the page asks for the data that it shows. */
export const PANELS = 'panels';

const EVERYTHING: readonly Access[] = ['read', 'write', 'admin'];

export function principalOf({ headers }: WireRequest, door: Door): Principal {
	const agent = headers['x-agent'];
	const name = agent ?? headers['user-agent'] ?? '';
	const kind = door === 'page' ? 'person' : agent === undefined ? 'program' : 'agent';
	return { name, kind, may: EVERYTHING };
}

/** Caller with a session: it is the agent that the session belongs to, whatever name it gives. */
export function signedInAs(
	{ agent_id, number, access, limits }: SignedIn,
	{ headers }: Pick<WireRequest, 'headers'>,
	door: Door,
): Principal {
	const header = headers['x-agent'];
	return {
		name: agent_id,
		kind: door === 'page' ? 'person' : 'agent',
		may: EVERYTHING.slice(0, EVERYTHING.indexOf(access) + 1),
		agent: { number, id: agent_id, limits },
		...(header === undefined ? {} : { said: header }),
	};
}

/** Returns a caller without a session, where writes take one: it may look. */
export function withoutSession(request: WireRequest, door: Door, why: string): Principal {
	return { ...principalOf(request, door), may: ['read'], unsigned: why };
}

/** Caller whose session currently cannot be checked, with the reason: it may only read. */
export function withUnclearSession(request: WireRequest, door: Door, why: string): Principal {
	return { ...withoutSession(request, door, why), unclear: true };
}

/** Returns the session that a call shows: `Authorization: Bearer TOKEN`, the scheme in any letter case. */
export function tokenOf({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
	return /^bearer +([\w-]+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
}

/** Returns true if the caller may also change entities, files and forks of others. */
export const isOperator = ({ may }: Principal): boolean => may.includes('admin');

/**
 * Returns the agent of a caller that may change only its own things; undefined for an operator, and if no caller
 * signs in.
 */
export const restricted = (principal: Principal): Agent | undefined =>
	isOperator(principal) ? undefined : principal.agent;

/** Rights that a route requires: declared, or implied by its effect. */
export function accessOf(route: Route): Access {
	return route.access ?? (route.effect === 'read' ? 'read' : 'write');
}

/** Throws `not_signed_in`, `auth_failed` or `not_allowed` if a caller may not use a route. */
export function requireAccess(principal: Principal, route: Route): void {
	requireMay(principal, accessOf(route), `${route.method} ${route.path}`);
}

/** Throws the same if a body has a field that its sender may not send. */
export function requireFields(
	principal: Principal,
	{ method, path, adminFields = [] }: Route,
	body: unknown,
): void {
	for (const field of adminFields) {
		if ((body as Readonly<Record<string, unknown>> | undefined)?.[field] == null) continue;
		const fix = `Leave out "${field}", or ask an operator to send it.`;
		requireMay(principal, 'admin', `"${field}" of ${method} ${path}`, fix);
	}
}

/** Throws the same if a caller may not do what `what` names. `fix` replaces the usual advice. */
export function requireMay(
	{ name, may, unsigned, unclear }: Principal,
	needed: Access,
	what: string,
	fix?: string,
): void {
	if (may.includes(needed)) return;
	const advice = fix === undefined ? {} : { fix };
	if (unclear) throw new ApiError('auth_failed', `${what} requires a session. ${unsigned}`, advice);
	if (unsigned !== undefined)
		throw new ApiError('not_signed_in', `${what} requires a session. ${unsigned}`, {
			...advice,
			headers: { 'www-authenticate': 'Bearer' },
		});
	const caller = name === '' ? 'This caller' : `"${name}"`;
	throw new ApiError('not_allowed', `${caller} has no ${needed} access, which ${what} requires.`, advice);
}
