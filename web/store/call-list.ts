/**
 * The calls that are being worked on and those that wait for their turn.
 * Owns: their numbers, their senders, their progress, and requests to stop.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Agent, isOperator, type Principal } from '../../shared/contract/principal.ts';
import { EventMarks } from './event-marks.ts';
import type { WorldEntry } from './worlds.ts';

/** Reason to end a call early: its caller has gone, the world that it advances was paused, or a tick that was re-run differed. */
export type Stop = 'cancelled' | 'paused' | 'diverged';

export class RunningCall {
	/** Rises by one with each call. */
	readonly number: number;
	readonly method: string;
	readonly path: string;
	readonly principal: Principal;
	/** Milliseconds on the engine's clock. */
	readonly arrived: number;
	/** True if it waits for writes that came before it. */
	waiting = false;
	/** The world it is about: main, or a fork's id. */
	world: string;
	/** The world that it advanced last, which it probably advances next. */
	advancing: WorldEntry | null = null;
	/** Deaths and similar ones on the ticks that it has made. */
	readonly happened = new EventMarks();
	/** Ticks it has made. */
	ticks = 0;
	/** The tick of its world when its turn was over; null before that, and for one that has none. */
	done: number | null = null;
	/** Requests of a batch that were answered. */
	requests = 0;
	stop: Stop | null = null;
	/** The refusal that its caller gets for `stop`, if it is known: it is not when the call is re-run. */
	refusal: ApiError | null = null;
	/** Edges of ticks and requests that it has come to: how far it is, to the bit. */
	edges = 0;
	/** First edge at which it was told to end early, and the reason; null if it was not. */
	ended: { readonly edge: number; readonly why: Stop } | null = null;
	/** Edge at which it is to end early, as it once did. */
	endsAt: { readonly edge: number; readonly why: Stop } | null = null;
	/** Returns true if it must end early on this tick of the world that it advances, to keep the state of that tick. */
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

	/** Ends it at the next edge of a tick or request. `why`: its refusal, unless that is `cancelled`. */
	cancel(why: ApiError | null = null): void {
		if (this.stop === 'cancelled' || this.stop === 'diverged') return;
		this.stop = 'cancelled';
		this.refusal = why;
		this.onCancel();
	}

	/** Ends it where it is asked next, with this refusal. */
	diverge(why: ApiError): void {
		this.stop = 'diverged';
		this.refusal = why;
	}

	/** It has come to the edge of a tick or of a request. */
	edge(): void {
		this.edges++;
		if (this.endsAt?.edge === this.edges) this.stop = this.endsAt.why;
		const { endsWhen, advancing } = this;
		if (endsWhen !== null && advancing !== null && endsWhen(advancing)) this.stop ??= 'paused';
	}

	/** Returns the reason to end here. It must end when it is told so. */
	endsHere(): Stop | null {
		if (this.stop !== null) this.ended ??= { edge: this.edges, why: this.stop };
		return this.stop;
	}

	/** Asked at the edges of ticks, requests and slices. Throws `cancelled` when the call was cancelled, and `diverged`. */
	requireWanted(): void {
		if (this.stop === null || this.stop === 'paused') return;
		this.endsHere();
		if (this.refusal !== null) throw this.refusal;
		if (this.stop === 'cancelled') throw new ApiError('cancelled', 'The call was cancelled.');
		throw new ApiError('diverged', 'A repeated tick gave a different result.');
	}
}

/** Calls that one agent may have unanswered: all callers together have places for about a thousand. */
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

	/** Throws `too_many_calls` if an agent has more unanswered calls than it may have, with the newest. */
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

	/** In the order in which they came. */
	all(): RunningCall[] {
		return [...this.#calls.values()];
	}

	/** Returns the number of other calls that make ticks of a world and are not told to end. */
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
	 * Ends the ticks that other calls than `by` are making of a world. What was made stays; a call that makes them on a copy, since it
	 * is done whole or not at all, is not done. An agent that is no operator ends its own calls alone.
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
