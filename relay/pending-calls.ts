/**
 * The calls that wait for the engine, from arrival to answer.
 * Owns: ids, order, the bound on how much waits, and which callers get a refusal when the tab or the time is gone.
 * Never: knows HTTP or sockets; parses a body.
 */

import { engineLost, errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { CallSignal, WireRequest, WireResponse } from '../shared/contract/wire.ts';
import { AnonymousBudget, type AnonymousLimits } from './anonymous-budget.ts';
import { BodyRoom, type RoomLimits } from './body-room.ts';
import type { CallerKey } from './caller.ts';
import { stoppingAnswer } from './status.ts';

export interface PendingCallsLimits extends AnonymousLimits, RoomLimits {
	/** Calls that may wait together. */
	readonly calls: number;
	/** Of those, what is kept for admins. */
	readonly keptCalls: number;
	/** Milliseconds a call waits for a tab to come. */
	readonly tabWait: number;
	/** Milliseconds until a call that the engine has is given up. */
	readonly answerWait: number;
}

/** The engine's side of the wire. */
export interface CallReceiver {
	/** `again`: an engine ended while it had the call. */
	request(id: number, request: WireRequest, again: boolean): void;
	/** No caller waits for the answer any more. */
	cancel(id: number): void;
}
export type AnswerTaker = (response: WireResponse) => void;

interface WaitingCall {
	readonly request: WireRequest;
	readonly arrived: number;
	done: AnswerTaker;
	/** The relay's own calls wait for nothing but the tab. */
	readonly caller: CallerKey;
	/** Handed to the tab, which may have applied it. */
	delivered: boolean;
	/** Engines that ended while they had it and it was the first; one at least when any ended that had it. */
	ends: number;
	/** True if the caller has gone. */
	unwanted: boolean;
	/** It waits for events: the engine is not at work on it. */
	readonly listens: boolean;
}

/** Caller of what streams wait for. */
const STREAM: CallerKey = 'agent 0';

/** Engines that may end while they have a call, before it is refused: one that ends every engine would stop the world. */
const MAX_ENDS = 3;

/** A call that the engine is at work on. */
export interface Oldest {
	readonly request: WireRequest;
	/** Milliseconds since it came. */
	readonly ms: number;
	/** Calls that wait beside it. */
	readonly behind: number;
}

export class PendingCalls {
	readonly #limits: PendingCallsLimits;
	readonly #now: () => number;
	/** In order of arrival. */
	readonly #waitingCalls = new Map<number, WaitingCall>();
	/** Budgets that callers of a kind share. */
	readonly #budgets: ReadonlyMap<CallerKey, AnonymousBudget>;
	/** Of bodies that wait. */
	readonly #room: BodyRoom;
	/** Calls that wait for anything but events. */
	#atWork = 0;
	#lastId = 0;
	#engine: CallReceiver | undefined;
	#moving = false;
	/** Since when calls wait until the world is as it is to begin (ms since 1970). */
	#heldSince: number | undefined;
	/** Called when nothing waits any more, while the relay stops. */
	#rested = (): void => {};

	/** `now` gives milliseconds on a steady clock. */
	constructor(limits: PendingCallsLimits, now: () => number = () => performance.now()) {
		this.#limits = limits;
		this.#room = new BodyRoom(limits);
		this.#now = now;
		this.#budgets = new Map([
			['anonymous', new AnonymousBudget(limits, now)],
			// How many are open is limited, not the rate: a flood must not use it up.
			['entering', new AnonymousBudget({ ...limits, anonymousRate: Number.MAX_SAFE_INTEGER }, now)],
		]);
	}

	get size(): number {
		return this.#waitingCalls.size;
	}

	/**
	 * Since when calls wait for `release` with an engine that would do them (ms since 1970); undefined if they do
	 * not.
	 */
	get heldSince(): number | undefined {
		return this.#engine === undefined ? undefined : this.#heldSince;
	}

	/** From now on all calls but the relay's own wait for `release`. */
	hold(): void {
		this.#heldSince ??= Date.now();
	}

	release(): void {
		this.#heldSince = undefined;
		if (this.#engine === undefined) return;
		for (const [id, waiting] of this.#waitingCalls)
			if (!waiting.delivered) this.#deliver(this.#engine, id, waiting);
	}

	/** A call of a stream that waits for events. It is no work for the engine and not waited for. Resolves with the answer. */
	listen(request: WireRequest, signal?: CallSignal): Promise<WireResponse> {
		return new Promise((resolve) => {
			const id = this.submit(request, resolve, STREAM, true);
			signal?.addEventListener('abort', () => {
				this.cancel(id);
				resolve(stoppingAnswer());
			});
		});
	}

	/** Puts a call in line; `done` is called exactly once, with the answer or a refusal. Answers the id, or 0 if refused. */
	submit(request: WireRequest, done: AnswerTaker, caller: CallerKey = 'admin', listens = false): number {
		try {
			this.#requireRoom(request, caller);
			if (!listens) this.#budgets.get(caller)?.enter();
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			done(errorResponse(error));
			return 0;
		}
		this.#lastId = (this.#lastId + 1) >>> 0 || 1;
		const id = this.#lastId;
		const arrived = this.#now();
		const waiting: WaitingCall = {
			request,
			arrived,
			done,
			caller,
			delivered: false,
			ends: 0,
			unwanted: false,
			listens,
		};
		this.#waitingCalls.set(id, waiting);
		if (!listens) this.#atWork++;
		this.#room.add(caller, this.#room.countedBytes(request.body.length));
		if (this.#engine !== undefined) this.#deliver(this.#engine, id, waiting);
		return id;
	}

	/** Throws `busy`. */
	#requireRoom(request: WireRequest, caller: CallerKey): void {
		const { calls, keptCalls } = this.#limits;
		const reserved = caller === 'own' || caller === 'admin' ? 0 : keptCalls;
		const { size } = this.#waitingCalls;
		const refusal = this.#room.refusal(caller, this.#room.countedBytes(request.body.length));
		if (size < calls - reserved && refusal === undefined) return;
		const message =
			refusal === undefined
				? `${size} calls are already waiting, which is the limit of the relay.`
				: `The calls that wait have ${this.#room.total} bytes, and this one would exceed ${refusal}.`;
		throw new ApiError('busy', message, { headers: { 'retry-after': '1' } });
	}

	/** The caller has gone. A call that the engine has is to end early; it counts as waiting until the engine answers. */
	cancel(id: number): void {
		const waiting = this.#waitingCalls.get(id);
		if (waiting === undefined) return;
		waiting.done = () => {};
		waiting.unwanted = true;
		if (waiting.delivered) this.#engine?.cancel(id);
		else this.#remove(id, waiting);
	}

	/** The engine's answer. One without a waiting caller is dropped. */
	answer(id: number, response: WireResponse): void {
		const waiting = this.#waitingCalls.get(id);
		if (waiting === undefined) return;
		this.#remove(id, waiting);
		waiting.done(response);
	}

	/** A tab is there, the same or the next: everything unanswered goes out, in order; what went out before goes again under its old id. */
	resume(engine: CallReceiver): void {
		this.#engine = engine;
		this.#moving = false;
		for (const [id, waiting] of this.#waitingCalls) this.#deliver(engine, id, waiting);
	}

	#deliver(engine: CallReceiver, id: number, waiting: WaitingCall): void {
		if (this.#heldSince !== undefined && waiting.caller !== 'own') return;
		if (!waiting.delivered && this.#budgets.get(waiting.caller)?.start() === false) return;
		waiting.delivered = true;
		engine.request(id, waiting.request, waiting.ends > 0);
		if (waiting.unwanted) engine.cancel(id);
	}

	/** Currently no engine answers; calls wait. `moving`: the next one is on its way, so they wait longer. */
	detach(moving = false): void {
		this.#engine = undefined;
		this.#moving = moving;
	}

	/** Returns the call beside `apart` that a tab has had for longest; undefined if it has none. */
	oldest(apart = 0): Oldest | undefined {
		for (const [id, { delivered, request, arrived, listens }] of this.#waitingCalls)
			if (delivered && !listens && id !== apart) {
				const behind = this.#atWork - (this.#waitingCalls.has(apart) ? 2 : 1);
				return { request, ms: this.#now() - arrived, behind };
			}
		return undefined;
	}

	/** No engine will answer: calls that one had get 502 `engine_lost`. */
	abandon(): void {
		// Calls that are handed to it meanwhile go to the next one.
		const had = [...this.#waitingCalls].filter(([, { delivered }]) => delivered);
		for (const [id, waiting] of had) this.#lose(id, waiting);
	}

	/**
	 * The engine is gone, and its successor knows from the journal which calls were applied. The successor gets its
	 * calls, except those without a waiting caller. Its end counts against the first of them, which it was probably
	 * at work on.
	 */
	passOn(): void {
		let isFirst = true;
		for (const [id, waiting] of this.#waitingCalls) {
			if (!waiting.delivered || waiting.listens) continue;
			if (isFirst || waiting.ends === 0) waiting.ends++;
			isFirst = false;
			if (waiting.unwanted) this.#remove(id, waiting);
			else if (waiting.ends >= MAX_ENDS) this.#lose(id, waiting);
		}
	}

	#lose(id: number, waiting: WaitingCall): void {
		this.#remove(id, waiting);
		waiting.done(engineLost(waiting.request));
	}

	/** Answers every call that waits with this. */
	refuse(response: WireResponse): void {
		for (const [id, waiting] of this.#waitingCalls) {
			this.#remove(id, waiting);
			waiting.done(response);
		}
	}

	/** Gives up what has waited too long. Called a few times a second. */
	sweep(): void {
		const now = this.#now();
		for (const [id, waiting] of this.#waitingCalls) {
			const waited = now - waiting.arrived;
			const isHeld = this.heldSince !== undefined && waiting.caller !== 'own';
			const patient = waiting.delivered || this.#moving || isHeld;
			if (waited < (patient ? this.#limits.answerWait : this.#limits.tabWait)) continue;
			this.#remove(id, waiting);
			waiting.done(errorResponse(this.#tooLong(waiting, waited)));
		}
	}

	#tooLong({ delivered }: WaitingCall, waited: number): ApiError {
		const time = `${seconds(waited)} s`;
		if (delivered) return new ApiError('timeout', `The engine has not answered for ${time}.`);
		if (this.#engine === undefined)
			return new ApiError('no_engine', `No tab has connected for ${time}, so there is no world to ask.`, {
				headers: { 'retry-after': '5' },
			});
		const message = `The call has waited for ${time} behind others of callers without a session.`;
		return new ApiError('busy', message, { headers: { 'retry-after': '1' } });
	}

	/**
	 * Before the end: refuses what no tab has, and resolves when all else is answered, or has been waited for this
	 * many milliseconds.
	 */
	async rest(most: number): Promise<void> {
		this.#refuseUndelivered();
		if (this.#atWork === 0) return;
		const rested = Promise.withResolvers<void>();
		this.#rested = rested.resolve;
		const timer = setTimeout(rested.resolve, most);
		await rested.promise;
		clearTimeout(timer);
	}

	/** The relay ends: what a tab has gets 502 `engine_lost`, and everything else `stoppingAnswer`. */
	close(): void {
		this.#engine = undefined;
		this.#refuseUndelivered();
		this.abandon();
	}

	#refuseUndelivered(): void {
		for (const [id, waiting] of this.#waitingCalls) {
			if (waiting.delivered) continue;
			this.#remove(id, waiting);
			waiting.done(stoppingAnswer());
		}
	}

	#remove(id: number, waiting: WaitingCall): void {
		if (!this.#waitingCalls.delete(id)) return;
		if (!waiting.listens) this.#atWork--;
		this.#room.add(waiting.caller, -this.#room.countedBytes(waiting.request.body.length));
		const budget = waiting.listens ? undefined : this.#budgets.get(waiting.caller);
		budget?.leave(waiting.delivered);
		if (budget !== undefined && waiting.delivered) this.#startNext(waiting.caller);
		if (this.#atWork === 0) this.#rested();
	}

	/** The engine has one call less of callers that share a budget: the next one takes its place. */
	#startNext(caller: CallerKey): void {
		if (this.#engine === undefined) return;
		for (const [id, waiting] of this.#waitingCalls)
			if (waiting.caller === caller && !waiting.delivered) {
				this.#deliver(this.#engine, id, waiting);
				return;
			}
	}
}

function seconds(milliseconds: number): number {
	return Math.round(milliseconds / 100) / 10;
}
