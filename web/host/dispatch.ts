/**
 * The one way of a call through the host, whether it came alone or within a batch.
 * Owns: the order of things: route, checks, access, its turn, its transaction, and the size of its answer.
 */

import { type CheckedCall, jsonResponse, statusOf } from '../../shared/contract/dispatch.ts';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError, Refusal, withCode } from '../../shared/contract/errors.ts';
import {
	type Agent,
	type Principal,
	requireAccess,
	requireFields,
	restrictedAgent,
} from '../../shared/contract/principal.ts';
import { canBeBatched, type Route } from '../../shared/contract/route.ts';
import type { RouteMatch } from '../../shared/contract/router.ts';
import { thingOf } from '../../shared/contract/thing.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import { runAction } from '../../shared/routes/actions.ts';
import { getFrame } from '../../shared/routes/camera.ts';
import { streamEvents, watch } from '../../shared/routes/operations.ts';
import { hasAssetName, withAssetHashes } from '../api/asset-names.ts';
import type { Context } from '../api/context.ts';
import { findRoute } from '../api/find-route.ts';
import { handlers } from '../api/index.ts';
import { RawAnswer } from '../api/raw-answer.ts';
import { findAction } from '../sim/actions/actions.ts';
import { MAIN, worldOf } from '../store/worlds.ts';
import type { EngineHost } from './engine-host.ts';
import { OwnershipCheck, requireMaker, requireOwnInputs } from './ownership-check.ts';

const handlerOf = new Map(handlers.map((handler) => [handler.route, handler]));

/** Calls that readers make all the time, at a pace of their own. */
export const UNCOUNTED: ReadonlySet<string> = new Set([getFrame.path, watch.path, streamEvents.path]);

/** Result of a call that changes something. */
export interface CallResult {
	readonly response: WireResponse;
	/** True if it was not refused. */
	readonly ok: boolean;
	/** Of a refused call: what to send instead. */
	readonly fix?: string;
	/** It was refused, so that it changed nothing but what it had made of ticks and requests before. */
	readonly threw?: true;
}

/** A call that changes something, on its way to be done. */
export interface CallChange {
	readonly host: EngineHost;
	readonly route: Route;
	/** The world that it is about. */
	readonly world: string;
	/**
	 * Asks its host for what takes long, before its turn; undefined if nothing does. Rejects as the call is then
	 * refused.
	 */
	readonly ahead: (() => Promise<unknown>) | undefined;
	/** Does it, on a host that may learn from elsewhere what is not in the worlds. Never rejects. */
	readonly apply: (on: EngineHost) => Promise<CallResult>;
}

/** Queueing of calls that come by themselves. */
export interface CallTurn {
	/** Counts a call, or as many as it makes. Throws `too_many_calls`. */
	count(agent: Agent, calls: number): void;
	/** Does a change when all that came before is done. Rejects with an `ApiError` when it is not done at all. */
	take(change: CallChange): Promise<CallResult>;
}

/** A call, however its body came. */
export interface Incoming {
	readonly method: string;
	/** Without its query. */
	readonly path: string;
	readonly principal: Principal;
	readonly accept: string;
	/** The session that it shows; undefined for none. */
	readonly session: string | undefined;
	/** The header Host; undefined for none. */
	readonly authority: string | undefined;
	/** The world that it is about when it names none. */
	readonly world: string;
	/** The most bytes that its answer may have. */
	readonly room: number;
	/** It is a call of a throw-away fork, and not within a batch or an action. */
	readonly aside?: boolean;
	/** Its turn among other writes; null for a call within another, whose turn it is already. */
	readonly turn: CallTurn | null;
	/** Refuses what is meant for another engine. Throws an `ApiError`. */
	readonly admit: () => void;
	/** Checks it against its route. Throws an `ApiError`. */
	readonly check: (match: RouteMatch) => CheckedCall;
}

export interface Dispatched {
	readonly response: WireResponse;
	/** True if it was not refused. */
	readonly ok: boolean;
	/** True if its route only reads. */
	readonly reads: boolean;
	/** The world that it was about. */
	readonly world: string;
	/** Of a refused call: what to send instead. */
	readonly fix?: string;
}

/** Answers a call. Never rejects: `internal` makes an error of whatever else was thrown. */
export async function dispatch(
	host: EngineHost,
	call: Incoming,
	internal: (error: unknown) => ApiError,
): Promise<Dispatched> {
	let route: Route | undefined;
	let { world } = call;
	try {
		call.admit();
		const match = findRoute(call.method, call.path);
		route = match.route;
		if (call.turn === null && !mayBeWithin(route, call))
			throw new ApiError('not_in_batch', `${route.method} ${route.path} cannot be part of a batch.`);
		// Before its body is looked at: that takes as long as the body is large.
		requireAccess(call.principal, route);
		const checked = call.check(match);
		if (route.world === false) {
			if (checked.world !== undefined) worldOf(host.worlds, checked.world);
			world = MAIN;
		} else if (checked.world !== undefined) world = checked.world;
		requireFields(call.principal, route, checked.body);
		const done = await inTurn(host, call, checked, world, internal);
		return { ...done, reads: route.effect === 'read', world };
	} catch (thrown) {
		return { ...refusalOf(thrown, route, internal), reads: route?.effect === 'read', world };
	}
}

function refusalOf(
	thrown: unknown,
	route: Route | undefined,
	internal: (error: unknown) => ApiError,
): CallResult {
	const error = thrown instanceof Refusal ? withCode(thrown, 'invalid_body') : internal(thrown);
	const response = errorResponse(error, statusOf(error.code, route));
	return { response, ok: false, fix: error.fix, threw: true };
}

/** Reads are done at once; everything else waits for what came before. */
function inTurn(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
	internal: (error: unknown) => ApiError,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	const { running } = host;
	const { agent } = call.principal;
	const { turn } = call;
	if (turn === null) return perform(host, call, checked, world);
	if (agent !== undefined && !UNCOUNTED.has(route.path)) turn.count(agent, callsIn(host, checked, world));
	running.world = world;
	if (route.effect === 'read') return inTime(host, perform(host, call, checked, world));
	const apply = async (on: EngineHost): Promise<CallResult> => {
		try {
			return await perform(on, call, checked, world);
		} catch (thrown) {
			return refusalOf(thrown, route, internal);
		}
	};
	const { ahead } = handlerOf.get(route)!;
	return turn.take({
		host,
		route,
		// What comes of a fork that replaces main is main.
		world: (route.effect === 'replace' ? undefined : forkIn(checked)) ?? world,
		ahead: ahead && (() => ahead(host, checked as never)),
		apply,
	});
}

/** Ends a read that takes too long, where it is asked next. */
function inTime(
	{ running, readMs }: EngineHost,
	done: CallResult | Promise<CallResult>,
): CallResult | Promise<CallResult> {
	if (!(done instanceof Promise)) return done;
	const late = setTimeout(() => {
		const message = `The read took longer than ${readMs / 1000} s.`;
		const fix = 'Ask for less: fewer branches, a smaller part of the history, or one world at a time.';
		running.cancel(new ApiError('timeout', message, { fix }));
	}, readMs);
	return done.finally(() => clearTimeout(late));
}

/** Returns true if another call may make this one. */
const mayBeWithin = (route: Route, { aside }: Incoming): boolean =>
	canBeBatched(route) || (aside === true && route.batch === 'aside');

/** Returns the number of calls that a call makes: those of a batch, of steps or of an action, or itself. */
function callsIn({ worlds }: EngineHost, { route, params, body }: CheckedCall, world: string): number {
	if (route.id === runAction.id) {
		const entry = worlds.find(world);
		const { requests = [] } = (entry && findAction(entry.world, String(params.name))) ?? {};
		return Math.max(1, requests.length);
	}
	if (route.runs === undefined) return 1;
	const listed = (body as Readonly<Record<string, readonly ListedRequests[]>>)[route.runs] ?? [];
	if (route.runs === 'requests') return listed.length;
	return listed.reduce((sum, { requests }) => sum + (requests?.length ?? 0), 1);
}

interface ListedRequests {
	readonly requests?: readonly unknown[] | null;
}

/** Returns the fork that a call names in its path; undefined for none. */
function forkIn({ route, params }: CheckedCall): string | undefined {
	const [named] = Object.entries(params).filter(([name]) => thingOf(route.params!.shape[name]!) === 'fork');
	return named?.[1] as string | undefined;
}

/** A change is made whole or not at all; a stepwise one sees to that for each of its steps. */
function perform(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	host.running.edge();
	host.running.requireWanted();
	if (route.effect === 'read') return answerOn(host, call, checked, world);
	const { principal } = call;
	const { agent } = principal;
	const owner = restrictedAgent(principal);
	if (owner !== undefined) requireOwnWorld(host, owner, checked, world);
	if (route.stepwise === true || route.overtakes === true) return answerOn(host, call, checked, world);
	const owned = agent === undefined ? undefined : new OwnershipCheck(owner, route.effect === 'write');
	return host.whole((on) => answerOn(on, call, checked, world), owned);
}

/** Throws `not_owner` if a call changes a fork that another made, or has inputs for an entity that is not the agent's. */
function requireOwnWorld({ worlds }: EngineHost, agent: Agent, checked: CheckedCall, world: string): void {
	const fork = forkIn(checked);
	const entry = fork === undefined ? worldOf(worlds, world) : worlds.fork(fork);
	const isShared = entry.id === MAIN && entry.maker === undefined;
	// A fork of a fork leaves that as it is.
	if (!isShared && checked.route.makes?.thing !== 'fork') requireMaker(agent, entry);
	requireOwnInputs(agent, entry.world, checked.body);
}

/** Returns the answer of a call's handler; at once where that gives it at once. */
function answerOn(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	const entry = worldOf(host.worlds, world);
	const { principal, accept, session, authority } = call;
	const context: Context = { host, entry, world: entry.world, principal, accept, session, authority };
	const { run } = handlerOf.get(route)!;
	// Most bodies name no such asset, and their calls are not made to wait for it.
	const answer: unknown = hasAssetName(checked.body)
		? withAssetHashes(host.assets, route.body!, checked.body).then((body) =>
				run(context, { ...checked, body } as never),
			)
		: run(context, checked as never);
	return answer instanceof Promise
		? answer.then((value: unknown) => responseOf(value, route, call.room))
		: responseOf(answer, route, call.room);
}

/**
 * Returns the response that says what a handler did. Throws `answer_too_large` for more bytes than there is room for.
 */
function responseOf(body: unknown, route: Route, room: number): CallResult {
	const done =
		body instanceof RawAnswer
			? { response: body.response, ok: body.response.status < 400 }
			: {
					response: jsonResponse(route.status ?? 200, { ok: true, ...(body as object) }),
					ok: (body as { readonly ok?: unknown }).ok !== false,
				};
	const { length } = done.response.body;
	if (length > room)
		throw new ApiError('answer_too_large', `The answer would have ${length} bytes; the limit is ${room}.`);
	return done;
}
