/**
 * The path of every call through the host, alone or within a batch.
 * Owns: the order of the steps: route, access, checks, queue, transaction, and the size of the answer.
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

const handlerByRoute = new Map(handlers.map((handler) => [handler.route, handler]));

/** Paths of the calls that views poll. They are neither counted nor logged. */
export const UNCOUNTED: ReadonlySet<string> = new Set([getFrame.path, watch.path, streamEvents.path]);

/** Result of a call, before its context is added. */
export interface CallResult {
	readonly response: WireResponse;
	/** False if the call was refused, or if its answer has `ok: false`. */
	readonly ok: boolean;
	/** Correction for a refused call. */
	readonly fix?: string;
	/** True if the call was refused. A stepwise call may have changed worlds before the refusal. */
	readonly isRefused?: true;
}

/** A checked call that changes something, ready to be queued. */
export interface CallChange {
	readonly host: EngineHost;
	readonly route: Route;
	/** Id of the world that the call changes. */
	readonly world: string;
	/** Fetches slow data from the host before the call runs; undefined if the route needs none. Rejects with the refusal. */
	readonly prepare: (() => Promise<unknown>) | undefined;
	/** Runs the call on a host. The caller chooses the host's outside facts. Never rejects. */
	readonly apply: (host: EngineHost) => Promise<CallResult>;
}

/** Queue of calls that are not part of another call. */
export interface CallQueue {
	/** Adds calls to the count of an agent. Throws `too_many_calls`. */
	countCalls(agent: Agent, calls: number): void;
	/** Runs a change after all earlier ones. Rejects with an `ApiError` if the change does not run. */
	run(change: CallChange): Promise<CallResult>;
}

/** A call, from any transport or from a batch. */
export interface Incoming {
	readonly method: string;
	/** Path without the query. */
	readonly path: string;
	readonly principal: Principal;
	readonly accept: string;
	/** Token of the session that the call sends; undefined without one. */
	readonly session: string | undefined;
	/** Value of the header Host; undefined without one. */
	readonly authority: string | undefined;
	/** World of the call if it names none. */
	readonly world: string;
	/** Maximum size of the answer in bytes. */
	readonly maxAnswerBytes: number;
	/** True for a call in a throw-away fork, outside batches and actions. */
	readonly isAside?: boolean;
	/** Queue of the writes; null for a call within another, which runs immediately. */
	readonly queue: CallQueue | null;
	/** Throws an `ApiError` if the call is meant for another engine. */
	readonly admit: () => void;
	/** Checks the call against its route. Throws an `ApiError`. */
	readonly check: (match: RouteMatch) => CheckedCall;
}

export interface Dispatched {
	readonly response: WireResponse;
	/** False if the call was refused, or if its answer has `ok: false`. */
	readonly ok: boolean;
	/** True if the route only reads. */
	readonly isRead: boolean;
	/** Id of the call's world. */
	readonly world: string;
	/** Correction for a refused call. */
	readonly fix?: string;
}

/** Answers a call. Never rejects: `reportFault` converts any error that is not a refusal. */
export async function dispatch(
	host: EngineHost,
	call: Incoming,
	reportFault: (error: unknown) => ApiError,
): Promise<Dispatched> {
	let route: Route | undefined;
	let { world } = call;
	try {
		call.admit();
		const match = findRoute(call.method, call.path);
		route = match.route;
		if (call.queue === null && !canBeInner(route, call))
			throw new ApiError('not_in_batch', `${route.method} ${route.path} cannot be part of a batch.`);
		// The rights are checked before the body, because parsing a large body takes long.
		requireAccess(call.principal, route);
		const checked = call.check(match);
		if (route.world === false) {
			if (checked.world !== undefined) worldOf(host.worlds, checked.world);
			world = MAIN;
		} else if (checked.world !== undefined) world = checked.world;
		requireFields(call.principal, route, checked.body);
		const done = await runOrQueue(host, call, checked, world, reportFault);
		return { ...done, isRead: route.effect === 'read', world };
	} catch (thrown) {
		return { ...refusalOf(thrown, route, reportFault), isRead: route?.effect === 'read', world };
	}
}

function refusalOf(
	thrown: unknown,
	route: Route | undefined,
	reportFault: (error: unknown) => ApiError,
): CallResult {
	const error = thrown instanceof Refusal ? withCode(thrown, 'invalid_body') : reportFault(thrown);
	const response = errorResponse(error, statusOf(error.code, route));
	return { response, ok: false, fix: error.fix, isRefused: true };
}

/** Runs a read or an inner call immediately. Queues any other call. */
function runOrQueue(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
	internal: (error: unknown) => ApiError,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	const { running } = host;
	const { agent } = call.principal;
	const { queue } = call;
	if (queue === null) return perform(host, call, checked, world);
	if (agent !== undefined && !UNCOUNTED.has(route.path))
		queue.countCalls(agent, callsIn(host, checked, world));
	running.world = world;
	if (route.effect === 'read') return limitRead(host, perform(host, call, checked, world));
	const apply = async (on: EngineHost): Promise<CallResult> => {
		try {
			return await perform(on, call, checked, world);
		} catch (thrown) {
			return refusalOf(thrown, route, internal);
		}
	};
	const { prepare } = handlerByRoute.get(route)!;
	return queue.run({
		host,
		route,
		// A fork that replaces main changes main.
		world: (route.effect === 'replace' ? undefined : forkIn(checked)) ?? world,
		prepare: prepare && (() => prepare(host, checked as never)),
		apply,
	});
}

/** Cancels a read that takes too long. It ends at its next edge. */
function limitRead(
	{ running, readMs }: EngineHost,
	done: CallResult | Promise<CallResult>,
): CallResult | Promise<CallResult> {
	if (!(done instanceof Promise)) return done;
	const timer = setTimeout(() => {
		const message = `The read took longer than ${readMs / 1000} s.`;
		const fix = 'Ask for less: fewer branches, a smaller part of the history, or one world at a time.';
		running.cancel(new ApiError('timeout', message, { fix }));
	}, readMs);
	return done.finally(() => clearTimeout(timer));
}

/** Returns true if another call may contain a call of this route. */
const canBeInner = (route: Route, { isAside }: Incoming): boolean =>
	canBeBatched(route) || (isAside === true && route.batch === 'aside');

/** Returns the number of calls to count: the requests of a batch, of steps or of an action, otherwise 1. */
function callsIn({ worlds }: EngineHost, { route, params, body }: CheckedCall, world: string): number {
	if (route.id === runAction.id) {
		const entry = worlds.find(world);
		const { requests = [] } = (entry && findAction(entry.world, String(params.name))) ?? {};
		return Math.max(1, requests.length);
	}
	if (route.runs === undefined) return 1;
	const lists = (body as Readonly<Record<string, readonly RequestList[]>>)[route.runs] ?? [];
	if (route.runs === 'requests') return lists.length;
	return lists.reduce((sum, { requests }) => sum + (requests?.length ?? 0), 1);
}

interface RequestList {
	readonly requests?: readonly unknown[] | null;
}

/** Returns the fork that a call names in its path; undefined without one. */
function forkIn({ route, params }: CheckedCall): string | undefined {
	const [forkParam] = Object.entries(params).filter(
		([name]) => thingOf(route.params!.shape[name]!) === 'fork',
	);
	return forkParam?.[1] as string | undefined;
}

/** Applies a call completely or not at all. A stepwise call does so for each of its steps. */
function perform(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	host.running.countEdge();
	host.running.requireRunning();
	if (route.effect === 'read') return callHandler(host, call, checked, world);
	const { principal } = call;
	const { agent } = principal;
	const owner = restrictedAgent(principal);
	if (owner !== undefined) requireOwnWorld(host, owner, checked, world);
	if (route.stepwise === true || route.overtakes === true) return callHandler(host, call, checked, world);
	const ownership = agent === undefined ? undefined : new OwnershipCheck(owner, route.effect === 'write');
	return host.whole((on) => callHandler(on, call, checked, world), ownership);
}

/** Throws `not_owner` if a call changes another maker's fork, or has inputs for another owner's entity. */
function requireOwnWorld({ worlds }: EngineHost, agent: Agent, checked: CheckedCall, world: string): void {
	const fork = forkIn(checked);
	const entry = fork === undefined ? worldOf(worlds, world) : worlds.fork(fork);
	const isShared = entry.id === MAIN && entry.maker === undefined;
	// A call that forks a fork does not change the forked one.
	if (!isShared && checked.route.makes?.thing !== 'fork') requireMaker(agent, entry);
	requireOwnInputs(agent, entry.world, checked.body);
}

/** Returns the answer of a call's handler, as a promise only if the handler returns one. */
function callHandler(
	host: EngineHost,
	call: Incoming,
	checked: CheckedCall,
	world: string,
): CallResult | Promise<CallResult> {
	const { route } = checked;
	const entry = worldOf(host.worlds, world);
	const { principal, accept, session, authority } = call;
	const context: Context = { host, entry, world: entry.world, principal, accept, session, authority };
	const { run } = handlerByRoute.get(route)!;
	// Most bodies name no asset, so their calls need not wait.
	const answer: unknown = hasAssetName(checked.body)
		? withAssetHashes(host.assets, route.body!, checked.body).then((body) =>
				run(context, { ...checked, body } as never),
			)
		: run(context, checked as never);
	return answer instanceof Promise
		? answer.then((value: unknown) => responseOf(value, route, call.maxAnswerBytes))
		: responseOf(answer, route, call.maxAnswerBytes);
}

/** Returns the response with a handler's answer. Throws `answer_too_large` above the maximum size. */
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
