/**
 * Caller of a call, and the rights that a route requires.
 * Owns: the identity of a caller. It follows from the session, if the server needs sessions. Otherwise it follows from the
 * name in the call and from its transport.
 */

import { ApiError } from './errors.ts';
import type { Route } from './route.ts';
import type { Transport, WireRequest } from './wire.ts';

/** Limits of an agent. */
export interface AgentLimits {
	readonly calls_per_second: number;
	/** Maximum number of its entities in one world. */
	readonly entities: number;
	/** Maximum number of its forks. */
	readonly forks: number;
	/** Maximum number of its worlds beside main. */
	readonly worlds: number;
	/** Maximum number of its snapshots of one world. Beyond it the oldest is dropped. */
	readonly snapshots: number;
	/** Maximum number of its files in the data folder. */
	readonly files: number;
	/** Maximum bytes of its files in the data folder. */
	readonly file_bytes: number;
	/** Maximum bytes of its assets. */
	readonly asset_bytes: number;
	/** Maximum bytes that its calls may add to the journal in an hour. */
	readonly journal_bytes: number;
	/** Maximum models per day from paid providers, if the operator has set a budget. */
	readonly paid_models: number;
}

/** Session of a call, with its agent. */
export interface AgentSession {
	readonly agent_id: string;
	/** Value of `agent_id` of its entities. */
	readonly number: number;
	readonly access: Access;
	readonly limits: AgentLimits;
	/** Seconds until the session ends. */
	readonly seconds_left: number;
}

/** `read`: may read. `write`: may change worlds. `admin`: may also use files and change things of other agents. */
export type Access = 'read' | 'write' | 'admin';

export interface Principal {
	/** Name in the header `X-Agent`, or otherwise in `User-Agent`; may be empty. With a session: id of its agent. */
	readonly name: string;
	/** `agent`: has a session, or the header X-Agent. `person`: uses the page. `program`: any other caller. */
	readonly kind: 'agent' | 'person' | 'program';
	readonly may: readonly Access[];
	/** Agent that its session belongs to; undefined without one. */
	readonly agent?: Agent;
	/** With a session: its name in `X-Agent`. The list of calls shows it for calls that only read. */
	readonly said?: string;
	/** If the server needs sessions: reason that the caller has none, as a sentence. */
	readonly unsigned?: string;
	/** True if the server cannot check the session at the moment. */
	readonly unclear?: true;
}

export interface Agent {
	/** Value of `agent_id` of its entities. */
	readonly number: number;
	readonly id: string;
	readonly limits: AgentLimits;
}

/** Name in calls of the page that no person has caused, because the page reads the data that it shows. */
export const PANELS = 'panels';

const EVERYTHING: readonly Access[] = ['read', 'write', 'admin'];

/** Returns the caller of a call without a session, on a server that needs none. */
export function principalOf({ headers }: WireRequest, transport: Transport): Principal {
	const agent = headers['x-agent'];
	const name = agent ?? headers['user-agent'] ?? '';
	const kind = transport === 'page' ? 'person' : agent === undefined ? 'program' : 'agent';
	return { name, kind, may: EVERYTHING };
}

/** Returns a caller with a session. It is the agent of the session, even if the call has another name. */
export function principalOfSession(
	{ agent_id, number, access, limits }: AgentSession,
	{ headers }: Pick<WireRequest, 'headers'>,
	transport: Transport,
): Principal {
	const header = headers['x-agent'];
	return {
		name: agent_id,
		kind: transport === 'page' ? 'person' : 'agent',
		may: EVERYTHING.slice(0, EVERYTHING.indexOf(access) + 1),
		agent: { number, id: agent_id, limits },
		...(header === undefined ? {} : { said: header }),
	};
}

/** Returns a caller without a session on a server that needs sessions. It may only read. `reason`: a sentence. */
export function withoutSession(request: WireRequest, transport: Transport, reason: string): Principal {
	return { ...principalOf(request, transport), may: ['read'], unsigned: reason };
}

/** Returns a caller whose session cannot be checked at the moment. It may only read. `reason`: a sentence. */
export function withUnclearSession(request: WireRequest, transport: Transport, reason: string): Principal {
	return { ...withoutSession(request, transport, reason), unclear: true };
}

/** Returns the session token in the header `Authorization: Bearer TOKEN`; undefined without one. */
export function tokenOf({ headers }: Pick<WireRequest, 'headers'>): string | undefined {
	return /^bearer +([\w-]+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
}

/** Returns true if the caller may also change entities, files and forks of others. */
export const isOperator = ({ may }: Principal): boolean => may.includes('admin');

/**
 * Returns the agent of a caller that may change only its own things; undefined for an operator, and if no caller
 * signs in.
 */
export const restrictedAgent = (principal: Principal): Agent | undefined =>
	isOperator(principal) ? undefined : principal.agent;

/** Returns the access that a route requires: the declared one, or that of its effect. */
export function accessOf(route: Route): Access {
	return route.access ?? (route.effect === 'read' ? 'read' : 'write');
}

/** Throws `not_signed_in`, `auth_failed` or `not_allowed` if a caller may not use a route. */
export function requireAccess(principal: Principal, route: Route): void {
	requireMay(principal, accessOf(route), `${route.method} ${route.path}`);
}

/** Throws the errors of `requireAccess` if a body has a field that its sender may not send. */
export function requireFields(
	principal: Principal,
	{ method, path, adminFields = [] }: Route,
	body: unknown,
): void {
	for (const field of adminFields) {
		if ((body as Readonly<Record<string, unknown>> | undefined)?.[field] == null) continue;
		const fix = `Omit "${field}", or ask an operator to send it.`;
		requireMay(principal, 'admin', `"${field}" of ${method} ${path}`, fix);
	}
}

/** Throws the errors of `requireAccess` unless the caller has an access. `subject`: the thing that needs it. `fix`: replaces the default advice. */
export function requireMay(
	{ name, may, unsigned, unclear }: Principal,
	needed: Access,
	subject: string,
	fix?: string,
): void {
	if (may.includes(needed)) return;
	const advice = fix === undefined ? {} : { fix };
	if (unclear) throw new ApiError('auth_failed', `${subject} requires a session. ${unsigned}`, advice);
	if (unsigned !== undefined)
		throw new ApiError('not_signed_in', `${subject} requires a session. ${unsigned}`, {
			...advice,
			headers: { 'www-authenticate': 'Bearer' },
		});
	const caller = name === '' ? 'This caller' : `"${name}"`;
	throw new ApiError('not_allowed', `${caller} has no ${needed} access, which ${subject} requires.`, advice);
}
