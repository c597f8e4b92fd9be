/**
 * The one way of a call through the host, whether it came alone or within a batch.
 * Owns: the order of things: route, checks, access, its turn, its transaction, and the size of its answer.
 */

import { type Checked, jsonResponse, statusOf } from '../../shared/contract/dispatch.ts';
import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import { type Principal, requireAccess } from '../../shared/contract/principal.ts';
import type { Route } from '../../shared/contract/route.ts';
import { createRouter, type Match } from '../../shared/contract/router.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import { routes } from '../../shared/routes/index.ts';
import { handlers } from '../api/index.ts';
import { RawAnswer } from '../api/raw-answer.ts';
import type { Context } from './context.ts';
import type { EngineHost } from './engine-host.ts';
import { MAIN, type WorldEntry, type Worlds } from './worlds.ts';
import type { WriteQueue } from './write-queue.ts';

const find = createRouter(routes);
const handlerOf = new Map(handlers.map(({ route, run }) => [route, run]));

/** A call, however its body came. */
export interface Incoming {
	readonly method: string;
	/** Without its query. */
	readonly path: string;
	readonly principal: Principal;
	readonly accept: string;
	/** The world that it is about when it names none. */
	readonly world: string;
	/** The most bytes that its answer may have. */
	readonly room: number;
	/** Its turn among other writes; null for a call within another, whose turn it is already. */
	readonly queue: WriteQueue | null;
	/** Refuses what is meant for another engine. Throws an `ApiError`. */
	readonly admit: () => void;
	/** Checks it against its route. Throws an `ApiError`. */
	readonly check: (match: Match) => Checked;
}

export interface Outcome {
	readonly response: WireResponse;
	/** Whether it was not refused. */
	readonly ok: boolean;
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
): Promise<Outcome> {
	let route: Route | undefined;
	let { world } = call;
	try {
		call.admit();
		const match = find(call.method, call.path);
		route = match.route;
		if (call.queue === null && route.batch === false)
			throw new ApiError('not_in_batch', `${route.method} ${route.path} cannot be part of a batch.`);
		const checked = call.check(match);
		if (route.world !== false && checked.world !== undefined) world = checked.world;
		else if (route.world === false) world = MAIN;
		requireAccess(call.principal, route);
		const done = await inTurn(host, call, checked, world);
		return { ...done, world };
	} catch (thrown) {
		const error = thrown instanceof ApiError ? thrown : internal(thrown);
		return { response: errorResponse(error, statusOf(error.code, route)), ok: false, world, fix: error.fix };
	}
}

type Done = Pick<Outcome, 'response' | 'ok'>;

/** Reads, and what has to stop a write, are done at once; everything else waits for what came before. */
function inTurn(host: EngineHost, call: Incoming, checked: Checked, world: string): Promise<Done> {
	const { route } = checked;
	const { running } = host;
	if (call.queue === null) return perform(host, call, checked, world);
	running.world = world;
	if (route.effect === 'read' || route.overtakes === true) return perform(host, call, checked, world);
	return call.queue.post(
		() => {
			running.waiting = false;
			return perform(host, call, checked, world);
		},
		(ticket) => {
			running.waiting = true;
			running.onCancel = () =>
				ticket.leave(new ApiError('cancelled', 'The call was cancelled before it started.'));
		},
	);
}

/** A change is made whole or not at all; a stepwise one sees to that for each of its steps. */
async function perform(host: EngineHost, call: Incoming, checked: Checked, world: string): Promise<Done> {
	const { route } = checked;
	host.running.requireWanted();
	const answer = (on: EngineHost) => answerOf(on, call, checked, world);
	if (route.effect === 'read' || route.stepwise === true || route.overtakes === true) return answer(host);
	return host.whole(answer);
}

async function answerOf(host: EngineHost, call: Incoming, checked: Checked, world: string): Promise<Done> {
	const { route } = checked;
	const entry = worldOf(host.worlds, world);
	const context: Context = {
		host,
		entry,
		world: entry.world,
		principal: call.principal,
		accept: call.accept,
	};
	const said: unknown = await handlerOf.get(route)!(context, checked as never);
	const done =
		said instanceof RawAnswer
			? { response: said.response, ok: said.response.status < 400 }
			: {
					response: jsonResponse(route.status ?? 200, { ok: true, ...(said as object) }),
					ok: (said as { readonly ok?: unknown }).ok !== false,
				};
	const { length } = done.response.body;
	if (length > call.room)
		throw new ApiError(
			'answer_too_large',
			`The answer would have ${length} bytes; ${call.room} are allowed.`,
		);
	return done;
}

function worldOf(among: Worlds, id: string): WorldEntry {
	const entry = among.find(id);
	if (entry !== undefined) return entry;
	const fix = suggestion(id, [MAIN, ...among.forkIds()]);
	throw new ApiError('unknown_world', `There is no world "${id}".`, { fix });
}
