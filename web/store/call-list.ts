/**
 * List of the calls that run, and of those that wait in the queue.
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
	/** Time of arrival: milliseconds on the engine's clock. */
	readonly arrivalTime: number;
	/** True while the call waits for earlier writes. */
	isWaiting = false;
	/** World of the call: main, or a fork's id. */
	world: string;
	/** World that the call advanced last, and probably advances next; null if there is none. */
	advancing: WorldEntry | null = null;
	/** Marks of deaths and similar events on the call's ticks. */
	readonly eventMarks = new EventMarks();
	/** Number of ticks that the call has run. */
	ticks = 0;
	/** Tick of the call's world when the change was applied; null before that, and for a call without a queue entry. */
	endTick: number | null = null;
	/** Number of a batch's requests that were answered. */
	requests = 0;
	/** Reason to end at the next edge; null to continue. */
	stop: Stop | null = null;
	/** Refusal for the caller if the call stops; null while the call is re-run. */
	refusal: ApiError | null = null;
	/** Number of passed edges of ticks and requests, which is the exact progress of the call. */
	edgeCount = 0;
	/** First edge at which the call ended early, and the reason; null if it did not. */
	endEdge: { readonly edge: number; readonly why: Stop } | null = null;
	/** Edge at which a replay must end the call, because the recorded call ended there; null without one. */
	replayEdge: { readonly edge: number; readonly why: Stop } | null = null;
	/** Returns true if a replay must end at this tick of the advancing world, to keep the state of that tick. */
	isReplayEnd: ((advancing: WorldEntry) => boolean) | null = null;
	/** Called once when the call is cancelled. */
	onCancel: () => void = () => {};

	constructor(
		number: number,
		{ method, path }: { readonly method: string; readonly path: string },
		principal: Principal,
		arrivalTime: number,
		world: string,
	) {
		this.number = number;
		this.method = method;
		this.path = path;
		this.principal = principal;
		this.arrivalTime = arrivalTime;
		this.world = world;
	}

	/** Ends the call at the next edge of a tick or request. `why`: its refusal; null means `cancelled`. */
	cancel(why: ApiError | null = null): void {
		if (this.stop === 'cancelled' || this.stop === 'diverged') return;
		this.stop = 'cancelled';
		this.refusal = why;
		this.onCancel();
	}

	/** Ends the call at the next edge with this refusal, because a verified tick differed. */
	diverge(why: ApiError): void {
		this.stop = 'diverged';
		this.refusal = why;
	}

	/** Counts the edge of a tick or of a request, at which the call may end. */
	countEdge(): void {
		this.edgeCount++;
		if (this.replayEdge?.edge === this.edgeCount) this.stop = this.replayEdge.why;
		const { isReplayEnd, advancing } = this;
		if (isReplayEnd !== null && advancing !== null && isReplayEnd(advancing)) this.stop ??= 'paused';
	}

	/** Returns the reason to end at this edge, and records it; null to continue. The call must end if there is a reason. */
	stopAtEdge(): Stop | null {
		if (this.stop !== null) this.endEdge ??= { edge: this.edgeCount, why: this.stop };
		return this.stop;
	}

	/** Throws `cancelled` if the call was cancelled, and `diverged` if a tick differed. Called at the edges of ticks, requests and slices. */
	requireRunning(): void {
		if (this.stop === null || this.stop === 'paused') return;
		this.stopAtEdge();
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

	/** Adds a call that has just arrived. `leave` must follow. */
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
	requireFewCalls({ number, id }: Agent): void {
		const ownCalls = this.all().filter(({ principal }) => principal.agent?.number === number);
		if (ownCalls.length > MAX_UNANSWERED)
			throw new ApiError('too_many_calls', `"${id}" already has ${MAX_UNANSWERED} unanswered calls.`, {
				headers: { 'retry-after': '1' },
			});
	}

	/** Removes an answered call. */
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

	/** Returns the number of other calls that advance a world, or a copy of it, and are not stopped. */
	countStepping(entry: WorldEntry, caller: RunningCall): number {
		return this.all().filter(
			(call) =>
				call !== caller &&
				call.stop === null &&
				call.advancing !== null &&
				(call.advancing === entry || call.advancing.base === entry),
		).length;
	}

	/**
	 * Ends the ticks of other calls than `caller` on a world. Completed ticks are kept. A call that advances a copy applies whole
	 * or not at all,
	 * so it is cancelled. An agent ends only its own calls; an operator ends all.
	 */
	pause(entry: WorldEntry, caller: RunningCall): void {
		for (const call of this.#calls.values()) {
			if (call === caller || call.advancing === null || !canEnd(caller.principal, call.principal)) continue;
			if (call.advancing === entry) call.stop ??= 'paused';
			else if (call.advancing.base === entry) call.cancel();
		}
	}
}

/** Returns true if one caller may end the calls of another. */
const canEnd = (by: Principal, of: Principal): boolean =>
	isOperator(by) || by.agent?.number === of.agent?.number;
