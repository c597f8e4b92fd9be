/**
 * The calls that run and those that wait for their turn.
 * Owns: their numbers, their senders, their progress, and requests to stop.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Agent, isOperator, type Principal } from '../../shared/contract/principal.ts';
import { EventMarks } from './event-marks.ts';
import type { WorldEntry } from './worlds.ts';

/** Reason to end a call early: it was cancelled, its world was paused, or a verified tick differed. */
export type Stop = 'cancelled' | 'paused' | 'diverged';

export class RunningCall {
	/** Number of the call, counted from 1. */
	readonly number: number;
	readonly method: string;
	readonly path: string;
	readonly principal: Principal;
	/** Milliseconds on the engine's clock. */
	readonly arrived: number;
	/** True while it waits for earlier writes. */
	waiting = false;
	/** World of the call: main, or a fork's id. */
	world: string;
	/** World that it advanced last, and probably advances next. */
	advancing: WorldEntry | null = null;
	/** Deaths and other marked events on its ticks. */
	readonly happened = new EventMarks();
	/** Number of ticks that it has run. */
	ticks = 0;
	/** Tick of its world at the end of its turn; null before, and for a call without a turn. */
	done: number | null = null;
	/** Requests of a batch that were answered. */
	requests = 0;
	stop: Stop | null = null;
	/** Refusal for its caller, if the call stops. Unknown while the call is re-run. */
	refusal: ApiError | null = null;
	/** Number of edges of ticks and requests that it has passed: its exact progress. */
	edges = 0;
	/** First edge at which it ended early, and the reason; null if it did not. */
	ended: { readonly edge: number; readonly why: Stop } | null = null;
	/** Edge at which a replay must end it, because the recorded call ended there. */
	endsAt: { readonly edge: number; readonly why: Stop } | null = null;
	/** Returns true if a replay must end at this tick of the advancing world, to keep the state of that tick. */
	endsWhen: ((advancing: WorldEntry) => boolean) | null = null;
	/** Called once when it is cancelled. */
	onCancel: () => void = () => {};

	constructor(
		number: number,
		{ method, path }: { readonly method: string; readonly path: string },
		principal: Principal,
		arrived: number,
		world: string,
	) {
		this.number = number;
		this.method = method;
		this.path = path;
		this.principal = principal;
		this.arrived = arrived;
		this.world = world;
	}

	/** Ends it at the next edge of a tick or request. `why`: its refusal; `cancelled` if null. */
	cancel(why: ApiError | null = null): void {
		if (this.stop === 'cancelled' || this.stop === 'diverged') return;
		this.stop = 'cancelled';
		this.refusal = why;
		this.onCancel();
	}

	/** Ends it at its next edge with this refusal, because a verified tick differed. */
	diverge(why: ApiError): void {
		this.stop = 'diverged';
		this.refusal = why;
	}

	/** Counts the edge of a tick or of a request, at which the call may end. */
	edge(): void {
		this.edges++;
		if (this.endsAt?.edge === this.edges) this.stop = this.endsAt.why;
		const { endsWhen, advancing } = this;
		if (endsWhen !== null && advancing !== null && endsWhen(advancing)) this.stop ??= 'paused';
	}

	/** Returns the reason to end at this edge; null to continue. The caller must end if there is one. */
	endsHere(): Stop | null {
		if (this.stop !== null) this.ended ??= { edge: this.edges, why: this.stop };
		return this.stop;
	}

	/** Throws `cancelled` if the call was cancelled, and `diverged` if a tick differed. Called at the edges of ticks, requests and slices. */
	requireWanted(): void {
		if (this.stop === null || this.stop === 'paused') return;
		this.endsHere();
		if (this.refusal !== null) throw this.refusal;
		if (this.stop === 'cancelled') throw new ApiError('cancelled', 'The call was cancelled.');
		throw new ApiError('diverged', 'A repeated tick gave a different result.');
	}
}

/** Maximum number of unanswered calls of one agent. All callers together may have about a thousand. */
const MAX_UNANSWERED = 128;

export class CallList {
	readonly #calls = new Map<number, RunningCall>();
	#last = 0;

	/** The number of the newest call. */
	get last(): number {
		return this.#last;
	}

	/** Enters a call that has just arrived; `leave` must follow. */
	enter(
		request: { readonly method: string; readonly path: string },
		principal: Principal,
		now: number,
		world: string,
	): RunningCall {
		const call = new RunningCall(++this.#last, request, principal, now, world);
		this.#calls.set(call.number, call);
		return call;
	}

	/** Throws `too_many_calls` if an agent has too many unanswered calls, including the newest. */
	requirePlace({ number, id }: Agent): void {
		const own = this.all().filter(({ principal }) => principal.agent?.number === number);
		if (own.length > MAX_UNANSWERED)
			throw new ApiError('too_many_calls', `"${id}" already has ${MAX_UNANSWERED} unanswered calls.`, {
				headers: { 'retry-after': '1' },
			});
	}

	leave(call: RunningCall): void {
		this.#calls.delete(call.number);
	}

	find(number: number): RunningCall | undefined {
		return this.#calls.get(number);
	}

	/** Returns all calls in the order of their arrival. */
	all(): RunningCall[] {
		return [...this.#calls.values()];
	}

	/** Returns the number of other calls that advance a world and do not end soon. */
	stepping(entry: WorldEntry, by: RunningCall): number {
		return this.all().filter(
			(call) =>
				call !== by &&
				call.stop === null &&
				call.advancing !== null &&
				(call.advancing === entry || call.advancing.base === entry),
		).length;
	}

	/**
	 * Ends the ticks of other calls than `by` on a world. Completed ticks are kept. A call that advances a copy applies whole or not at all,
	 * so it is cancelled. An agent ends only its own calls; an operator ends all.
	 */
	pause(entry: WorldEntry, by: RunningCall): void {
		for (const call of this.#calls.values()) {
			if (call === by || call.advancing === null || !mayEnd(by.principal, call.principal)) continue;
			if (call.advancing === entry) call.stop ??= 'paused';
			else if (call.advancing.base === entry) call.cancel();
		}
	}
}

/** Returns true if one caller may end the calls of another. */
const mayEnd = (by: Principal, of: Principal): boolean =>
	isOperator(by) || by.agent?.number === of.agent?.number;
